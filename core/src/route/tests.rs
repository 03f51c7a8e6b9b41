//! The table of routes is read in both directions.

use super::*;
use crate::record::attachment::Extension;

fn every_route() -> Vec<(&'static str, Route)> {
    let session = SessionId::generate(0, [7; 19]);
    let reference = ReferenceNumber::generate("", [3; 8]);
    let merchant = MerchantId::parse("demo").unwrap();
    let entry = AttentionId::parse(&alloc::format!("{reference}.late_success")).unwrap();
    let token = ReturnToken::of(&session, &reference);
    alloc::vec![
        ("POST", Route::CreateTransaction),
        ("GET", Route::ListTransactions),
        ("GET", Route::RetrieveTransaction(session.clone())),
        ("PUT", Route::ReplaceTransaction(session.clone())),
        ("PATCH", Route::PatchTransaction(session.clone())),
        ("POST", Route::UploadAttachment),
        ("GET", Route::DownloadAttachment(AttachmentName::generate([3; 20], Extension::Pdf))),
        ("GET", Route::ShortLink(ShortCode::generate([5; 16]))),
        ("GET", Route::QrCode(session.clone(), ImageFormat::Svg)),
        ("GET", Route::QrCode(session.clone(), ImageFormat::Png)),
        ("POST", Route::ListMethods),
        ("GET", Route::CheckoutPage),
        ("POST", Route::Pay),
        ("GET", Route::SdkInit(session.clone())),
        ("GET", Route::SdkConcur(session.clone())),
        ("POST", Route::SdkSubmit(session.clone())),
        ("POST", Route::SdkCancel(session.clone())),
        ("GET", Route::Receipt(session.clone())),
        ("GET", Route::PublicKeys),
        ("GET", Route::PayStatus(session)),
        ("GET", Route::GatewayReturn(reference.clone(), None)),
        ("POST", Route::GatewayReturn(reference.clone(), Some(token))),
        ("POST", Route::GatewayCallback(reference)),
        ("POST", Route::PolicyReport),
        ("POST", Route::AddMerchant),
        ("GET", Route::ReadMerchant(merchant.clone())),
        ("PUT", Route::ReplaceSettings(merchant.clone())),
        ("POST", Route::AddKey(merchant.clone())),
        ("GET", Route::ListKeys(merchant.clone())),
        ("GET", Route::ReadClock(merchant.clone())),
        ("POST", Route::MoveClock(merchant.clone())),
        ("GET", Route::ListReconciliations(merchant.clone())),
        ("POST", Route::ReconcileAgain(merchant.clone())),
        ("DELETE", Route::RevokeKey(merchant, "abcdefgh".into())),
        ("GET", Route::ListAttention),
        ("POST", Route::ResolveAttention(entry)),
        ("GET", Route::Problem("not_found".into())),
        ("GET", Route::Health),
    ]
}

#[test]
fn every_route_is_found_at_its_own_path_with_and_without_a_trailing_slash() {
    for (method, route) in every_route() {
        let path = route.path();
        assert_eq!(find(method, &path), Match::Route(route.clone()), "{path}");
        assert_eq!(find(method, path.trim_end_matches('/')), Match::Route(route), "{path}");
    }
}

#[test]
fn a_wrong_method_names_the_right_ones() {
    assert_eq!(find("PUT", "/b/checkout/v1/pymt-txn"), Match::WrongMethod { allow: "GET, POST" });
    assert_eq!(find("BREW", "/healthz/"), Match::WrongMethod { allow: "GET" });
}

#[test]
fn a_malformed_id_is_an_address_that_does_not_exist() {
    assert_eq!(find("GET", "/b/checkout/v1/pymt-txn/nonsense/"), Match::Nothing);
    assert_eq!(find("GET", "/b/checkout/v1/pymt-txn/a/b"), Match::Nothing);
    assert_eq!(find("GET", "/"), Match::Nothing);
    assert_eq!(find("DELETE", "/b/checkout/v1/pymt-txn/nonsense/"), Match::Nothing);
    assert_eq!(find("POST", "/b/checkout/"), Match::Nothing, "no short code has this form");
}

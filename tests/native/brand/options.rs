//! The face of one transaction.

use checkout_core::access::operator::ROOT;
use checkout_core::checkout::page::{PageView, TransactionPage};
use checkout_core::flow::operator::merchant::replace_settings;
use checkout_core::flow::payer::open_page::{Visit, open_page};
use checkout_core::settings::brand::{Corners, Font};
use checkout_core::value::colour::Colour;
use checkout_tests::shop::{DEMO_SETTINGS, Shop, order};
use pollster::block_on;
use serde_json::{Value, json};

fn page(shop: &Shop, options: Option<Value>) -> TransactionPage {
    let mut body = order(&["knet"]);
    if let Some(options) = options {
        drop(body.as_object_mut().unwrap().insert("branding_options".into(), options));
    }
    let session_id = shop.create(&body);
    match block_on(open_page(&shop.world, Some(&session_id), Visit::PERSON)).unwrap() {
        PageView::Transaction(page) => *page,
        PageView::NotFound { .. } => unreachable!("the transaction exists"),
    }
}

#[test]
fn a_transaction_has_its_own_face_in_place_of_that_of_the_settings() {
    let shop = Shop::open(1);
    let mut settings: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
    let brand =
        json!({ "accent": "#7a1fa2", "corners": "round", "support": { "email": "help@shop.example.com" } });
    drop(settings.as_object_mut().unwrap().insert("brand".into(), brand));
    let document = settings.to_string();
    block_on(replace_settings(&shop.world, &ROOT, &shop.merchant, "", document.as_bytes())).unwrap();
    let usual = page(&shop, None).brand;
    assert_eq!((usual.accent, usual.corners), (Some(Colour([0x7a, 0x1f, 0xa2])), Corners::Round));
    let options = json!({ "accent": "#0d7a4a", "font": "serif", "corners": null, "support": { "phone": "+96522223333" } });
    let own = page(&shop, Some(options)).brand;
    assert_eq!((own.accent, own.font), (Some(Colour([0x0d, 0x7a, 0x4a])), Font::Serif));
    assert_eq!(own.corners, Corners::Round, "null leaves the member as it is in the settings");
    assert_eq!((own.support.phone.as_deref(), own.support.email), (Some("+96522223333"), None));
    assert_eq!(page(&shop, Some(json!({}))).brand, usual);
}

//! What someone must be permitted to change of a payment transaction: its gateways, and its file.

use checkout_core::flow::merchant::upload::{self, upload};
use checkout_core::record::attachment::FilePart;
use checkout_core::state::State;
use checkout_tests::shop::{order, refused};

use super::*;

const FILE: FilePart<'_> = FilePart { file_name: "bill.pdf", bytes: b"%PDF-1.7" };
const CHANGES: &str = "Can change e-commerce payments";

fn user(shop: &Shop, name: &str, permissions: &[&str], route: &Route) -> Caller {
    added(shop, &json!({"username": name, "password": PASSWORD, "permissions": permissions}));
    sign_in(shop, name, PASSWORD, route).unwrap()
}

fn send(shop: &Shop, caller: &Caller, fields: &Value) -> Result<String, Failure> {
    let fields = fields.to_string();
    let input = upload::UploadInput {
        caller: caller.clone(),
        fields: fields.as_bytes(),
        file: Some(FILE),
        wrong: &[],
    };
    block_on(upload(&shop.world, input)).map(|uploaded| uploaded.file_url)
}

#[test]
fn a_gateway_that_the_caller_may_not_use_is_not_taken_away() {
    let shop = Shop::open(41);
    let route = Route::PatchTransaction(shop.create(&order(&["knet"])));
    let sara = user(&shop, "sara", &[CHANGES, "Can use knet"], &route);
    let session_id = shop.create(&order(&["knet", "credit-card"]));
    for codes in
        [json!(["knet"]), json!(["credit-card", "knet"]), json!(["knet", "cash"]), json!(["credit-card"])]
    {
        let refusal = refused(shop.patch_as(sara.clone(), &session_id, &json!({"pg_codes": codes})));
        assert_eq!(refusal, Rejection::PermissionMissing, "{codes}");
    }
    shop.patch_as(
        sara.clone(),
        &session_id,
        &json!({"order_no": "A-1", "pg_codes": ["knet", "credit-card"]}),
    )
    .unwrap();
    let noura = user(&shop, "noura", &[CHANGES, "Can use knet", "Can use credit-card"], &route);
    shop.patch_as(noura.clone(), &session_id, &json!({"pg_codes": ["knet"]})).unwrap();
}

#[test]
fn a_file_for_a_transaction_needs_the_right_to_update_it() {
    let shop = Shop::open(42);
    let body = json!({"order_no": "A-1"});
    let mut with_number = order(&["knet"]);
    with_number["order_no"] = json!("A-1");
    let session_id = shop.create(&with_number);
    let by_id = json!({"session_id": session_id.as_str()});
    let strangers: [(&str, &[&str]); 4] = [
        ("requests", &["Can change payment requests", "Can add payment requests"]),
        ("adds", &["Can add e-commerce payments", "Can use knet"]),
        ("both", &["Can add e-commerce payments", "Can change payment requests"]),
        ("views", &["Can add payment requests", "Can view e-commerce payments"]),
    ];
    for (name, permissions) in strangers {
        let caller = user(&shop, name, permissions, &Route::UploadAttachment);
        for fields in [&by_id, &body] {
            assert_eq!(
                refused(send(&shop, &caller, fields)),
                Rejection::PermissionMissing,
                "{name} {fields}"
            );
        }
    }
    assert!(shop.world.files.names().is_empty(), "a refused request stores no file");
    let sara = user(&shop, "sara", &[CHANGES], &Route::UploadAttachment);
    send(&shop, &sara, &by_id).unwrap();
    assert!(shop.transaction(&session_id).details.attachment.is_some());
    let ahead = refused(send(&shop, &sara, &json!({})));
    assert_eq!(ahead, Rejection::PermissionMissing, "a file for later is for those who create");
    let adds = user(&shop, "clerk", &["Can add payment requests"], &Route::UploadAttachment);
    assert!(send(&shop, &adds, &json!({})).is_ok());
    let none = ["Can view e-commerce payments", "Can use knet", "payment.refund"];
    added(&shop, &json!({"username": "none", "password": PASSWORD, "permissions": none}));
    let found = sign_in(&shop, "none", PASSWORD, &Route::UploadAttachment);
    assert_eq!(found.err(), Some(Rejection::PermissionMissing));
}

#[test]
fn a_file_is_not_replaced_when_nothing_else_may_be_changed() {
    let shop = Shop::open(43);
    let caller = shop.private();
    let session_id = shop.create(&order(&["knet"]));
    let fields = json!({"session_id": session_id.as_str()});
    let first = send(&shop, &caller, &fields).unwrap();
    let reference = shop.pay_to_page(&session_id, "knet");
    let second = send(&shop, &caller, &fields).unwrap();
    assert_ne!(first, second, "while the payer is at the bank, what is not charged by may change");
    shop.bank.approve(reference.as_str());
    shop.come_back(&reference).unwrap();
    let names = shop.world.files.names().len();
    assert_eq!(refused(send(&shop, &caller, &fields)), Rejection::NotUpdatable { state: State::Paid });
    let late = shop.create(&order(&["knet"]));
    shop.wait(2 * 86_400);
    let refusal = refused(send(&shop, &shop.private(), &json!({"session_id": late.as_str()})));
    assert_eq!(refusal, Rejection::NotUpdatable { state: State::Expired });
    assert_eq!(shop.world.files.names().len(), names);
    let stored = shop.transaction(&session_id).details.attachment.unwrap();
    assert!(second.ends_with(&stored.name.as_str()), "{second}");
}

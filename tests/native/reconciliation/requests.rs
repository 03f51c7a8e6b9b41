//! What the operator asks about a reconciliation.

use super::*;
use checkout_core::access::operator::ROOT;

#[test]
fn the_operator_reads_how_far_it_is_and_goes_back() {
    let shop = Shop::open(17);
    let (_, reference) = pay(&shop, "knet");
    pass(&shop, 1);
    let listed = json_of(&block_on(list_reconciliations(&shop.world, &shop.merchant)).unwrap());
    assert_eq!(
        listed,
        json!([{
            "pg_code": "knet", "since": "2026-01-01T00:00:00Z", "listed_to": "2026-01-01T01:01:00Z",
            "running": false, "failures": 0, "next": "2026-01-01T02:01:00Z",
            "last": {"ended": "2026-01-01T01:01:00Z", "charges": 1, "asked": 0, "differences": 0},
        }])
    );
    shop.bank.refund_at_the_desk("PORTAL1", reference.as_str(), "2.000");
    shop.wait(1);
    let body = json!({"pg_code": "knet", "from": "2025-12-01T00:00:00Z"}).to_string();
    let again =
        json_of(&block_on(reconcile_again(&shop.world, &ROOT, &shop.merchant, body.as_bytes())).unwrap());
    assert_eq!((&again["since"], &again["last"]["differences"]), (&json!("2025-12-01T00:00:00Z"), &json!(1)));
    assert_eq!(noted(&shop), [format!("{reference} operations_mismatch")]);
}

#[test]
fn the_operator_can_begin_with_a_gateway_that_was_never_used() {
    let shop = Shop::open(18);
    let body = json!({"pg_code": "mpgs", "from": "2025-12-31T00:00:00Z"}).to_string();
    let begun =
        json_of(&block_on(reconcile_again(&shop.world, &ROOT, &shop.merchant, body.as_bytes())).unwrap());
    assert_eq!((&begun["pg_code"], &begun["last"]["charges"]), (&json!("mpgs"), &json!(0)));
}

#[test]
fn a_wrong_request_names_every_wrong_field() {
    let shop = Shop::open(19);
    for (body, expected) in [
        (json!({}), vec!["pg_code: is required", "from: is required"]),
        (
            json!({"pg_code": "nothing", "from": "yesterday"}),
            vec![
                "pg_code: must be the code of a gateway of the merchant",
                "from: must be a date and time of RFC 3339, such as \"2030-01-31T12:00:00Z\"",
            ],
        ),
        (json!({"pg_code": 1, "from": 2}), vec!["pg_code: must be a string", "from: must be a string"]),
        (json!({"pg_code": "knet", "from": "2030-01-01T00:00:00Z"}), vec!["from: must not be in the future"]),
    ] {
        let rejection = refused(block_on(reconcile_again(
            &shop.world,
            &ROOT,
            &shop.merchant,
            body.to_string().as_bytes(),
        )));
        let Rejection::Invalid(found) = rejection else { panic!("{rejection:?}") };
        let named: Vec<String> = found.iter().map(|one| format!("{}: {}", one.path, one.rule)).collect();
        assert_eq!(named, expected, "{body}");
    }
    let nobody = MerchantId::parse("nobody").unwrap();
    assert!(matches!(refused(block_on(list_reconciliations(&shop.world, &nobody))), Rejection::NotFound));
    assert!(matches!(
        refused(block_on(reconcile_again(&shop.world, &ROOT, &nobody, b"{}"))),
        Rejection::NotFound
    ));
}

#[test]
fn a_moved_clock_reconciles_what_is_due_by_it() {
    let shop = Shop::open(20);
    let (_, reference) = pay(&shop, "knet");
    shop.bank.lose(reference.as_str());
    let settings =
        block_on(move_clock(&shop.world, &ROOT, &shop.merchant, br#"{"advance":"02:00:00"}"#)).unwrap();
    let swept = block_on(sweep_merchant(&shop.world, &settings));
    assert_eq!((swept.reconciled, swept.failures), (1, vec![]));
    assert_eq!(noted(&shop), [format!("{reference} charge_missing")]);
}

#[test]
fn a_deleted_payment_is_known_all_the_same() {
    let shop = Shop::open(21);
    let (session_id, _) = pay(&shop, "knet");
    let body = json!({"session_id": session_id.as_str(), "operation": "delete"}).to_string();
    let input = OperationInput {
        caller: shop.private(),
        tracking_key: None,
        idempotency_key: None,
        body: body.as_bytes(),
    };
    block_on(operate(&shop.world, input)).unwrap();
    assert!(block_on(shop.world.store.load(&session_id)).unwrap().is_none());
    pass(&shop, 1);
    assert_eq!((last(&shop, "knet"), noted(&shop)), (Some((1, 0, 0)), vec![]));
}

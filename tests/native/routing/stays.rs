//! What stays at its gateway although another one of its group could take the payment.

use checkout_core::flow::payer::pay::pay;
use checkout_tests::shop::{form, order, text};
use pollster::block_on;
use serde_json::json;

use super::fallback::wallet;
use super::{Line, Routed, of_customer, put};

/// A gateway that calls a payment canceled has answered: the payer or the bank ended it there.
#[test]
fn what_the_gateway_itself_cancels_is_not_tried_elsewhere() {
    let routed = Routed::open(json!({}));
    routed.set("one", Line::Canceling);
    let session_id = routed.shop.create(&order(&["one", "two"]));
    let answer = wallet(&routed, session_id.as_str(), None);
    assert_eq!(text(&answer, "result"), Some("canceled"), "{answer}");
    assert_eq!(routed.tried(&session_id), [("one".into(), "canceled")]);
}

#[test]
fn a_saved_card_is_paid_at_the_gateway_that_saved_it() {
    for needs_code in [true, false] {
        let routed = Routed::open_with(json!({}), |settings| {
            let gateways = settings["gateways"].as_array_mut().unwrap();
            let one = gateways.iter_mut().find(|gateway| gateway["code"] == "one").unwrap();
            put(one, "cvv_required", json!(needs_code));
        });
        let token = routed.saved_card();

        routed.set("one", Line::Down);
        let second = routed.shop.create(&of_customer(&["one", "two"]));
        let _ = block_on(pay(&routed.shop.world, &form(&second, &token))).unwrap();
        assert_eq!(routed.tried(&second), [("one".into(), "error")], "needs its code: {needs_code}");
        // The same payer without the card is taken to the next gateway.
        let third = routed.shop.create(&of_customer(&["one", "two"]));
        let _ = routed.shop.pay(&third, "one").unwrap();
        assert_eq!(routed.tried(&third), [("one".into(), "error"), ("two".into(), "pending")]);
    }
}

//! Gateways that fail in every combination: nothing is charged twice, and what was charged is found.

use checkout_core::flow::merchant::native::{PaymentInput, pay_by_wallet};
use checkout_core::words::Wallet;
use checkout_tests::shop::order;
use pollster::block_on;
use serde_json::json;

use super::{Line, Routed};

const CODES: [&str; 3] = ["one", "two", "three"];
const LINES: [Line; 5] = [Line::Up, Line::Down, Line::Silent, Line::Refusing, Line::Lost];

/// Every way in which the three gateways can be.
fn every() -> impl Iterator<Item = [Line; 3]> {
    LINES.into_iter().flat_map(|one| {
        LINES.into_iter().flat_map(move |two| LINES.into_iter().map(move |three| [one, two, three]))
    })
}

/// The gateways are well again, and the sweep asks about everything that is open.
fn recover(routed: &Routed) {
    for code in CODES {
        routed.set(code, Line::Up);
    }
    for _ in 0..20 {
        routed.shop.wait(120);
        routed.shop.sweep();
    }
}

#[test]
fn a_wallets_payment_is_charged_at_most_once_however_gateways_fail() {
    for lines in every() {
        let routed = Routed::open(json!({"skip_after": 1}));
        for (code, line) in CODES.into_iter().zip(lines) {
            routed.set(code, line);
        }
        let session_id = routed.shop.create(&order(&CODES));
        let payload = json!({"paymentMethodData": {"tokenizationData": {"token": "{}"}}});
        let body = json!({"session_id": session_id.as_str(), "payload": payload}).to_string();
        for _ in 0..3 {
            let input = PaymentInput {
                caller: routed.shop.private(),
                idempotency_key: Some("k"),
                body: body.as_bytes(),
            };
            let _ = block_on(pay_by_wallet(&routed.shop.world, Wallet::GooglePay, input));
        }
        let charged = routed.shop.bank.approved();
        recover(&routed);
        assert!(charged <= 1, "{lines:?}: {:?}", routed.tried(&session_id));
        let tried = routed.tried(&session_id);
        let wanted = if charged == 1 { "authorized" } else { "attempted" };
        assert_eq!(routed.shop.state(&session_id), wanted, "{lines:?}: {tried:?}");
        // The payment goes on to the first gateway that can have taken it, and no further.
        let reached = lines.iter().position(|line| !matches!(line, Line::Down | Line::Refusing));
        assert_eq!(tried.len(), reached.map_or(3, |place| place + 1), "{lines:?}: {tried:?}");
    }
}

#[test]
fn a_payer_is_given_one_page_however_gateways_fail() {
    for lines in every() {
        let routed = Routed::open(json!({}));
        for (code, line) in CODES.into_iter().zip(lines) {
            routed.set(code, line);
        }
        let session_id = routed.shop.create(&order(&CODES));
        let _ = routed.shop.pay(&session_id, "one").unwrap();
        let tried = routed.tried(&session_id);
        let pages: Vec<_> = tried.iter().filter(|(_, result)| *result == "pending").collect();
        let first_up = lines.iter().position(|line| *line == Line::Up);
        if let Some(place) = first_up {
            let latest = routed.shop.latest(&session_id);
            assert_eq!(latest.pg_code.to_string(), CODES[place], "{lines:?}: {tried:?}");
            assert_eq!(pages.len(), 1, "{lines:?}: {tried:?}");
            routed.shop.bank.approve(latest.reference.as_str());
            recover(&routed);
            assert_eq!(routed.shop.state(&session_id), "authorized", "{lines:?}");
            assert_eq!((routed.shop.bank.approved(), routed.shop.attention().len()), (1, 0), "{lines:?}");
        } else {
            recover(&routed);
            assert_eq!(routed.shop.bank.approved(), 0, "{lines:?}");
        }
    }
}

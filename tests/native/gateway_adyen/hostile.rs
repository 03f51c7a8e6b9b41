//! Answers of proxies, parts of answers and random bytes: nothing panics, and nothing is certain.

use checkout_core::card::BankToken;
use checkout_core::card::usage::ChargeInitiator;
use checkout_core::gateway::callback::GatewayEvent;
use checkout_core::gateway::charge::{CardCharge, Opened, Order, Outcome};
use checkout_core::gateway::check::Checked;
use checkout_core::gateway::exchange::Incoming;
use checkout_core::gateway::operation::OperationOutcome;
use checkout_core::gateway::wallet::{SessionAnswer, SessionOrder};
use checkout_core::testing::gateway::{answer, at_account, callback, converse, operation_order, order};
use checkout_core::words::ChildOperation;
use proptest::prelude::*;

use super::{ANSWERS, HMAC, KEY, TOKEN, answered, link_charge, returned, shop, wallet_charge};

fn saved() -> Order {
    let card =
        CardCharge { token: BankToken(TOKEN.into()), initiator: ChargeInitiator::Merchant, agreement: None };
    Order { card: Some(card), ..order("10.250", "KWD") }
}

/// The outcomes that an answer has at each step at which a charge is asked about or opened.
fn outcomes(answer: &Incoming) -> Vec<Outcome> {
    let shop = shop();
    let one = std::slice::from_ref(answer);
    let opened = [order("10.250", "KWD"), saved()].map(|order| match converse(shop.open(&order), one).1 {
        Opened::Reported(report) => report.outcome,
        Opened::Refused { .. } => Outcome::Declined,
    });
    let link = converse(shop.inquire(&link_charge(), None), one).1.outcome;
    let details = converse(shop.inquire(&wallet_charge(), Some(&returned("eyJ0"))), one).1.outcome;
    let mut all = opened.to_vec();
    all.extend([link, details]);
    // A refused withdrawal asks again.
    if !matches!(answer.status, 400 | 401 | 403 | 422) {
        all.push(converse(shop.withdraw(&link_charge()), one).1.outcome);
    }
    all
}

fn operated(answer: &Incoming) -> Vec<OperationOutcome> {
    [ChildOperation::Capture, ChildOperation::Refund, ChildOperation::Void]
        .map(|kind| {
            let order = operation_order(wallet_charge(), kind, "10.250");
            converse(shop().operate(&order), std::slice::from_ref(answer)).1.outcome
        })
        .to_vec()
}

/// Whether an answer says nothing at any step.
fn is_nothing(answer: &Incoming) -> bool {
    let session = SessionOrder {
        merchant_id: "m".into(),
        shop_name: "s".into(),
        domain: "d".into(),
        validation_url: None,
    };
    let one = std::slice::from_ref(answer);
    outcomes(answer).iter().all(|outcome| *outcome == Outcome::Unknown)
        && operated(answer).iter().all(|outcome| *outcome == OperationOutcome::Unknown)
        && matches!(converse(shop().start_session(&session), one).1, SessionAnswer::Refused(_))
        && converse(shop().check(), one).1 != Checked::Accepted
        && shop().read_callback(&callback(&[], answer.body.clone()), &at_account()).is_none()
}

#[test]
fn pages_of_proxies_and_empty_answers_say_nothing() {
    for status in [200, 201, 202, 204, 301, 400, 401, 403, 404, 408, 409, 422, 425, 429, 500, 502, 503, 504] {
        for body in ["", "<html><body>Bad Gateway</body></html>", "null", "[]", "\"Authorised\"", "{"] {
            assert!(is_nothing(&answer(status, body)), "{status} {body}");
        }
    }
}

#[test]
fn a_certain_answer_under_another_status_is_unknown() {
    for status in [0, 202, 204, 301, 400, 404, 409, 422, 429, 500, 503] {
        for name in ["authorised", "refused", "cancelled", "link expired", "link active", "refund received"] {
            let answer = Incoming { status, ..answered(name) };
            assert!(is_nothing(&answer), "{status} {name}");
        }
    }
}

#[test]
fn no_part_of_an_answer_is_certain() {
    let samples: Vec<serde_json::Value> = serde_json::from_str(ANSWERS).unwrap();
    for sample in samples {
        let body = sample["body"].to_string();
        let status = u16::try_from(sample["status"].as_u64().unwrap()).unwrap();
        for length in 0..body.len() {
            let Some(part) = body.get(..length) else { continue };
            let cut = answer(status, part);
            assert!(outcomes(&cut).iter().all(|outcome| *outcome == Outcome::Unknown), "{part}");
            assert!(operated(&cut).iter().all(|outcome| *outcome == OperationOutcome::Unknown), "{part}");
        }
    }
}

#[test]
fn deep_and_repeated_members_are_no_danger() {
    let deep = format!(r#"{{"resultCode":"Authorised","x":{}{}}}"#, "[".repeat(50_000), "]".repeat(50_000));
    assert!(is_nothing(&answer(200, deep)));
    let twice = answered("authorised").body;
    let twice = String::from_utf8(twice).unwrap().replacen('{', r#"{"resultCode":"Refused","#, 1);
    assert!(is_nothing(&answer(200, twice)));
}

#[test]
fn no_secret_shows() {
    let (shop, page, saved) = (shop(), order("10.250", "KWD"), saved());
    let charge = wallet_charge();
    let returned = returned("a-result-that-is-a-secret");
    let shown = [
        format!("{:?}", shop.open(&page)),
        format!("{:?}", shop.open(&saved)),
        format!("{saved:?}"),
        format!("{:?} {returned:?}", shop.inquire(&charge, Some(&returned))),
        format!("{:?}", shop.check()),
        format!(
            "{:?}",
            checkout_core::gateway::adyen::Adyen::new(checkout_core::gateway::credentials::Credentials {
                endpoint: None,
                is_test: true,
                values: [("api_key", KEY.to_string()), ("hmac_key", HMAC.to_string())].into_iter().collect(),
            })
        ),
    ];
    for text in shown {
        for secret in [KEY, HMAC, TOKEN, "a-result-that-is-a-secret"] {
            assert!(!text.contains(secret), "{text}");
        }
    }
}

proptest! {
    #[test]
    fn random_bytes_say_nothing(status in 0_u16..700, body in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(is_nothing(&answer(status, body)));
    }

    #[test]
    fn one_changed_byte_never_makes_another_outcome_certain(place in 0_usize..10_000, change in 1_u8..=255) {
        let whole = answered("refused");
        let mut body = whole.body.clone();
        let place = place.checked_rem(body.len()).unwrap();
        *body.get_mut(place).unwrap() ^= change;
        for outcome in outcomes(&answer(200, body)) {
            prop_assert!(matches!(outcome, Outcome::Unknown | Outcome::Declined), "{:?}", outcome);
        }
    }

    #[test]
    fn one_changed_byte_of_what_is_signed_breaks_a_webhook(place in 0_usize..16, change in 1_u8..=255) {
        let text = include_str!("../../vectors/gateways/adyen-webhooks.json");
        let all: Vec<serde_json::Value> = serde_json::from_str(text).unwrap();
        let body = all.iter().find(|one| one["name"] == "captured").unwrap()["body"].to_string();
        let genuine = shop().read_callback(&callback(&[], body.clone()), &at_account()).unwrap();
        prop_assert!(matches!(&genuine.events[..], [GatewayEvent::Capture(_)]));
        let start = body.find("V4HZ4RBFJGXXGN82").unwrap();
        let mut bytes = body.into_bytes();
        *bytes.get_mut(start.checked_add(place).unwrap()).unwrap() ^= change;
        prop_assert_eq!(shop().read_callback(&callback(&[], bytes), &at_account()), None);
    }

    #[test]
    fn texts_of_adyen_are_stored_as_one_bounded_line(text in any::<String>()) {
        let members = [("refusalReason", serde_json::json!(text)), ("refusalReasonCode", serde_json::json!(text))];
        let answer = super::changed("refused", &members);
        let Opened::Reported(report) = converse(shop().open(&saved()), &[answer]).1 else { panic!() };
        prop_assert_eq!(report.outcome, Outcome::Declined);
        for text in report.message.iter().chain(report.params.values()) {
            prop_assert!((1..=255).contains(&text.chars().count()));
            prop_assert!(!text.contains(char::is_control));
        }
    }
}

//! What holds for every flexible method: only what its gateway clearly says shows it.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use checkout_core::gateway::ConnectorKind;
use checkout_core::gateway::connector::Declaration;
use checkout_core::gateway::credentials::Credentials;
use checkout_core::gateway::exchange::Incoming;
use checkout_core::gateway::flexible::{HiddenReason, Offer, OfferOrder};
use checkout_core::gateway::step::Step;
use checkout_core::testing::gateway::order;

/// The answers that say nothing, whatever the protocol.
const UNREADABLE: [(u16, &[u8]); 9] = [
    (200, b""),
    (200, b"<html>"),
    (200, b"null"),
    (200, b"[]"),
    (200, b"{}"),
    (200, b"{\"status\":7}"),
    (200, b"\xff\xfe"),
    (500, b"{}"),
    (302, b""),
];

fn asked_first() -> impl Iterator<Item = &'static Declaration> {
    let all = ConnectorKind::WORDS.iter().map(|word| ConnectorKind::parse(word).unwrap().declaration());
    all.filter(|declaration| {
        declaration.capabilities.flexible.is_some_and(|flexible| flexible.asks_first)
            && declaration.connect.is_some()
    })
}

fn offer_order() -> OfferOrder {
    let order = order("10.250", "KWD");
    OfferOrder {
        total: order.total,
        payer: order.payer,
        items: order.items,
        language: order.language,
        country: order.country,
        order_no: order.order_no,
    }
}

#[test]
fn what_cannot_be_read_hides_the_method_and_no_question_moves_money() {
    for declaration in asked_first() {
        let values = declaration.credentials.iter().map(|field| (field.name, "x".repeat(16))).collect();
        let connector = declaration.connect.unwrap()(Credentials { endpoint: None, is_test: true, values });
        let flow = declaration.capabilities.flexible.unwrap().flow;
        for (status, body) in UNREADABLE {
            let order = offer_order();
            let mut step = connector.offers(&order);
            let offer = loop {
                match step {
                    Step::Done(offer) => break offer,
                    Step::Ask(call) => {
                        assert!(!call.moves_money, "{flow}");
                        let answer = Incoming {
                            status,
                            headers: Vec::new(),
                            query: String::new(),
                            body: body.to_vec(),
                        };
                        step = call.read(&answer);
                    }
                }
            };
            assert_eq!(offer, Offer::Hidden(HiddenReason::NoAnswer), "{flow}: {status} {body:?}");
        }
    }
}

#[test]
fn the_word_of_a_flow_is_one_that_sdks_can_match() {
    for kind in ConnectorKind::ALL {
        let Some(flexible) = kind.declaration().capabilities.flexible else { continue };
        assert!(flexible.flow.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{flexible:?}");
        assert!(!["redirect", "apple_pay", "google_pay"].contains(&flexible.flow), "{flexible:?}");
    }
}

//! Only what a connector declares reaches its gateway.

use super::*;

#[test]
fn only_the_declared_wallets_reach_the_gateway() {
    for (word, declaration, connector) in online() {
        for kind in WALLETS {
            let is_declared = declaration.capabilities.wallets.contains(&kind);
            assert_eq!(is_refused(connector.open(&with_wallet(kind))), !is_declared, "{word} {kind:?}");
        }
    }
}

#[test]
fn only_a_declared_use_of_a_saved_card_reaches_the_gateway() {
    for (word, declaration, connector) in online() {
        let able = &declaration.capabilities;
        for (order, is_declared, what) in [
            (
                saved_card(word, ChargeInitiator::Payer),
                able.charges_saved_cards,
                "the payer charges a saved card",
            ),
            (saved_card(word, ChargeInitiator::Merchant), able.debits_saved_cards, "the merchant does"),
            (verification(), able.verifies_cards, "a card is confirmed"),
        ] {
            assert_eq!(is_refused(connector.open(&order)), !is_declared, "{word}: {what}");
        }
    }
}

#[test]
fn a_session_of_apple_pay_is_refused_at_once_where_there_is_none() {
    for (word, declaration, connector) in online() {
        let order = session_order();
        let is_refused = matches!(connector.start_session(&order).done(), Some(SessionAnswer::Refused(_)));
        assert_eq!(is_refused, !declaration.capabilities.starts_apple_sessions, "{word}");
    }
}

#[test]
fn only_the_declared_operations_reach_the_gateway() {
    for (word, declaration, connector) in online() {
        for kind in OPERATIONS {
            let order = operation_order(charge("10.250", "KWD"), kind, "10.250");
            let is_declared = declaration.capabilities.operations.contains(&kind);
            let step = connector.operate(&order);
            assert!(is_declared || step.done().is_some(), "{word} {kind:?}");
        }
    }
}

#[test]
fn a_gateway_that_withdraws_nothing_is_only_asked_for_the_outcome() {
    for (word, declaration, connector) in online() {
        if !declaration.capabilities.withdraws {
            let charge = charge("10.250", "KWD");
            let inquiry = format!("{:?}", request_of(connector.inquire(&charge, None)));
            assert_eq!(format!("{:?}", request_of(connector.withdraw(&charge))), inquiry, "{word}");
        }
    }
}

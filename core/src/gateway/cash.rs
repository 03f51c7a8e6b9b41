//! Cash on delivery: there is no gateway to call.

use super::capabilities::Capabilities;
use super::connector::Declaration;
use super::icon::Icon;
use crate::words::Operation;

/// Cash has no protocol: the merchant collects the money, says so, and gives it back by hand.
pub const DECLARATION: Declaration = Declaration {
    capabilities: Capabilities {
        is_online: false,
        payments: &[Operation::Purchase, Operation::Authorize],
        currencies: &[],
        saves_cards: false,
        verifies_cards: false,
        charges_saved_cards: false,
        debits_saved_cards: false,
        wallets: &[],
        starts_apple_sessions: false,
        operations: &[],
        usual_operations: &[],
        captures_parts: false,
        captures_once: false,
        refunds_parts: false,
        withdraws: false,
        forgets_unpaid: false,
        lists_charges: false,
        page_hosts: &[],
        receipt: &[],
        icon: Icon::Cash,
    },
    credentials: &[],
    needs_endpoint: false,
    connect: None,
};

//! A connector that is left out of the build: its gateways stay in stored settings, and cannot be asked.

use super::capabilities::Capabilities;
use super::connector::Declaration;
use super::icon::Icon;

/// Nothing is possible, and nothing is in cash.
pub const DECLARATION: Declaration = Declaration {
    capabilities: Capabilities {
        is_online: true,
        payments: &[],
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
        icon: Icon::Card,
    },
    credentials: &[],
    needs_endpoint: false,
    connect: None,
};

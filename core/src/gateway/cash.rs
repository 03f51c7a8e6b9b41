//! Cash on delivery: there is no gateway to call.

use super::capabilities::Capabilities;
use super::connector::Declaration;
use super::icon::Icon;
use crate::value::money::totals::Totals;
use crate::words::Operation;

/// Cash has no protocol: the merchant collects the money, says so, and gives it back by hand.
pub const DECLARATION: Declaration = Declaration {
    capabilities: Capabilities {
        is_online: false,
        payments: &[Operation::Purchase, Operation::Authorize],
        icon: Icon::Cash,
        ..Capabilities::NONE
    },
    totals: |_| Totals::ALL,
    credentials: &[],
    needs_endpoint: false,
    longest_reference: usize::MAX,
    codes_without_reason: &[],
    connect: None,
};

//! What is around every screen.

use alloc::string::String;
use alloc::vec::Vec;

use super::route::DeskRoute;
use crate::access::Caller;
use crate::access::granting::{self, MissingPermissions};
use crate::strings::desk::DeskWords;

/// One entry of the navigation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NavigationEntry {
    /// Where it leads.
    pub path: String,
    /// What it is called.
    pub label: &'static str,
}

/// The entries of the navigation in their order, each with its words.
fn entries(words: &'static DeskWords) -> Vec<(DeskRoute, &'static str)> {
    Vec::from([
        (DeskRoute::Home, words.navigation.home),
        (DeskRoute::Payments, words.navigation.payments),
        (DeskRoute::Totals, words.navigation.totals),
        (DeskRoute::NewPayment, words.navigation.new_payment),
        (DeskRoute::Approvals, words.navigation.approvals),
        (DeskRoute::Attention, words.attention.title),
        (DeskRoute::Customers, words.navigation.customers),
        (DeskRoute::Deliveries, words.navigation.deliveries),
        (DeskRoute::Webhooks, words.navigation.webhooks),
        (DeskRoute::Me, words.navigation.me),
    ])
}

/// The navigation of a caller: where the caller may go.
#[must_use]
pub fn navigation(caller: &Caller, words: &'static DeskWords) -> Vec<NavigationEntry> {
    let may_go = |(route, _): &(DeskRoute, &str)| missing(caller, route).is_none();
    let entries = entries(words).into_iter().filter(may_go);
    entries.map(|(route, label)| NavigationEntry { path: route.path(), label }).collect()
}

/// What a caller lacks to go to an address; `None` if the caller may.
#[must_use]
pub fn missing(caller: &Caller, route: &DeskRoute) -> Option<MissingPermissions> {
    granting::missing(caller, route.facts().access.action()?)
}

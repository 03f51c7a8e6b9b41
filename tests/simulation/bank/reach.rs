//! What a run saw of each protocol: how its charges and operations ended, and what went wrong meanwhile.

use std::collections::BTreeMap;

use checkout_core::gateway::exchange::Outgoing;
use checkout_core::value::id::PgCode;
use sandbox_bank::request::Command;
use serde_json::Value;

use super::{Bank, Rail};
use crate::weather::Fate;

/// The protocol of the simulated bank.
const SANDBOX: &str = "sandbox";

impl Rail {
    /// The word of its protocol.
    fn name(&self) -> String {
        let settings = self.gateway.settings();
        settings.get("connector").and_then(Value::as_str).unwrap().to_owned()
    }
}

impl Bank {
    /// Notes that something happened to a charge or an operation.
    pub(super) fn reach(&self, reference: &str, what: &str) {
        self.count(self.rail_of(reference), what);
    }

    fn count(&self, rail: Option<&Rail>, what: &str) {
        let name = rail.map_or_else(|| SANDBOX.to_owned(), Rail::name);
        let mut reached = self.reached.borrow_mut();
        let known = reached.entry(format!("{name} {what}")).or_default();
        *known = known.saturating_add(1);
    }

    /// Notes that what a request did is not known to its sender.
    pub(super) fn note_lost(&self, request: &Outgoing, fate: Fate) {
        let is_lost = matches!(
            fate,
            Fate::LostAfter | Fate::Delayed | Fate::BrokenAfter | Fate::Garbled | Fate::ChargedAndLost
        );
        let rail = self.rail_at(&request.url);
        let moves_money = match rail {
            Some(rail) => rail.gateway.is_opening(request) || rail.gateway.is_operation(request),
            None => self.books.bank().read(request).is_ok_and(|asked| {
                matches!(asked.command, Command::Open(_) | Command::Operate { .. } | Command::Cancel { .. })
            }),
        };
        if is_lost && moves_money {
            self.count(rail, "lost answer");
        }
    }

    /// What happened: how many charges and operations of each protocol ended in which way, and what was noted.
    /// `unknown` has the method of each attempt whose outcome was not known for a while.
    pub(crate) fn tally(&self, unknown: &[PgCode]) -> BTreeMap<String, u32> {
        for code in unknown {
            self.count(self.rails.iter().find(|rail| rail.code == code.as_str()), "unknown");
        }
        for rail in &self.rails {
            for entry in rail.gateway.ledger().charges().into_values() {
                self.count(Some(rail), "payments");
                self.count(Some(rail), entry.status.as_str());
                if !entry.card.is_null() {
                    self.count(Some(rail), "saved card");
                }
                if entry.has_lapsed {
                    self.count(Some(rail), "lapsed");
                }
            }
            for one in rail.gateway.ledger().moves().into_values() {
                self.count(Some(rail), &format!("{} {}", one.kind.as_str(), one.status.as_str()));
            }
        }
        for charge in self.books.charges().into_values() {
            self.count(None, "payments");
            self.count(None, charge.status.as_str());
        }
        for one in self.books.operations().into_values() {
            self.count(None, &format!("{} {}", one.terms.operation.as_str(), one.status.as_str()));
        }
        self.reached.take()
    }
}

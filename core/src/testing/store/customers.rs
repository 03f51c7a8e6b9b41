//! What is known of customers, in memory.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::{MemoryStore, Rows, first};
use crate::port::{CustomerSearch, Customers, GivenConsent, ListedMessage, PortError};
use crate::value::id::SessionId;

impl Rows {
    /// The newest transactions of a customer.
    fn of_customer(&self, search: CustomerSearch<'_>) -> BTreeSet<SessionId> {
        let own = self.transactions.values().filter(|one| {
            one.merchant == *search.merchant
                && one.details.customer_id.as_deref() == Some(search.customer_id)
                && !self.hidden.contains(&one.session_id)
        });
        let keyed =
            own.map(|one| (Reverse((one.created_at, one.session_id.clone())), one.session_id.clone()));
        first(keyed, search.transactions).into_iter().collect()
    }
}

impl Customers for MemoryStore {
    async fn messages_to(&self, search: CustomerSearch<'_>) -> Result<Vec<ListedMessage>, PortError> {
        let rows = self.rows.borrow();
        let of_customer = rows.of_customer(search);
        let listed = rows.deliveries.values().filter_map(|row| rows.listed(row));
        let own = listed.filter(|listed| of_customer.contains(&listed.session_id));
        let keyed =
            own.map(|listed| (Reverse((listed.created_at, listed.sent.id.as_str().to_owned())), listed));
        Ok(first(keyed, search.limit))
    }

    async fn consents_of(&self, search: CustomerSearch<'_>) -> Result<Vec<GivenConsent>, PortError> {
        let rows = self.rows.borrow();
        let of_customer = rows.of_customer(search);
        let own = rows.consents.iter().filter(|(session_id, _)| of_customer.contains(session_id));
        let keyed = own.map(|(session_id, consent)| {
            let attempt = rows.attempts.get(&consent.reference);
            let given = GivenConsent {
                consent: consent.clone(),
                session_id: session_id.clone(),
                card: attempt.and_then(|attempt| attempt.card.token().cloned()),
            };
            (Reverse((consent.at, consent.reference.clone())), given)
        });
        Ok(first(keyed, search.limit))
    }
}

//! Which webhooks a plugin's transactions cause.

use alloc::vec::Vec;

use crate::state::State;
use crate::words::word_list;

word_list! {
    /// What a webhook is about.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum About {
        /// A payment.
        Payment = "payment",
        /// A payment that saved or charged a saved card.
        Card = "card",
        /// A capture, refund or void.
        Operation = "operation",
    }
}

/// Which webhooks are caused, wherever they go. A webhook that a request asks for is sent in any case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookFilter {
    /// Whether there are any.
    pub is_enabled: bool,
    /// Whether there are any for transactions that were created through the API, as every one is.
    pub of_api: bool,
    /// About what; empty for everything.
    pub events: Vec<About>,
    /// In which states of the transaction a payment is notified; empty for each.
    pub states: Vec<State>,
}

impl Default for WebhookFilter {
    fn default() -> Self {
        Self { is_enabled: true, of_api: true, events: Vec::new(), states: Vec::new() }
    }
}

impl WebhookFilter {
    /// Whether a payment whose transaction is in this state is notified.
    #[must_use]
    pub(crate) fn takes_payment(&self, about: About, state: State) -> bool {
        self.takes(about) && (self.states.is_empty() || self.states.contains(&state))
    }

    /// Whether an operation is notified.
    #[must_use]
    pub(crate) fn takes_operation(&self) -> bool {
        self.takes(About::Operation)
    }

    fn takes(&self, about: About) -> bool {
        self.is_enabled && self.of_api && (self.events.is_empty() || self.events.contains(&about))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_notified_unless_the_settings_say_otherwise() {
        let usual = WebhookFilter::default();
        assert!(usual.takes_operation());
        assert!(State::ALL.into_iter().all(|state| usual.takes_payment(About::Payment, state)));
        assert!(State::ALL.into_iter().all(|state| usual.takes_payment(About::Card, state)));
    }

    #[test]
    fn a_switch_that_is_off_stops_every_webhook() {
        for off in [
            WebhookFilter { is_enabled: false, ..WebhookFilter::default() },
            WebhookFilter { of_api: false, ..WebhookFilter::default() },
        ] {
            assert!(!off.takes_operation());
            assert!(!off.takes_payment(About::Payment, State::Paid));
        }
    }

    #[test]
    fn states_narrow_payments_and_events_narrow_both() {
        let paid = WebhookFilter { states: [State::Paid].into(), ..WebhookFilter::default() };
        assert!(paid.takes_payment(About::Payment, State::Paid) && paid.takes_operation());
        assert!(!paid.takes_payment(About::Payment, State::Attempted));
        let cards = WebhookFilter { events: [About::Card].into(), ..WebhookFilter::default() };
        assert!(cards.takes_payment(About::Card, State::Paid) && !cards.takes_operation());
        assert!(!cards.takes_payment(About::Payment, State::Paid));
    }
}

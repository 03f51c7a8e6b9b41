//! Reads Checkout Sessions: the page, and the intent behind it.

use alloc::string::{String, ToString};

use super::amount;
use super::intent::{CardFacts, Expandable, Intent, Marks, SavedAs, expandable, id_of};
use super::raw::raw_of;
use super::request::id;
use super::words::IntentStatus;
use crate::gateway::charge::{ChargeOperation, Outcome, PgParams, Report};
use crate::gateway::text::{page_address, params};
use crate::value::money::Money;
use crate::wire::object::Object;
use crate::words::word_list;

/// The address of Checkout Sessions.
pub(super) const PATH: &str = "/v1/checkout/sessions";
/// How their ids begin.
pub(super) const PREFIX: &str = "cs_";
/// What is asked for in full with a session, as a query.
pub(super) const EXPANDED: &str =
    "expand[]=payment_intent.latest_charge&expand[]=setup_intent.payment_method";
/// The same, as the values of the field `expand[]`.
pub(super) const EXPAND: [&str; 2] = ["payment_intent.latest_charge", "setup_intent.payment_method"];

/// A session. Members that decide an outcome are required.
pub(super) struct CheckoutSession {
    pub(super) id: String,
    reference: Option<String>,
    /// `None` for a word that is not known, as `mode`.
    status: Option<SessionStatus>,
    mode: Option<SessionMode>,
    amount: Option<i64>,
    currency: Option<String>,
    url: Option<String>,
    pub(super) intent: Option<Expandable<Intent>>,
    setup: Option<Setup>,
}

word_list! {
    /// How the page of a session is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum SessionStatus {
        /// The payer may be there.
        Open = "open",
        /// It was closed.
        Expired = "expired",
        /// The payer is done.
        Complete = "complete",
    }
}

word_list! {
    /// What the payer does at the page.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum SessionMode {
        /// Confirms a card.
        Setup = "setup",
        /// Pays.
        Payment = "payment",
    }
}

/// A `SetupIntent`: a card that is confirmed without an amount.
struct Setup {
    is_done: bool,
    reference: Option<String>,
    card: Option<CardFacts>,
    saved: SavedAs,
}

impl Setup {
    fn read(setup: &mut Object<'_>) -> Self {
        let method = expandable(setup, "payment_method", |method| {
            let holder = method.object("billing_details", |details| details.optional_text("name")).flatten();
            let card = method.object("card", CardFacts::read).map(|card| card.held_by(holder));
            (method.text("id"), card)
        });
        let (method, card) = match method {
            Some(Expandable::Full((id, card))) => (Some(id), card),
            Some(Expandable::Id(id)) => (Some(id), None),
            None => (None, None),
        };
        let customer = id_of(setup, "customer");
        Self {
            is_done: IntentStatus::parse(&setup.text("status")) == Some(IntentStatus::Succeeded),
            reference: Marks::read(setup).charge,
            card,
            saved: SavedAs { customer, method, is_saved: true },
        }
    }
}

impl CheckoutSession {
    /// The session in a body; `None` if a member is missing or of another type, or the body is another object.
    pub(super) fn parse(body: &[u8]) -> Option<Self> {
        Object::read(body, |object| {
            let is_session = object.text("object") == "checkout.session";
            is_session.then(|| Self::read(object))
        })?
    }

    pub(super) fn read(session: &mut Object<'_>) -> Self {
        let customer = id_of(session, "customer");
        let intent = match expandable(session, "payment_intent", Intent::read) {
            Some(Expandable::Full(intent)) => Some(Expandable::Full(intent.with_customer(customer.clone()))),
            other => other,
        };
        let setup = match expandable(session, "setup_intent", Setup::read) {
            Some(Expandable::Full(mut setup)) => {
                setup.saved.customer = setup.saved.customer.or(customer);
                Some(setup)
            }
            Some(Expandable::Id(_)) | None => None,
        };
        Self {
            id: session.text("id"),
            reference: session.optional_text("client_reference_id"),
            status: SessionStatus::parse(&session.text("status")),
            mode: SessionMode::parse(&session.text("mode")),
            amount: session.number("amount_total"),
            currency: session.optional_text("currency"),
            url: session.optional_text("url"),
            intent,
            setup,
        }
    }

    /// What the payer pays on the page; `None` on a page that only confirms a card.
    fn total(&self) -> Option<Money> {
        amount::read(self.amount?, self.currency.as_deref()?)
    }

    /// Whether nothing can have been taken or saved: the page never got so far.
    pub(super) fn is_untouched(&self) -> bool {
        self.intent.is_none() && self.setup.is_none()
    }

    /// What a session says. `expected` is `None` if it is not known what was asked for.
    pub(super) fn report(&self, expected: Option<ChargeOperation>, body: &[u8]) -> Report {
        let is_setup = self.mode == Some(SessionMode::Setup);
        let expects_setup = expected.map_or(is_setup, |expected| expected == ChargeOperation::Verify);
        let is_readable = self.reference.is_some() && (is_setup || self.total().is_some());
        if self.mode.is_none() || !is_readable || expects_setup != is_setup {
            return self.reported(Outcome::Unknown, body);
        }
        match self.status {
            Some(SessionStatus::Open) => {
                let page_url = self.url.as_deref().and_then(page_address);
                let outcome = page_url.map_or(Outcome::Unknown, |page_url| Outcome::Open { page_url });
                self.reported(outcome, body)
            }
            Some(SessionStatus::Expired) => self.report_expired(body),
            Some(SessionStatus::Complete) => self.report_complete(expected, body),
            None => self.reported(Outcome::Unknown, body),
        }
    }

    /// A page that is closed was not paid, unless its intent says otherwise.
    fn report_expired(&self, body: &[u8]) -> Report {
        let is_idle = match &self.intent {
            None => true,
            Some(Expandable::Full(intent)) => intent.status.is_some_and(IntentStatus::is_idle),
            Some(Expandable::Id(_)) => false,
        };
        let is_saved = self.setup.as_ref().is_some_and(|setup| setup.is_done);
        self.reported(if is_idle && !is_saved { Outcome::Canceled } else { Outcome::Unknown }, body)
    }

    fn report_complete(&self, expected: Option<ChargeOperation>, body: &[u8]) -> Report {
        let same = |reference: &Option<String>| *reference == self.reference;
        match (&self.intent, &self.setup, expected) {
            (Some(Expandable::Full(intent)), None, Some(expected)) if same(&intent.marks.charge) => {
                let report = intent.report_after_page(expected, body);
                // The id of the page leads to the intent, and to what the payer does on it: it is replaced once that is
                // over.
                if matches!(report.outcome, Outcome::Approved | Outcome::Declined) {
                    report
                } else {
                    Report { gateway_id: self.gateway_id(), ..report }
                }
            }
            (None, Some(setup), _) if same(&setup.reference) && setup.is_done => {
                let mut report = self.reported(Outcome::Approved, body);
                if let Some(card) = &setup.card {
                    card.add(&mut report.params);
                    report.card = card.saved(&setup.saved);
                }
                report
            }
            _ => self.reported(Outcome::Unknown, body),
        }
    }

    fn gateway_id(&self) -> Option<String> {
        id(&self.id, PREFIX).map(ToString::to_string)
    }

    fn reported(&self, outcome: Outcome, body: &[u8]) -> Report {
        Report {
            reference: self.reference.clone().unwrap_or_default(),
            total: self.total(),
            message: None,
            gateway_id: self.gateway_id(),
            params: self.params(&outcome),
            raw: raw_of(body),
            card: None,
            outcome,
        }
    }

    fn params(&self, outcome: &Outcome) -> PgParams {
        let result = match outcome {
            Outcome::Approved => Some("APPROVED"),
            Outcome::Canceled => Some("CANCELED"),
            Outcome::Declined | Outcome::Open { .. } | Outcome::Absent | Outcome::Unknown => None,
        };
        params(&[
            ("payment_id", Some(self.id.as_str())),
            ("result", result),
            ("track_id", self.reference.as_deref()),
        ])
    }
}

//! The connector of KNET, the debit network of Kuwait, by its raw hosted page (`docs/gateway-knet.md`).
//!
//! The payer is sent to KNET's page with an encrypted order in the address, so nothing is sent to open a charge. Inquiries
//! and refunds are XML fragments from server to server.
//!
//! It decides what can be believed. The encryption has no signature: it can be garbled without the key, and a payer whose
//! browser carries an answer can change it. So KNET's own report never says that money was taken: it is the occasion to
//! ask. Only a complete answer to an inquiry says so.

mod answer;
mod callback;
mod cipher;
mod decline;
mod fields;
mod names;
mod request;

use alloc::boxed::Box;
use alloc::string::ToString;

use self::cipher::Cipher;
use self::names::CURRENCY;
pub use self::names::{INQUIRY_ROOT, LANGUAGE_AR, LANGUAGE_EN, PASSWORD, RESOURCE_KEY, TRANPORTAL_ID};
use super::callback::{Callback, CallbackContext};
use super::capabilities::Capabilities;
use super::charge::{ChargeRef, Opened, Order, Outcome, PgParams, Report};
use super::check::Checked;
use super::connector::{Connector, Declaration};
use super::credentials::{CredentialField, Credentials};
use super::exchange::{Incoming, Returned};
use super::icon::Icon;
use super::operation::{OperationOrder, OperationOutcome, OperationRef, OperationReport};
use super::step::Step;
use super::text::{page_address, params};
use crate::value::money::totals::Totals;
use crate::value::shape::TextShape;
use crate::words::{ChildOperation, Operation};

/// What KNET can do, and what it needs.
pub const DECLARATION: Declaration = Declaration {
    capabilities: Capabilities {
        payments: &[Operation::Purchase],
        currencies: &[CURRENCY],
        operations: &[ChildOperation::Refund],
        refunds_parts: true,
        knows_only_paid: true,
        page_hosts: &[
            "https://kpay.com.kw",
            "https://www.kpay.com.kw",
            "https://kpaytest.com.kw",
            "https://www.kpaytest.com.kw",
        ],
        receipt: &["result", "payment_id", "track_id", "ref", "transaction_id", "auth_code", "post_date"],
        icon: Icon::Bank,
        ..Capabilities::NONE
    },
    totals: |currency| if currency.code() == CURRENCY { Totals::ALL } else { Totals::NONE },
    credentials: &[
        CredentialField::public(
            TRANPORTAL_ID,
            "the tranportal id of the terminal",
            TextShape::Alphanumeric { min: 1, max: 32 },
        ),
        CredentialField::secret(
            PASSWORD,
            "the tranportal password of the terminal",
            TextShape::Line { max: 64 },
        ),
        CredentialField::secret(
            RESOURCE_KEY,
            "the terminal resource key, which encrypts orders and answers",
            TextShape::Alphanumeric { min: 16, max: 16 },
        ),
        CredentialField::public(
            LANGUAGE_EN,
            "how the terminal writes English, EN if absent",
            TextShape::Alphanumeric { min: 2, max: 3 },
        )
        .optional(),
        CredentialField::public(
            LANGUAGE_AR,
            "how the terminal writes Arabic, AR if absent",
            TextShape::Alphanumeric { min: 2, max: 3 },
        )
        .optional(),
        CredentialField::public(
            INQUIRY_ROOT,
            "the element around inquiries and refunds, none if absent",
            TextShape::Word(&["none", "request"]),
        )
        .optional(),
    ],
    needs_endpoint: false,
    // The track id.
    longest_reference: 40,
    codes_without_reason: &[],
    connect: Some(|credentials| Box::new(Knet::new(credentials))),
};

/// Implements the protocol of KNET for one terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Knet {
    credentials: Credentials,
}

impl Knet {
    /// A connector with these credentials.
    #[must_use]
    pub fn new(credentials: Credentials) -> Self {
        Self { credentials }
    }

    fn cipher(&self) -> Option<Cipher> {
        Cipher::of(self.credentials.get(RESOURCE_KEY))
    }
}

impl Connector for Knet {
    /// Nothing is sent: KNET learns of the charge by the address to which the payer is sent.
    fn open<'c>(&'c self, order: &'c Order) -> Step<'c, Opened> {
        let page = request::page(&self.credentials, self.cipher(), order)
            .and_then(|page| page_address(&page).ok_or("the address of KNET's page is invalid or too long"));
        let reference = order.reference.as_str();
        Step::Done(match page {
            Ok(page_url) => Opened::Reported(Report {
                total: Some(order.total),
                params: params(&[("track_id", Some(reference))]),
                ..Report::bare(reference, Outcome::Open { page_url })
            }),
            Err(reason) => Opened::Refused { message: Some(reason.to_string()) },
        })
    }

    /// What the browser brings back is not signed, and nothing of it is needed: KNET is asked by our reference.
    /// KNET sends a payer who did not pay back with an error, and may not know the charge then: nothing was paid.
    fn inquire<'c>(&'c self, charge: &'c ChargeRef, returned: Option<&'c Returned>) -> Step<'c, Report> {
        let has_error =
            |name| returned.and_then(|returned| returned.field(name)).is_some_and(|text| !text.is_empty());
        let gave_up = has_error("Error") || has_error("ErrorText");
        Step::ask(request::inquiry(&self.credentials, charge), move |answer| {
            match answer::read_charge(charge, answer) {
                report if gave_up && report.outcome == Outcome::Absent => {
                    Report { outcome: Outcome::Canceled, ..report }
                }
                report => report,
            }
        })
    }

    fn operate<'c>(&'c self, order: &'c OperationOrder) -> Step<'c, OperationReport> {
        let is_possible =
            order.operation == ChildOperation::Refund && order.amount.currency().code() == CURRENCY;
        if !is_possible {
            return Step::Done(OperationReport {
                message: Some("KNET gives back money in KWD, and does nothing else".to_string()),
                ..OperationReport::bare(order.reference.as_str(), OperationOutcome::Refused)
            });
        }
        Step::act(request::refund(&self.credentials, order), |answer| answer::read_refund(order, answer))
    }

    /// A refund has no reference of its own at KNET: the inquiry by the track id finds the purchase, whether or not money
    /// was given back. So an interrupted refund stays unknown until a person has looked.
    fn inquire_operation<'c>(&'c self, operation: &'c OperationRef) -> Step<'c, OperationReport> {
        Step::Done(OperationReport {
            params: PgParams::new(),
            ..OperationReport::bare(operation.reference.as_str(), OperationOutcome::Unknown)
        })
    }

    fn read_callback(&self, request: &Incoming, context: &CallbackContext) -> Option<Callback> {
        callback::read(self.cipher().as_ref(), request, context)
    }

    /// An inquiry about a track id that no charge has: KNET reads the password before it looks.
    fn check(&self) -> Step<'_, Checked> {
        Step::ask(request::probe(&self.credentials), answer::read_check)
    }
}

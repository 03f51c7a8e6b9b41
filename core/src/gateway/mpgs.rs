//! The connector of Mastercard Gateway (MPGS): its REST interface with JSON, versions 72 to 100 (`docs/gateway-mpgs.md`).
//!
//! The order's id is our reference, and so are the ids of the transactions that we begin: the gateway does a request with
//! a known id only once, and after a broken connection the order says what became of it. A session of the gateway's page
//! moves nothing by itself. The page lets the payer try again, so an order that failed is the end only after the payer
//! left the page, or after the page's time.

mod account;
mod agreement;
mod amount;
mod callback;
mod card;
mod decline;
mod judge;
mod listing;
mod message;
mod names;
mod open;
mod operation;
mod raw;
mod read;

use alloc::boxed::Box;
use alloc::string::String;
use core::time::Duration;

use self::account::MpgsAccount;
use self::judge::{AskedCharge, PageState, Presence, bare, report_of};
pub use self::names::{MERCHANT_ID, NOTIFICATION_SECRET, PASSWORD, REPORTING_PASSWORD, VERSION};
use self::read::{MpgsFailure, OrderAnswer, good, is_accepted};
use super::callback::{Callback, CallbackContext};
use super::capabilities::Capabilities;
use super::charge::{ChargeOperation, ChargeRef, Opened, Order, Outcome, Report};
use super::check::Checked;
use super::connector::{Connector, Declaration};
use super::credentials::{CredentialField, Credentials};
use super::exchange::{Incoming, Returned};
use super::instrument::{FormOfPayment, Instrument};
use super::listing::{ChargePage, Period};
use super::operation::{AskedOperation, OperationOrder, OperationRef, OperationReport};
use super::step::Step;
use super::text::{line, page_address};
use crate::value::shape::TextShape;
use crate::value::time::Timestamp;
use crate::words::{ChildOperation, Operation, Wallet};

/// What the gateway can do, and what it needs.
pub const DECLARATION: Declaration = Declaration {
    capabilities: Capabilities {
        payments: &[Operation::Purchase, Operation::Authorize],
        saves_cards: true,
        verifies_cards: true,
        charges_saved_cards: true,
        debits_saved_cards: true,
        wallets: &[Wallet::ApplePay, Wallet::GooglePay],
        operations: &[ChildOperation::Capture, ChildOperation::Refund, ChildOperation::Void],
        usual_operations: &[ChildOperation::Capture, ChildOperation::Refund, ChildOperation::Void],
        captures_parts: true,
        refunds_parts: true,
        lists_charges: true,
        longest_order: Some(37),
        ..Capabilities::NONE
    },
    totals: amount::totals,
    credentials: &[
        CredentialField::public(MERCHANT_ID, "the merchant id at the gateway", TextShape::Line { max: 40 }),
        CredentialField::secret(
            PASSWORD,
            "the password of the interface, made in the bank's portal",
            TextShape::Line { max: 128 },
        ),
        CredentialField::secret(
            NOTIFICATION_SECRET,
            "the secret in the header of notifications; without it none is accepted",
            TextShape::Alphanumeric { min: 32, max: 32 },
        )
        .optional(),
        CredentialField::public(
            VERSION,
            "the version of the interface; 100 if it is left out",
            TextShape::Word(VERSIONS),
        )
        .optional(),
        CredentialField::secret(
            REPORTING_PASSWORD,
            "the password for reports; without it payments are compared one by one",
            TextShape::Line { max: 128 },
        )
        .optional(),
    ],
    needs_endpoint: true,
    // The ids of orders and transactions.
    longest_reference: 40,
    codes_without_reason: &[],
    connect: Some(|credentials| Box::new(Mpgs::new(credentials))),
};

/// The versions whose messages this connector writes.
const VERSIONS: &[&str] = &[
    "72", "73", "74", "75", "76", "77", "78", "79", "80", "81", "82", "83", "84", "85", "86", "87", "88",
    "89", "90", "91", "92", "93", "94", "95", "96", "97", "98", "99", "100",
];

/// After what time a page takes no payment any more: twice as long as it waits for the payer, in case that it was
/// opened late.
const PAGE_IS_OVER: Duration = Duration::from_hours(1);
/// What the page adds to the address of the return after a success.
const SUCCESS_FIELD: &str = "resultIndicator";
/// The longest id of a session.
const MAX_SESSION: usize = 64;

/// The protocol for one merchant.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Mpgs {
    account: MpgsAccount,
}

impl Mpgs {
    fn new(credentials: Credentials) -> Self {
        Self { account: MpgsAccount::new(credentials) }
    }

    /// A session that nobody knows the id of cannot be paid, so an answer without one opens nothing.
    fn read_session(&self, order: &Order, answer: &Incoming) -> Opened {
        let Some(session) = session_of(answer) else {
            return Opened::Refused { message: MpgsFailure::of(answer).and_then(|failure| failure.words()) };
        };
        let Some(page_url) = page_address(&self.account.page_url(&session)) else {
            return Opened::Refused { message: line("the address of the gateway makes no page address") };
        };
        let report = bare(&order.reference, Outcome::Open { page_url });
        Opened::Reported(Report { gateway_id: Some(session), ..report })
    }

    /// The address of the page of a charge that has one.
    fn page_of(&self, charge: &ChargeRef) -> Option<String> {
        page_address(&self.account.page_url(open_session(charge)?))
    }

    fn read_order(&self, charge: &ChargeRef, returned: Option<&Returned>, answer: &Incoming) -> Report {
        let presence = presence_of(charge, returned, answer);
        if let Some(found) = OrderAnswer::of_order(answer) {
            let url = self.page_of(charge).filter(|_| presence != Presence::Over);
            return report_of(AskedCharge::of(charge), &found, PageState { presence, url }, &answer.body);
        }
        let is_absent = MpgsFailure::of(answer).is_some_and(|failure| failure.is_absence(answer));
        let outcome = match presence {
            _ if !is_absent => Outcome::Unknown,
            // The gateway makes the order with the first try on the page.
            Presence::There => {
                self.page_of(charge).map_or(Outcome::Absent, |page_url| Outcome::Open { page_url })
            }
            Presence::Gone if returned.is_some_and(|returned| returned.field(SUCCESS_FIELD).is_some()) => {
                Outcome::Unknown
            }
            Presence::Gone if charge.form != FormOfPayment::Redirect => Outcome::Absent,
            Presence::Gone | Presence::Over | Presence::Answer => Outcome::Canceled,
        };
        bare(&charge.reference, outcome)
    }

    /// Saves the card of a page on which the payer paid.
    fn save_card<'c>(&self, charge: &ChargeRef, report: Report) -> Step<'c, Report> {
        let is_own = report.reference == charge.reference.as_str() && report.total == Some(charge.total);
        let is_paid_by_card =
            report.outcome == Outcome::Approved && report.params.contains_key("card_number");
        let session = open_session(charge).filter(|_| charge.saves_card && is_own && is_paid_by_card);
        match session.and_then(|session| card::request(&self.account, session).ok()) {
            None => Step::Done(report),
            Some(request) => {
                let is_charge = charge.operation != ChargeOperation::Verify;
                let with_card =
                    move |answer: &Incoming| Report { card: card::read(answer, &report.params), ..report };
                // Where nothing is charged, the card is the result.
                if is_charge { Step::add(request, with_card) } else { Step::ask(request, with_card) }
            }
        }
    }
}

/// The id of the session in an answer.
fn session_of(answer: &Incoming) -> Option<String> {
    let part = good(answer)?;
    let is_made = part.is_success();
    let session = part.part("session")?.text("id")?;
    (is_made && is_session(&session)).then(|| session.into_owned())
}

fn is_session(id: &str) -> bool {
    id.len() <= MAX_SESSION
        && id.starts_with("SESSION")
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// The session of the page on which a charge is paid. The id of a charge that succeeded is that of its transaction.
fn open_session(charge: &ChargeRef) -> Option<&str> {
    charge.gateway_id.as_deref().filter(|id| is_session(id))
}

/// Whether the payer can still try, by the gateway's clock.
fn presence_of(charge: &ChargeRef, returned: Option<&Returned>, answer: &Incoming) -> Presence {
    if charge.form != FormOfPayment::Redirect {
        return Presence::Gone;
    }
    let date = answer.header("date").and_then(Timestamp::parse_http_date);
    if date.is_some_and(|date| date >= charge.opened_at.plus(PAGE_IS_OVER)) {
        return Presence::Over;
    }
    if returned.is_some() { Presence::Gone } else { Presence::There }
}

/// Whether an outcome says that a charge of which there is no order is over. It does only if the gateway accepts the
/// settings of the account: otherwise its words would be those for a wrong question.
fn ends_without_order(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Absent | Outcome::Canceled)
}

/// The answer to a payment with a saved card or a wallet.
fn read_paid(order: &Order, answer: &Incoming) -> Opened {
    if let Some(failure) = MpgsFailure::of(answer) {
        return Opened::Refused { message: failure.words() };
    }
    let asked = AskedCharge { total: order.total, operation: order.operation };
    Opened::Reported(match OrderAnswer::of_transaction(answer) {
        Some(found) => {
            let page = PageState { presence: Presence::Answer, url: None };
            report_of(asked, &found, page, &answer.body)
        }
        None => bare(&order.reference, Outcome::Unknown),
    })
}

impl Connector for Mpgs {
    fn open<'c>(&'c self, order: &'c Order) -> Step<'c, Opened> {
        let request = match (&order.card, &order.instrument) {
            (Some(card), _) => open::saved_card(&self.account, order, card),
            (None, Instrument::Wallet(wallet, payload)) => {
                open::wallet(&self.account, order, *wallet, payload)
            }
            (None, Instrument::Page) => open::session(&self.account, order),
        };
        let is_page = order.card.is_none() && matches!(order.instrument, Instrument::Page);
        match request {
            Ok(request) if is_page => Step::ask(request, |answer| self.read_session(order, answer)),
            Ok(request) => Step::act(request, |answer| read_paid(order, answer)),
            Err(missing) => Step::Done(Opened::Refused { message: line(missing) }),
        }
    }

    fn inquire<'c>(&'c self, charge: &'c ChargeRef, returned: Option<&'c Returned>) -> Step<'c, Report> {
        Step::ask_first(self.account.get_order(charge.reference.as_str()), move |answer| {
            let report = self.read_order(charge, returned, answer);
            if MpgsFailure::of(answer).is_some() && ends_without_order(&report.outcome) {
                return Step::ask(self.account.get_options(), move |answer| {
                    if is_accepted(answer) { report } else { bare(&charge.reference, Outcome::Unknown) }
                });
            }
            self.save_card(charge, report)
        })
    }

    fn operate<'c>(&'c self, order: &'c OperationOrder) -> Step<'c, OperationReport> {
        operation::operate(&self.account, order)
    }

    fn inquire_operation<'c>(&'c self, operation: &'c OperationRef) -> Step<'c, OperationReport> {
        operation::inquire(&self.account, AskedOperation::before(operation))
    }

    fn read_callback(&self, request: &Incoming, context: &CallbackContext) -> Option<Callback> {
        callback::read(request, context, self.account.notification_secret())
    }

    fn list_charges<'c>(
        &'c self,
        period: Period,
        cursor: Option<&'c str>,
    ) -> Option<Step<'c, Option<ChargePage>>> {
        let Some(slice) = listing::slice(period, cursor) else { return Some(Step::Done(None)) };
        let request = self.account.get_report(&listing::query(slice))?;
        Some(Step::ask(request, move |answer| {
            (answer.status == 200).then(|| listing::read(&answer.body, slice, period)).flatten()
        }))
    }

    fn check(&self) -> Step<'_, Checked> {
        Step::ask(self.account.get_options(), |answer| match (is_accepted(answer), MpgsFailure::of(answer)) {
            (true, _) => Checked::Accepted,
            (_, Some(failure)) if matches!(answer.status, 401 | 403) => Checked::Refused(failure.words()),
            _ => Checked::Unclear,
        })
    }
}

//! Reads the gateway's answers into their parts. What has another shape than expected is absent; it depends on the
//! reader what follows from that.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::decline::Code;
use crate::gateway::exchange::Incoming;
use crate::gateway::text::{is_in_the_clear, line};
use crate::value::money::{Currency, Money};
use crate::wire::json::{items, text_of};
use crate::wire::members::Members;
use crate::words::word_list;

/// The most transactions of an order that are read; an order with more says nothing certain.
const MAX_TRANSACTIONS: usize = 200;

/// An object of an answer.
pub(super) struct AnswerPart<'a>(Members<'a>);

impl<'a> AnswerPart<'a> {
    /// The object in a body.
    pub(super) fn read(body: &'a [u8]) -> Option<Self> {
        Members::read(body).ok().map(Self)
    }

    /// An object within.
    pub(super) fn part(&self, name: &str) -> Option<Self> {
        Members::of(self.0.get(name)?).map(Self)
    }

    /// A text.
    pub(super) fn text(&self, name: &str) -> Option<Cow<'a, str>> {
        text_of(self.0.get(name)?)
    }

    /// A text, or a number as it is written.
    pub(super) fn word(&self, name: &str) -> Option<Cow<'a, str>> {
        let raw = self.0.get(name)?;
        match raw.get().as_bytes() {
            [b'"', ..] => text_of(raw),
            [b'0'..=b'9', ..] => Some(Cow::Borrowed(raw.get())),
            _ => None,
        }
    }

    /// The objects of a list; `None` if it is no list of objects, or is too long.
    fn parts(&self, name: &str) -> Option<Vec<Self>> {
        let items = items(self.0.get(name)?)?;
        if items.len() > MAX_TRANSACTIONS {
            return None;
        }
        items.into_iter().map(|item| Members::of(item).map(Self)).collect()
    }

    /// An amount in a currency, given as a text or as a number.
    pub(super) fn money(&self, name: &str, currency: Option<Currency>) -> Option<Money> {
        Money::parse(&self.word(name)?, currency?).ok()
    }

    /// The currency of the object.
    fn currency(&self) -> Option<Currency> {
        Currency::parse(&self.text("currency")?)
    }

    /// Whether its result is a success.
    pub(super) fn is_success(&self) -> bool {
        self.text("result").is_some_and(|result| TransactionResult::of(&result) == TransactionResult::Success)
    }

    fn line(&self, name: &str) -> Option<String> {
        line(&self.word(name)?)
    }
}

/// What the gateway says about an order.
pub(super) struct OrderState {
    pub(super) id: String,
    /// `None` for a word that is not known.
    pub(super) status: Option<OrderStatus>,
    pub(super) amount: Option<Money>,
    pub(super) authorized: Option<Money>,
    pub(super) captured: Option<Money>,
}

impl OrderState {
    fn of(part: &AnswerPart<'_>) -> Option<Self> {
        let currency = part.currency();
        Some(Self {
            id: part.text("id")?.into_owned(),
            status: OrderStatus::parse(&part.text("status")?),
            amount: part.money("amount", currency),
            authorized: part.money("totalAuthorizedAmount", currency),
            captured: part.money("totalCapturedAmount", currency),
        })
    }
}

/// The result of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TransactionResult {
    Success,
    Failure,
    Pending,
    /// `UNKNOWN`, or a word that is not known here.
    Unclear,
}

impl TransactionResult {
    /// What a word means.
    pub(super) fn of(word: &str) -> Self {
        match word {
            "SUCCESS" => Self::Success,
            "FAILURE" => Self::Failure,
            "PENDING" => Self::Pending,
            _ => Self::Unclear,
        }
    }
}

word_list! {
    /// How an order is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) enum OrderStatus {
        /// Nothing was tried.
        Initiated = "INITIATED",
        /// The payer is being authenticated.
        AuthenticationInitiated = "AUTHENTICATION_INITIATED",
        /// The payer was authenticated.
        Authenticated = "AUTHENTICATED",
        /// The payer needs no authentication.
        AuthenticationNotNeeded = "AUTHENTICATION_NOT_NEEDED",
        /// The payer is not who they should be.
        AuthenticationUnsuccessful = "AUTHENTICATION_UNSUCCESSFUL",
        /// The card was verified.
        Verified = "VERIFIED",
        /// The money is held.
        Authorized = "AUTHORIZED",
        /// A part of what is held was taken.
        PartiallyCaptured = "PARTIALLY_CAPTURED",
        /// The money was taken.
        Captured = "CAPTURED",
        /// A person has to approve a refund.
        RefundRequested = "REFUND_REQUESTED",
        /// A part was refunded.
        PartiallyRefunded = "PARTIALLY_REFUNDED",
        /// It was refunded.
        Refunded = "REFUNDED",
        /// More was refunded than was taken.
        ExcessivelyRefunded = "EXCESSIVELY_REFUNDED",
        /// The payer disputes it.
        Disputed = "DISPUTED",
        /// The payer got the money back from the bank.
        ChargebackProcessed = "CHARGEBACK_PROCESSED",
        /// The merchant has the money.
        Disbursed = "DISBURSED",
        /// It was voided or reversed.
        Canceled = "CANCELLED",
        /// The last try failed.
        Failed = "FAILED",
    }
}

/// What a transaction does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TransactionKind {
    Payment,
    Authorization,
    Capture,
    Verification,
    /// Authenticates the payer, and takes nothing.
    Authentication,
    Refund,
    /// A refund that a person has to approve in the bank's portal.
    RefundRequest,
    /// Undoes what a charge took or held.
    VoidOfCharge,
    /// Undoes something else.
    OtherVoid,
    /// A word that is not known here.
    Other,
}

impl TransactionKind {
    /// What a word means.
    pub(super) fn of(word: &str) -> Self {
        match word {
            "PAYMENT" => Self::Payment,
            "AUTHORIZATION" => Self::Authorization,
            "CAPTURE" => Self::Capture,
            "VERIFICATION" => Self::Verification,
            "AUTHENTICATION" => Self::Authentication,
            "REFUND" => Self::Refund,
            "REFUND_REQUEST" => Self::RefundRequest,
            "VOID_AUTHORIZATION" | "VOID_PAYMENT" | "VOID_CAPTURE" => Self::VoidOfCharge,
            _ if word.starts_with("VOID_") => Self::OtherVoid,
            _ => Self::Other,
        }
    }

    /// Whether it undoes another transaction.
    pub(super) const fn is_void(self) -> bool {
        matches!(self, Self::VoidOfCharge | Self::OtherVoid)
    }
}

/// One transaction of an order.
pub(super) struct OrderTransaction {
    pub(super) id: String,
    pub(super) kind: TransactionKind,
    pub(super) amount: Option<Money>,
    pub(super) result: TransactionResult,
    pub(super) code: Code,
    /// The bank's words, or the code of the gateway.
    pub(super) message: Option<String>,
    pub(super) auth_code: Option<String>,
    pub(super) receipt: Option<String>,
    pub(super) recorded_at: Option<String>,
    /// Whether the gateway's risk rules reject it, so that it is reversed.
    pub(super) is_rejected: bool,
    pub(super) card: CardState,
}

impl OrderTransaction {
    fn of(part: &AnswerPart<'_>) -> Option<Self> {
        let inner = part.part("transaction")?;
        let response = part.part("response");
        let said = |name: &str| response.as_ref().and_then(|response| response.line(name));
        let code = said("gatewayCode");
        let risk = part.part("risk").and_then(|risk| risk.part("response"));
        let risk = risk.and_then(|risk| risk.line("gatewayCode"));
        Some(Self {
            id: inner.text("id")?.into_owned(),
            kind: TransactionKind::of(&inner.text("type")?),
            amount: inner.money("amount", inner.currency()),
            result: TransactionResult::of(&part.text("result")?),
            message: said("acquirerMessage").filter(|words| !is_in_the_clear(words)).or_else(|| code.clone()),
            code: Code(code.unwrap_or_default()),
            auth_code: inner.line("authorizationCode"),
            receipt: inner.line("receipt"),
            recorded_at: part.line("timeOfRecord"),
            is_rejected: risk.as_deref() == Some("REJECTED"),
            card: CardState::of(part),
        })
    }
}

/// What an answer says about the card that was used.
#[derive(Default)]
pub(super) struct CardState {
    pub(super) brand: Option<String>,
    pub(super) number: Option<String>,
    pub(super) month: Option<String>,
    pub(super) year: Option<String>,
}

impl CardState {
    /// The card of an answer that has `sourceOfFunds`.
    pub(super) fn of(part: &AnswerPart<'_>) -> Self {
        let Some(funds) = part.part("sourceOfFunds") else { return Self::default() };
        let kind = funds.line("type").unwrap_or_default();
        if !matches!(kind.as_str(), "CARD" | "SCHEME_TOKEN" | "") {
            return Self { brand: Some(kind), ..Self::default() };
        }
        let Some(card) = funds.part("provided").and_then(|provided| provided.part("card")) else {
            return Self::default();
        };
        let (month, year) = expiry_of(&card);
        Self {
            brand: card.line("brand").or_else(|| card.line("scheme")),
            number: card.line("number"),
            month,
            year,
        }
    }

    fn is_empty(&self) -> bool {
        self.number.is_none() && self.brand.is_none()
    }
}

/// Month and year, two digits each: they come as an object, or as one text of four digits.
fn expiry_of(card: &AnswerPart<'_>) -> (Option<String>, Option<String>) {
    let two = |text: Cow<'_, str>| {
        let is_short = (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        is_short.then(|| format!("{text:0>2}"))
    };
    if let Some(expiry) = card.part("expiry") {
        return (expiry.word("month").and_then(two), expiry.word("year").and_then(two));
    }
    let Some(text) = card.text("expiry").filter(|text| text.len() == 4) else { return (None, None) };
    let halves = text.split_at_checked(2);
    let half = |text: &str| two(Cow::Borrowed(text));
    (halves.and_then(|(month, _)| half(month)), halves.and_then(|(_, year)| half(year)))
}

/// An order with its transactions, oldest first.
pub(super) struct OrderAnswer {
    pub(super) order: OrderState,
    pub(super) transactions: Vec<OrderTransaction>,
}

impl OrderAnswer {
    /// The answer about an order: the order is the object itself, its transactions a list.
    pub(super) fn of_order(answer: &Incoming) -> Option<Self> {
        let part = good(answer)?;
        let order = OrderState::of(&part)?;
        let parts = match part.0.get("transaction") {
            Some(_) => part.parts("transaction")?,
            None => Vec::new(),
        };
        let mut transactions = parts.iter().map(OrderTransaction::of).collect::<Option<Vec<_>>>()?;
        for transaction in &mut transactions {
            if transaction.card.is_empty() {
                transaction.card = CardState::of(&part);
            }
        }
        Some(Self { order, transactions })
    }

    /// The answer about one transaction: the order is within.
    pub(super) fn of_transaction(answer: &Incoming) -> Option<Self> {
        let part = good(answer)?;
        let order = OrderState::of(&part.part("order")?)?;
        Some(Self { order, transactions: alloc::vec![OrderTransaction::of(&part)?] })
    }
}

/// The object of an answer that says that it was processed.
pub(super) fn good(answer: &Incoming) -> Option<AnswerPart<'_>> {
    matches!(answer.status, 200 | 201).then(|| AnswerPart::read(&answer.body))?
}

/// Whether the gateway answers a question about the account.
pub(super) fn is_accepted(answer: &Incoming) -> bool {
    good(answer).is_some_and(|part| part.is_success())
}

/// The gateway's own error answer.
pub(super) struct MpgsFailure {
    cause: String,
    field: Option<String>,
}

impl MpgsFailure {
    /// The error in an answer; `None` for anything else, such as the page of a proxy.
    pub(super) fn of(answer: &Incoming) -> Option<Self> {
        // A time limit, a conflict, a request that came too early and a limit of requests do not say whether the
        // request was carried out.
        if !(400..=499).contains(&answer.status) || matches!(answer.status, 408 | 409 | 425 | 429) {
            return None;
        }
        let part = AnswerPart::read(&answer.body)?;
        let error = part.part("error")?;
        let cause = error.text("cause")?.into_owned();
        // Other causes are those of a server that is busy or failed: it may have carried the request out.
        let is_refusal = matches!(cause.as_str(), "INVALID_REQUEST" | "REQUEST_REJECTED");
        let is_error = part.text("result").as_deref() == Some("ERROR");
        (is_refusal && is_error).then(|| Self { cause, field: error.line("field") })
    }

    /// What an operator needs to know of it. The explanation may repeat what was sent, and is left out.
    pub(super) fn words(&self) -> Option<String> {
        match self.field.as_deref().filter(|field| !is_in_the_clear(field)) {
            Some(field) => line(&format!("{}: {field}", self.cause)),
            None => line(&self.cause),
        }
    }

    /// Whether it says that there is no such order or transaction.
    pub(super) fn is_absence(&self, answer: &Incoming) -> bool {
        matches!(answer.status, 400 | 404) && self.cause == "INVALID_REQUEST"
    }
}

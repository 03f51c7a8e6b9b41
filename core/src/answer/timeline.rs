//! The answer that shows what happened to a payment transaction.

use alloc::string::String;
use alloc::vec::Vec;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;

use super::administration::ActorShown;
use super::body::raw_object;
use super::delivery::TryShown;
use super::message::MessageShown;
use super::operation::{OperationShown, result};
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::child::Child;
use crate::child::stage::OperationStage;
use crate::gateway::charge::ChargeOperation;
use crate::record::event::{EventWord, LoggedEvent};
use crate::record::outbox::{DeliveryState, MessageKind};
use crate::state::State;
use crate::value::id::{PgCode, ReferenceNumber};
use crate::value::money::Currency;
use crate::value::time::{Moment, Timestamp};

/// What happened to a payment transaction.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TimelineAnswer<'a> {
    /// The payments that were tried, in order.
    pub attempts: Vec<AttemptShown<'a>>,
    /// The captures, refunds and voids, in order.
    pub operations: Vec<OperationShown<'a>>,
    /// What happened, the newest first: the latest 1,000 events, webhooks and messages each.
    pub results: Vec<TimelineEntry>,
}

/// A payment that was tried.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AttemptShown<'a> {
    /// What is charged without the fee.
    amount: String,
    /// The currency in which the gateway charges.
    #[schemars(with = "String")]
    currency_code: Currency,
    /// The fee of the gateway.
    fee: String,
    /// The last answer of the gateway, as it came; null if there is none, or it was erased.
    gateway_response: Option<&'a RawValue>,
    /// Whether the gateway is a simulation.
    is_sandbox: bool,
    /// Why it is no success; null if there is nothing to say.
    message: Option<&'a str>,
    /// When it was begun.
    opened_at: Moment,
    /// Whether it charges, only holds the money, or only confirms the card.
    operation: ChargeOperation,
    /// The gateway.
    pg_code: &'a PgCode,
    /// The attempt.
    reference_number: &'a ReferenceNumber,
    /// Its result; `pending` while that is not known.
    result: &'static str,
    /// What the payer pays, the fee included.
    total: String,
    /// When it last changed.
    updated_at: Moment,
}

impl<'a> AttemptShown<'a> {
    /// An attempt.
    #[must_use]
    pub fn of(attempt: &'a Attempt) -> Self {
        Self {
            amount: attempt.quote.amount.text(),
            currency_code: attempt.quote.total.currency(),
            fee: attempt.quote.fee.text(),
            gateway_response: raw_object(attempt.response.as_deref()),
            is_sandbox: attempt.is_sandbox,
            message: attempt.message.as_deref(),
            opened_at: attempt.opened_at.into(),
            operation: attempt.operation,
            pg_code: &attempt.pg_code,
            reference_number: &attempt.reference,
            result: attempt.stage.result(),
            total: attempt.quote.total.text(),
            updated_at: attempt.updated_at.into(),
        }
    }
}

/// Something that happened: one of `event`, `webhook` and `message` is there.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TimelineEntry {
    /// When.
    pub at: Moment,
    /// A change of the transaction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<EventShown>,
    /// A message to the payer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<MessageShown>,
    /// A try to deliver a webhook, or one that was not tried yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub webhook: Option<WebhookShown>,
}

impl TimelineEntry {
    /// A change of the transaction.
    #[must_use]
    pub fn event(at: Timestamp, event: EventShown) -> Self {
        Self { at: at.into(), event: Some(event), message: None, webhook: None }
    }

    /// A message to the payer.
    #[must_use]
    pub fn message(message: MessageShown) -> Self {
        let at = message.changed_at.unwrap_or(message.created_at);
        Self { at, event: None, message: Some(message), webhook: None }
    }

    /// A webhook.
    #[must_use]
    pub fn webhook(at: Moment, webhook: WebhookShown) -> Self {
        Self { at, event: None, message: None, webhook: Some(webhook) }
    }
}

/// A change of the transaction.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EventShown {
    /// Who caused it; absent for payers, gateways, and what is done by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<ActorShown>,
    /// What happened.
    kind: EventWord,
    /// The attempt or the operation that changed with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    reference_number: Option<ReferenceNumber>,
    /// Its result after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'static str>,
    /// Its number, which webhooks send as `sequence`.
    sequence: i64,
    /// The state of the transaction after it.
    state: State,
}

impl EventShown {
    /// An event of a transaction with these operations.
    #[must_use]
    pub fn of(event: LoggedEvent, children: &[Child]) -> Self {
        let (reference_number, stage) = event.subject.unzip();
        let is_operation = children.iter().any(|child| Some(&child.reference) == reference_number.as_ref());
        let result = stage.and_then(|stage| {
            if is_operation {
                OperationStage::parse(&stage).map(result)
            } else {
                Stage::parse(&stage).map(Stage::result)
            }
        });
        Self {
            by: event.actor.map(|actor| ActorShown::from(actor).for_merchant()),
            kind: event.event,
            reference_number,
            result,
            sequence: event.number,
            state: event.state,
        }
    }
}

/// A webhook, and one try to deliver it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct WebhookShown {
    /// The `webhook-id` of every try.
    pub id: String,
    /// What it is.
    pub kind: MessageKind,
    /// Its state.
    pub state: DeliveryState,
    /// The try; absent if there was none yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tried: Option<TryShown>,
    /// Where it goes.
    pub url: String,
}

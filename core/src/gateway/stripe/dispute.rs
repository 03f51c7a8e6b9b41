//! The disputes of an intent: what an event says is a reason to ask, because events come in any order.

use alloc::format;
use alloc::string::String;

use super::Stripe;
use super::amount;
use super::intent::{Expandable, Marks, PREFIX, expandable};
use super::request::id;
use crate::gateway::dispute::{Dispute, DisputeStatus, Disputes, code};
use crate::gateway::exchange::{Incoming, Outgoing};
use crate::gateway::step::Step;
use crate::value::id::ReferenceNumber;
use crate::value::time::Timestamp;
use crate::wire::object::Object;

/// How many disputes of an intent are read, the newest first.
const LIMIT: u8 = 20;

/// Asks for them with the intent in full, which has our reference.
pub(super) fn ask<'c>(stripe: &'c Stripe, intent: &str) -> Step<'c, Disputes> {
    let Some(intent) = id(intent, PREFIX) else { return Step::Done(Disputes::OfOthers) };
    let path = format!("/v1/disputes?payment_intent={intent}&limit={LIMIT}&expand[]=data.payment_intent");
    Step::ask(Outgoing { max_answer: Outgoing::MAX_LIST, ..stripe.get(&path) }, read)
}

/// A dispute in the wire format.
struct StripeDispute {
    reference: Option<String>,
    dispute: Dispute,
}

impl StripeDispute {
    fn read(text: &str) -> Option<Self> {
        Object::read(text, |entry| {
            let reference = match expandable(entry, "payment_intent", Marks::read) {
                Some(Expandable::Full(marks)) => marks.charge,
                Some(Expandable::Id(_)) | None => None,
            };
            let (amount, currency) = (entry.number("amount"), entry.text("currency"));
            let due = entry.object("evidence_details", |details| details.number::<i64>("due_by")).flatten();
            Some(Self {
                reference,
                dispute: Dispute {
                    id: code(&entry.text("id"))?,
                    status: status(&entry.text("status")),
                    reason: entry.optional_text("reason").as_deref().and_then(code),
                    amount: amount.and_then(|number| amount::read(number, &currency)),
                    answer_until: due.map(|seconds| Timestamp::from_millis(seconds.saturating_mul(1_000))),
                    said_at: None,
                },
            })
        })?
    }
}

/// A warning is a question of the bank before it takes the money.
fn status(word: &str) -> DisputeStatus {
    match word {
        "needs_response" | "warning_needs_response" => DisputeStatus::NeedsAnswer,
        "won" => DisputeStatus::Won,
        "lost" => DisputeStatus::Lost,
        "warning_closed" | "prevented" => DisputeStatus::Closed,
        _ => DisputeStatus::UnderReview,
    }
}

fn read(answer: &Incoming) -> Disputes {
    let list = Object::read(&answer.body, |list| list.objects("data", StripeDispute::read));
    let Some(list) = list.filter(|_| answer.status == 200) else { return Disputes::Unclear };
    let Some(first) = list.first() else { return Disputes::Unclear };
    let reference = first.reference.clone().filter(|reference| ReferenceNumber::parse(reference).is_some());
    match reference {
        Some(reference) => Disputes::choose(reference, list.iter().map(|entry| entry.dispute.clone())),
        None => Disputes::OfOthers,
    }
}

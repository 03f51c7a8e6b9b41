//! The disputes of a payment: what an event says is a reason to ask, because events come in any order.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::account::{CheckoutCom, PAYMENT, id};
use super::amount;
use crate::gateway::dispute::{Dispute, DisputeStatus, Disputes, code};
use crate::gateway::exchange::Incoming;
use crate::gateway::step::Step;
use crate::value::id::ReferenceNumber;
use crate::value::time::Timestamp;
use crate::wire::object::Object;

/// How many disputes of a payment are read, the one that changed last first.
const LIMIT: u8 = 20;

pub(super) fn ask<'c>(account: &'c CheckoutCom, payment: &str) -> Step<'c, Disputes> {
    let Some(payment) = id(payment, PAYMENT) else { return Step::Done(Disputes::OfOthers) };
    let request = account.get(&format!("/disputes?payment_id={payment}&limit={LIMIT}"));
    let payment = payment.to_string();
    Step::ask(request, move |answer| read(answer, &payment))
}

/// An entry of the list, in the wire format.
struct CkoDispute {
    payment_id: String,
    payment_reference: String,
    dispute: Dispute,
}

impl CkoDispute {
    fn read(text: &str) -> Option<Self> {
        Object::read(text, |entry| {
            let currency = entry.text("currency");
            let amount = entry.number("amount");
            let parts = [entry.optional_text("category"), entry.optional_text("reason_code")];
            let reason = parts.iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" ");
            let answer_until = entry.optional_text("evidence_required_by");
            Some(Self {
                payment_id: entry.text("payment_id"),
                payment_reference: entry.optional_text("payment_reference").unwrap_or_default(),
                dispute: Dispute {
                    id: code(&entry.text("id"))?,
                    status: status(&entry.text("status")),
                    reason: code(&reason),
                    amount: amount.and_then(|number| amount::read(number, &currency)),
                    answer_until: answer_until.and_then(|text| Timestamp::parse(&text)),
                    said_at: None,
                },
            })
        })?
    }
}

/// What is answered or decided by others is under review, and so is what has a word that is not known.
fn status(word: &str) -> DisputeStatus {
    match word {
        "evidence_required" => DisputeStatus::NeedsAnswer,
        "won" | "arb_won" | "arbitration_won" => DisputeStatus::Won,
        "lost" | "accepted" | "expired" | "arb_lost" | "arbitration_lost" => DisputeStatus::Lost,
        "canceled" | "resolved" => DisputeStatus::Closed,
        _ => DisputeStatus::UnderReview,
    }
}

fn read(answer: &Incoming, payment: &str) -> Disputes {
    let list = Object::read(&answer.body, |list| list.objects("data", CkoDispute::read));
    let Some(list) = list.filter(|_| answer.status == 200) else { return Disputes::Unclear };
    let of_payment = list.iter().filter(|entry| entry.payment_id == payment);
    let Some(first) = of_payment.clone().next() else { return Disputes::Unclear };
    if ReferenceNumber::parse(&first.payment_reference).is_none() {
        return Disputes::OfOthers;
    }
    Disputes::choose(first.payment_reference.clone(), of_payment.map(|entry| entry.dispute.clone()))
}

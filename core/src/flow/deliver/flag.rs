//! What a person should look at after a try to deliver a message.

use alloc::string::ToString;

use crate::port::{Next, PortError, Try};
use crate::record::attention::{Attention, Reason, Topic};
use crate::record::facts::{FactCode, Facts};
use crate::record::outbox::Message;
use crate::record::receiver::{self, Disabling, ReceiverEffect};
use crate::settings::situation::Situation;
use crate::wire::tree::Tree;

/// How often a webhook has failed, and whether its merchant wants to know that it is tried again.
#[derive(Clone, Copy)]
pub(super) struct Failing {
    tries: u32,
    is_reported: bool,
}

impl Failing {
    /// Of a message that had failed so often before this try.
    pub(super) fn of(situation: &Result<Situation, PortError>, failed_before: u32) -> Self {
        let tries = failed_before.saturating_add(1);
        let is_reported = situation.as_ref().is_ok_and(|situation| {
            let alerts = &situation.settings.alerts;
            alerts.wants(Topic::Webhook) && alerts.webhook_tries.ends_with(tries)
        });
        Self { tries, is_reported }
    }

    /// Of a message about whose tries nothing is reported before the last.
    pub(super) const fn unheard() -> Self {
        Self { tries: 0, is_reported: false }
    }
}

/// What a person should look at after a try. An alert that fails is no reason for another alert.
pub(super) fn flagged(message: &Message, done: &Try, failing: Failing) -> Option<Attention> {
    let address = message.recipient.address();
    let last = |facts: Facts, [with_status, silent]: [FactCode; 2]| match done.status {
        Some(status) => facts.and(with_status, &[&status.to_string()]),
        None => facts.and(silent, &[]),
    };
    let (reason, detail) = match (done.receiver, done.next) {
        (ReceiverEffect::Disabled(Disabling::Gone), _) => {
            (Reason::ReceiverDisabled, Facts::default().and(FactCode::ReceiverGone, &[address]))
        }
        (ReceiverEffect::Disabled(Disabling::Failing), _) => {
            let origin = receiver::origin(address);
            (Reason::ReceiverDisabled, Facts::default().and(FactCode::ReceiverFailed, &[origin]))
        }
        _ if message.kind.is_alert() => return None,
        (_, Next::GivenUp) => {
            let named =
                Facts::default().and(FactCode::Message, &[message.kind.as_str(), message.id.as_str()]);
            let ended = [FactCode::EndedWithStatus, FactCode::EndedSilent];
            (Reason::DeliveryGivenUp, last(about(named, message), ended))
        }
        (_, Next::Again(_)) if failing.is_reported => {
            let tries = failing.tries;
            let named = about(Facts::default().and(FactCode::MessageKind, &[message.kind.as_str()]), message);
            let failed = match tries {
                1 => named.and(FactCode::FailedOnce, &[]),
                _ => named.and(FactCode::FailedTimes, &[&tries.to_string()]),
            };
            (Reason::WebhookFailing, last(failed, [FactCode::LastStatus, FactCode::LastSilent]))
        }
        _ => return None,
    };
    Some(Attention {
        merchant: message.merchant.clone(),
        session_id: message.subject.session_id.clone(),
        reference: message.subject.reference.clone(),
        reason,
        detail,
        at: done.at,
    })
}

/// Where a message goes, and which order it is about. What goes to a payer names neither: who they are is nobody's business.
fn about(facts: Facts, message: &Message) -> Facts {
    if message.kind.channel().is_some() {
        return facts.and(FactCode::ToPayer, &[]);
    }
    let body = Tree::parse(&message.body);
    let order_no = body.as_ref().and_then(|body| {
        let named = |tree: &Tree<'_>| Some(tree.get("order_no")?.text()?.to_string());
        named(body).or_else(|| named(body.get("data")?))
    });
    let facts = facts.and(FactCode::To, &[message.recipient.address()]);
    match order_no {
        Some(order_no) => facts.and(FactCode::AboutOrder, &[&order_no]),
        None => facts,
    }
}

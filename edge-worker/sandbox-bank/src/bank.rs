//! The bank itself: a request and what is recorded give a reply and what is to be recorded.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use checkout_core::gateway::exchange::Outgoing;
use checkout_core::value::time::Timestamp;

use crate::charge::{Charge, ChargeStatus, Inquiry, Opening};
use crate::listing::{Listed, page};
use crate::operation::{self, Manner, Operation, Plan, permits};
use crate::reply::{FAULT, Reply, id_of, json, refused};
use crate::request::{Account, Command, Request, read};

/// The bank at one moment.
#[derive(Debug, Clone, Copy)]
pub struct Bank<'a> {
    /// The origin of the installation that it serves, without a trailing slash.
    pub public_url: &'a str,
    /// Now.
    pub now: Timestamp,
    /// The most charges of a page of its list.
    pub page_size: usize,
}

/// What is recorded of what a request [wants to know](Request::wanted); the rest is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Records {
    /// The charge of the reference, of the account that asks.
    pub charge: Option<Charge>,
    /// What was done to that charge.
    pub operations: Vec<Operation>,
    /// The operation of the reference, of the account that asks.
    pub operation: Option<Operation>,
    /// The charges of the page, and the one that follows: in the order of their changes, then of their ids.
    pub listed: Vec<Listed>,
}

/// What the bank does with a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What is recorded before the reply is given. If the records do not permit it any more, the step counts
    /// for nothing.
    pub write: Option<Write>,
    /// The reply.
    pub reply: Reply,
}

/// What is to be recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Write {
    /// A new charge, unless its account has one of its reference.
    Open(Box<Charge>),
    /// A charge that was changed, if it is as it was before.
    Change {
        /// As it was.
        before: Box<Charge>,
        /// As it is to be.
        after: Box<Charge>,
    },
    /// A new operation, unless its account has one of its reference, and if this many are known of its charge.
    Operate {
        /// The operation.
        operation: Box<Operation>,
        /// How many are known.
        known: usize,
    },
}

impl From<Reply> for Step {
    fn from(reply: Reply) -> Self {
        Self { write: None, reply }
    }
}

impl Bank<'_> {
    /// Reads a request to the bank's API.
    ///
    /// # Errors
    /// The reply to a request that cannot be understood.
    pub fn read(&self, request: &Outgoing) -> Result<Request, Reply> {
        read(request, self.public_url)
    }

    /// Answers a request; `nonce` is random, and becomes a part of the id of what is new.
    #[must_use]
    pub fn answer(&self, request: &Request, records: &Records, nonce: &[u8; 16]) -> Step {
        let account = &request.account;
        match &request.command {
            Command::Open(opening) => match &records.charge {
                Some(charge) => self.open_again(charge, opening).into(),
                None => self.open(account, opening, id_of("ch_", nonce)),
            },
            Command::Inquire { .. } => match &records.charge {
                Some(charge) => self.inquire(charge),
                None => no_charge().into(),
            },
            Command::Cancel { .. } => match &records.charge {
                Some(charge) => self.cancel(charge),
                None => no_charge().into(),
            },
            Command::Operate { charge, terms } => {
                let new = Operation {
                    id: id_of("op_", nonce),
                    account: account.id.clone(),
                    charge: charge.clone(),
                    terms: terms.clone(),
                    status: operation::OperationStatus::Done,
                    ends_as: operation::OperationStatus::Done,
                    due_at: None,
                    made_at: self.now,
                    ended_at: None,
                };
                self.operate(records, new, Plan::of(terms, account.queues_refunds))
            }
            Command::InquireOperation { charge, .. } => match &records.operation {
                Some(operation) if operation.charge == *charge => json(200, operation.to_json()).into(),
                Some(_) | None => refused(404, "there is no operation of this reference").into(),
            },
            Command::List(_) => page(self.public_url, self.page_size, &records.listed).into(),
            Command::Offer(offer) => offer.answer().into(),
            Command::StartSession(session) => session.answer(nonce, self.now).into(),
        }
    }

    fn shown(&self, status: u16, charge: &Charge) -> Reply {
        json(status, charge.to_json(self.public_url))
    }

    fn open(&self, account: &Account, opening: &Opening, id: String) -> Step {
        let charge = Charge::open(id, &account.id, opening, self.now);
        let reply = if charge.silent_inquiries > 0 {
            Reply::Silence
        } else if charge.failing_inquiries > 0 {
            refused(500, FAULT)
        } else {
            self.shown(201, &charge)
        };
        Step { write: Some(Write::Open(Box::new(charge))), reply }
    }

    fn open_again(&self, charge: &Charge, opening: &Opening) -> Reply {
        if charge.terms == opening.terms {
            self.shown(200, charge)
        } else {
            refused(409, "the reference belongs to a charge with other fields")
        }
    }

    fn inquire(&self, charge: &Charge) -> Step {
        let (after, reply) = match charge.inquire() {
            Inquiry::Answered => return self.shown(200, charge).into(),
            Inquiry::Silent(after) => (after, Reply::Silence),
            Inquiry::Failing(after) => (after, refused(500, FAULT)),
        };
        changed(charge, after, reply)
    }

    fn cancel(&self, charge: &Charge) -> Step {
        match charge.cancel(self.now) {
            Some(after) => {
                let reply = self.shown(200, &after);
                changed(charge, after, reply)
            }
            None if charge.status == ChargeStatus::Canceled => self.shown(200, charge).into(),
            None => self.shown(409, charge).into(),
        }
    }

    fn operate(&self, records: &Records, new: Operation, plan: Plan) -> Step {
        match plan.manner {
            Manner::Refused => return refused(422, "the issuer refused the operation").into(),
            Manner::Lost => return Reply::Silence.into(),
            Manner::Answered | Manner::Failing | Manner::Silent => {}
        }
        let in_manner = |reply| match plan.manner {
            Manner::Silent => Reply::Silence,
            Manner::Failing => refused(500, FAULT),
            Manner::Answered | Manner::Lost | Manner::Refused => reply,
        };
        if let Some(known) = &records.operation {
            let is_same = known.charge == new.charge && known.terms == new.terms;
            return if is_same {
                in_manner(json(200, known.to_json())).into()
            } else {
                refused(409, "the reference belongs to an operation with other fields").into()
            };
        }
        let Some(charge) = &records.charge else { return no_charge().into() };
        if !permits(charge, &records.operations, &new.terms) {
            return refused(422, "the charge does not permit this operation with this amount").into();
        }
        let operation = Operation {
            status: plan.status,
            ends_as: plan.ends_as,
            due_at: plan.due_in.map(|wait| self.now.plus(wait)),
            ended_at: (plan.status != operation::OperationStatus::Queued).then_some(self.now),
            ..new
        };
        let reply = in_manner(json(201, operation.to_json()));
        let write = Write::Operate { operation: Box::new(operation), known: records.operations.len() };
        Step { write: Some(write), reply }
    }
}

fn no_charge() -> Reply {
    refused(404, "there is no charge of this reference")
}

fn changed(before: &Charge, after: Charge, reply: Reply) -> Step {
    let write = Write::Change { before: Box::new(before.clone()), after: Box::new(after) };
    Step { write: Some(write), reply }
}

#[cfg(test)]
mod tests;

//! Captures, refunds and voids: the requests, and what the gateway says about them.

use alloc::string::ToString;

use super::account::MpgsAccount;
use super::judge::{fits, params_of};
use super::message::{Move, MovedAmount, Notified, Void, Voided};
use super::raw::raw_of;
use super::read::{
    MpgsFailure, OrderAnswer, OrderState, OrderTransaction, TransactionKind, TransactionResult, is_accepted,
};
use crate::gateway::exchange::{Incoming, Outgoing};
use crate::gateway::operation::{AskedOperation, OperationOrder, OperationOutcome, OperationReport};
use crate::gateway::step::Step;
use crate::gateway::text::line;
use crate::words::ChildOperation;

/// Captures or refunds.
pub(super) fn request(
    account: &MpgsAccount,
    order: &OperationOrder,
    api_operation: &'static str,
) -> Result<Outgoing, &'static str> {
    let AskedOperation { reference, charge, amount, .. } = AskedOperation::ordered(order);
    let body = Move {
        api_operation,
        transaction: MovedAmount {
            amount: amount.to_string(),
            currency: amount.currency().code(),
            reference,
        },
        order: account
            .notification_url(&order.callback_url)
            .map(|notification_url| Notified { notification_url }),
    };
    account.put_transaction(charge.reference.as_str(), reference, &body)
}

/// Carries out an operation. A void names the transaction that it undoes, so the order is asked for it first.
pub(super) fn operate<'c>(account: &'c MpgsAccount, order: &'c OperationOrder) -> Step<'c, OperationReport> {
    let asked = AskedOperation::ordered(order);
    match order.operation {
        ChildOperation::Capture => act(request(account, order, "CAPTURE"), asked),
        ChildOperation::Refund => act(request(account, order, "REFUND"), asked),
        ChildOperation::Void => {
            Step::ask_first(account.get_order(order.charge.reference.as_str()), move |answer| {
                void(account, asked, answer)
            })
        }
    }
}

fn void<'c>(
    account: &'c MpgsAccount,
    asked: AskedOperation<'c>,
    answer: &Incoming,
) -> Step<'c, OperationReport> {
    if let Some(failure) = MpgsFailure::of(answer) {
        return Step::Done(asked.refused(failure.words()));
    }
    let Some(found) = OrderAnswer::of_order(answer) else {
        return Step::Done(asked.bare(OperationOutcome::Unknown));
    };
    if let Some(known) = found.transactions.iter().find(|known| known.id == asked.reference) {
        return Step::Done(report_of(asked, &found.order, known, &answer.body));
    }
    if found.order.id != asked.charge.reference.as_str() {
        return Step::Done(OperationReport::bare(&found.order.id, OperationOutcome::Unknown));
    }
    let target = found.transactions.iter().rev().find(|transaction| {
        transaction.result == TransactionResult::Success && fits(asked.charge.operation, transaction.kind)
    });
    let Some(target) = target else {
        return Step::Done(asked.refused(line("the order has no payment that can be voided")));
    };
    let reference = asked.reference;
    let body =
        Void { api_operation: "VOID", transaction: Voided { target_transaction_id: &target.id, reference } };
    let request = account.put_transaction(asked.charge.reference.as_str(), reference, &body);
    act(request, asked)
}

/// Sends an operation that could be written.
fn act<'c>(request: Result<Outgoing, &'static str>, asked: AskedOperation<'c>) -> Step<'c, OperationReport> {
    match request {
        Ok(request) => Step::act(request, move |answer| read_done(asked, answer)),
        Err(missing) => Step::Done(asked.refused(line(missing))),
    }
}

/// Asks about an operation.
pub(super) fn inquire<'c>(account: &'c MpgsAccount, asked: AskedOperation<'c>) -> Step<'c, OperationReport> {
    let request = account.get_transaction(asked.charge.reference.as_str(), asked.reference);
    Step::ask_first(request, move |answer| match MpgsFailure::of(answer) {
        // That there is no such operation counts only if the gateway accepts the settings of the account.
        Some(failure) if failure.is_absence(answer) => Step::ask(account.get_options(), move |answer| {
            let is_absent = is_accepted(answer);
            asked.bare(if is_absent { OperationOutcome::Absent } else { OperationOutcome::Unknown })
        }),
        Some(_) => Step::Done(asked.bare(OperationOutcome::Unknown)),
        None => Step::Done(read(asked, answer)),
    })
}

/// The answer to an operation.
fn read_done(asked: AskedOperation<'_>, answer: &Incoming) -> OperationReport {
    match MpgsFailure::of(answer) {
        Some(failure) => asked.refused(failure.words()),
        None => read(asked, answer),
    }
}

fn read(asked: AskedOperation<'_>, answer: &Incoming) -> OperationReport {
    let found = OrderAnswer::of_transaction(answer);
    let first = found.as_ref().and_then(|found| Some((&found.order, found.transactions.first()?)));
    match first {
        Some((order, transaction)) => report_of(asked, order, transaction, &answer.body),
        None => asked.bare(OperationOutcome::Unknown),
    }
}

fn report_of(
    asked: AskedOperation<'_>,
    order: &OrderState,
    transaction: &OrderTransaction,
    body: &[u8],
) -> OperationReport {
    let is_own = order.id == asked.charge.reference.as_str();
    let reference = if is_own { &transaction.id } else { &order.id };
    let outcome = outcome_of(asked.operation, transaction);
    if transaction.amount.is_none() || outcome == OperationOutcome::Unknown {
        return OperationReport::bare(reference, OperationOutcome::Unknown);
    }
    OperationReport {
        reference: reference.clone(),
        amount: transaction.amount,
        outcome,
        message: transaction.message.clone(),
        gateway_id: line(&transaction.id),
        params: params_of(&order.id, Some(transaction), result_word(outcome, asked.operation)),
        raw: raw_of(body),
    }
}

fn outcome_of(operation: ChildOperation, transaction: &OrderTransaction) -> OperationOutcome {
    let kind = transaction.kind;
    let is_request = kind == TransactionKind::RefundRequest;
    let is_own = match operation {
        ChildOperation::Capture => kind == TransactionKind::Capture,
        ChildOperation::Refund => kind == TransactionKind::Refund || is_request,
        ChildOperation::Void => kind == TransactionKind::VoidOfCharge,
    };
    if !is_own {
        return OperationOutcome::Unknown;
    }
    match transaction.result {
        TransactionResult::Success if !transaction.code.is_approval() => OperationOutcome::Unknown,
        TransactionResult::Success if is_request => OperationOutcome::Queued,
        TransactionResult::Success => OperationOutcome::Done,
        TransactionResult::Pending => OperationOutcome::Queued,
        TransactionResult::Failure if transaction.code.certain_decline().is_some() => {
            OperationOutcome::Refused
        }
        TransactionResult::Failure | TransactionResult::Unclear => OperationOutcome::Unknown,
    }
}

/// The words that gateways commonly use for a result.
fn result_word(outcome: OperationOutcome, operation: ChildOperation) -> Option<&'static str> {
    match (outcome, operation) {
        (OperationOutcome::Done, ChildOperation::Capture) => Some("CAPTURED"),
        (OperationOutcome::Done, ChildOperation::Refund) => Some("REFUNDED"),
        (OperationOutcome::Done, ChildOperation::Void) => Some("VOIDED"),
        (OperationOutcome::Queued, _) => Some("QUEUED"),
        (OperationOutcome::Refused, _) => Some("DECLINED"),
        (OperationOutcome::Absent | OperationOutcome::Unknown, _) => None,
    }
}

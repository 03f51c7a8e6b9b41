//! What is said about an attempt that was declined.

use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::gateway::decline;
use crate::strings::Strings;
use crate::transaction::Transaction;

/// The gateway's message about an attempt. A decline without one has ours, in the language of the transaction: why the
/// bank declined if it said so, otherwise that it did.
pub(crate) fn message<'a>(transaction: &Transaction, attempt: &'a Attempt) -> Option<&'a str> {
    let ours = || {
        let strings = Strings::of(transaction.details.language());
        let reason = decline::reason(&attempt.params);
        let why = reason.and_then(|reason| strings.decline(reason, transaction.details.payment_type));
        why.unwrap_or(strings.notice.declined.title)
    };
    let said = attempt.message.as_deref().filter(|message| !message.trim().is_empty());
    said.or_else(|| (attempt.stage == Stage::Failed).then(ours))
}

//! What is found in rows, and what is said if something is not.

use alloc::vec::Vec;

use crate::attempt::Attempt;
use crate::port::{PortError, Record};
use crate::transaction::Transaction;

pub(super) fn record(transaction: &Transaction, attempt: Option<&Attempt>) -> Record {
    Record { transaction: transaction.clone(), attempt: attempt.cloned() }
}

pub(super) fn failed(detail: &str) -> PortError {
    PortError { port: "memory store", detail: detail.into() }
}

/// The first `limit` of `rows`, the smallest key first.
pub(super) fn first<K: Ord, T>(rows: impl Iterator<Item = (K, T)>, limit: u32) -> Vec<T> {
    let mut rows: Vec<(K, T)> = rows.collect();
    rows.sort_by(|(earlier, _), (later, _)| earlier.cmp(later));
    rows.into_iter().map(|(_, row)| row).take(usize::try_from(limit).unwrap_or(usize::MAX)).collect()
}

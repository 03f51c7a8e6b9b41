//! Callers that are remembered, and the proof that they are still who they were.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::{Rows, failed};
use crate::access::key::ApiKey;
use crate::port::{CommitError, KeyHolder};
use crate::value::time::Timestamp;

/// What is remembered of callers.
#[derive(Debug, Default)]
pub(super) struct Memory {
    known: Vec<(ApiKey, KeyHolder)>,
    requests: BTreeMap<u32, Standing>,
    /// The request that calls.
    pub(super) request: u32,
}

/// What a request knows of its caller.
#[derive(Debug, Default)]
struct Standing {
    /// Who was recalled, and when.
    recalled: Option<(ApiKey, KeyHolder, Timestamp)>,
    /// Whether they were found to be someone else.
    is_refuted: bool,
}

impl Rows {
    fn standing(&mut self) -> &mut Standing {
        self.memory.requests.entry(self.memory.request).or_default()
    }

    /// The caller was loaded.
    pub(super) fn remember(&mut self, key: &ApiKey, found: Option<&KeyHolder>) {
        self.memory.known.retain(|(known, _)| known.prefix() != key.prefix());
        self.memory.known.extend(found.map(|holder| (key.clone(), holder.clone())));
        *self.standing() = Standing::default();
    }

    pub(super) fn recall(&mut self, key: &ApiKey, now: Timestamp) -> Option<KeyHolder> {
        let is_it = |(known, _): &&(ApiKey, KeyHolder)| known.text() == key.text();
        let mut holder = self.memory.known.iter().find(is_it).map(|(_, holder)| holder.clone())?;
        holder.caller.situation = holder.caller.situation.at(now);
        self.standing().recalled = Some((key.clone(), holder.clone(), now));
        Some(holder)
    }

    pub(super) fn prove(&mut self) -> bool {
        if let Some((key, known, at)) = self.standing().recalled.take()
            && self.caller(&key, at).is_none_or(|found| found.caller != known.caller)
        {
            self.memory.known.retain(|(known, _)| known.prefix() != key.prefix());
            self.standing().is_refuted = true;
        }
        !self.standing().is_refuted
    }

    pub(super) fn check_caller(&mut self) -> Result<(), CommitError> {
        let is_proved = self.prove();
        is_proved
            .then_some(())
            .ok_or_else(|| CommitError::Failed(failed("the caller is not who was remembered")))
    }
}

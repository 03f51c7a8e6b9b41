//! A message as the inbox shows it.

use serde::Serialize;

/// A message as it came in.
#[derive(Serialize)]
pub(super) struct ShownMessage {
    pub(super) id: String,
    pub(super) channel: &'static str,
    pub(super) from: String,
    pub(super) to: String,
    pub(super) subject: String,
    pub(super) text: String,
    pub(super) html: String,
    pub(super) received_at: String,
    /// What became of it.
    pub(super) fate: Option<&'static str>,
    pub(super) detail: Option<String>,
}

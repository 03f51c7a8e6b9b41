//! From which devices users signed in.

use super::PortError;
use crate::record::audit::Entry;
use crate::record::outbox::Message;
use crate::value::id::UserId;
use crate::value::time::Timestamp;

/// What is known of a device of a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KnownDevice {
    /// The user signed in from it of late.
    Known,
    /// Only from others.
    New,
    /// From none at all.
    First,
}

/// Devices, each a hash.
pub trait UserDevices {
    /// What is known of a device.
    ///
    /// # Errors
    /// If the store fails.
    async fn user_device(&self, user: UserId, device: &str) -> Result<KnownDevice, PortError>;

    /// Notes that a user signed in from a known device.
    ///
    /// # Errors
    /// If the store fails.
    async fn note_user_device(&self, user: UserId, device: &str, at: Timestamp) -> Result<(), PortError>;

    /// Notes that a user signed in from another device, with the entry of the audit and the letter to the user, all or nothing.
    ///
    /// # Errors
    /// If the store fails.
    async fn add_user_device(
        &self,
        user: UserId,
        device: &str,
        entry: &Entry,
        letter: Option<&Message>,
    ) -> Result<(), PortError>;

    /// Deletes devices from which nobody signed in since `before`, at most `limit` of them.
    ///
    /// # Errors
    /// If the store fails.
    async fn delete_user_devices(&self, before: Timestamp, limit: u32) -> Result<u32, PortError>;
}

/// How long a device is remembered from which nobody signs in.
pub(crate) const DEVICE_LIFE: core::time::Duration = core::time::Duration::from_hours(24 * 90);

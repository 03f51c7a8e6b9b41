//! The names of the credentials.

/// The name of the credential with the merchant's id at the gateway.
pub const MERCHANT_ID: &str = "merchant_id";

/// The name of the credential with the password of the interface.
pub const PASSWORD: &str = "password";

/// The name of the credential with the secret of notifications.
pub const NOTIFICATION_SECRET: &str = "notification_secret";

/// The name of the credential with the version of the interface.
pub const VERSION: &str = "version";

/// The name of the credential with the password for reports.
pub const REPORTING_PASSWORD: &str = "reporting_password";

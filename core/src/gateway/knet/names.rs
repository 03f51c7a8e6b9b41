//! The names of the credentials, and the only currency.

/// The name of the identifier of the terminal.
pub const TRANPORTAL_ID: &str = "tranportal_id";

/// The name of the password of the terminal.
pub const PASSWORD: &str = "password";

/// The name of the key that encrypts.
pub const RESOURCE_KEY: &str = "resource_key";

/// The name of the option for the word of English.
pub const LANGUAGE_EN: &str = "language_en";

/// The name of the option for the word of Arabic.
pub const LANGUAGE_AR: &str = "language_ar";

/// The name of the option for the element around inquiries and refunds.
pub const INQUIRY_ROOT: &str = "inquiry_root";

/// The only currency.
pub(super) const CURRENCY: &str = "KWD";

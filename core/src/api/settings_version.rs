//! The return to an earlier version of a merchant's settings.

use crate::rejection::Rejection;
use crate::value::id::number::MAX;
use crate::wire::field::Fields;
use crate::wire::members::Members;

/// What is asked for.
pub struct VersionRequest {
    /// The version that the caller expects to be the current one.
    pub version: i64,
}

impl VersionRequest {
    /// Reads a body.
    ///
    /// # Errors
    /// [`Rejection::Invalid`].
    pub fn read(members: &Members<'_>) -> Result<Self, Rejection> {
        let mut fields = Fields::default();
        let limits = 1..=MAX;
        let version = fields.given("version", members.get("version"), |f, p, raw| f.whole(p, raw, limits));
        let version = version.map(|version| Self { version: i64::from(version) });
        version.ok_or_else(|| Rejection::Invalid(fields.finish()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_a_number_that_an_address_can_name() {
        let read = |body: &[u8]| VersionRequest::read(&Members::read(body).unwrap()).map(|read| read.version);
        assert_eq!(read(br#"{"version":2147483647}"#), Ok(2_147_483_647));
        for body in ["{}", r#"{"version":0}"#, r#"{"version":2147483648}"#] {
            assert!(matches!(read(body.as_bytes()), Err(Rejection::Invalid(_))), "{body}");
        }
    }
}

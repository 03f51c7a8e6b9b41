//! The media types in which the body of a request may be written.

use alloc::string::String;

/// The most fields of a form.
pub(crate) const MAX_FIELDS: usize = 256;

/// What an address accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyType {
    /// JSON.
    Json,
    /// A form, as a page sends it.
    Form,
    /// A form that may contain a file.
    Multipart,
    /// JSON, or a form of either kind.
    Record,
}

const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";
const MULTIPART: &str = "multipart/form-data";

impl BodyType {
    /// The media types, without parameters.
    #[must_use]
    pub const fn media_types(self) -> &'static [&'static str] {
        match self {
            Self::Json => &[JSON],
            Self::Form => &[FORM],
            Self::Multipart => &[MULTIPART],
            Self::Record => &[JSON, FORM, MULTIPART],
        }
    }

    /// How the body of a `Content-Type` is written: the one of these types that it names; `None` for any
    /// other.
    #[must_use]
    pub fn read(self, content_type: &str) -> Option<Self> {
        let essence = content_type.split(';').next().unwrap_or_default().trim();
        let known = self.media_types().iter().find(|known| known.eq_ignore_ascii_case(essence))?;
        Some(match *known {
            JSON => Self::Json,
            FORM => Self::Form,
            _ => Self::Multipart,
        })
    }

    /// The media types as a list, as the header `Accept` writes it.
    #[must_use]
    pub fn list(self) -> String {
        self.media_types().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_content_type_is_read_without_its_parameters_in_any_case() {
        assert_eq!(BodyType::Json.read("Application/JSON; charset=utf-8"), Some(BodyType::Json));
        assert_eq!(BodyType::Record.read(" multipart/form-data;boundary=b"), Some(BodyType::Multipart));
        assert_eq!(BodyType::Record.read("application/x-www-form-urlencoded"), Some(BodyType::Form));
        for other in ["", ";", "text/plain", "application/jsonp", "application/json/", "x application/json"] {
            assert_eq!(BodyType::Record.read(other), None, "{other}");
        }
        assert_eq!(BodyType::Json.read("multipart/form-data"), None);
    }
}

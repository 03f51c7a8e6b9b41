//! The fields of a form or of a query, as a browser sends them.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// The most bytes of a form.
pub const MAX_BYTES: usize = 65_536;
/// The field of the session's token.
pub const TOKEN: &str = "form_token";

/// Fields in their order. Its `Debug` shows no value: one may be a password.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct DeskForm(Vec<(String, String)>);

impl DeskForm {
    /// The fields of a body or a query.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Self {
        let pairs = form_urlencoded::parse(bytes);
        Self(pairs.map(|(name, value)| (name.into_owned(), value.into_owned())).collect())
    }

    /// A form that is filled with these values.
    #[must_use]
    pub(crate) const fn of(fields: Vec<(String, String)>) -> Self {
        Self(fields)
    }

    /// The fields as a browser sends them, without those of some names.
    #[must_use]
    pub(crate) fn text_without(&self, names: &[&str]) -> String {
        let fields = self.fields().filter(|(name, _)| !names.contains(name));
        form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
    }

    /// The first value of a field.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The first value of a field without space around it, unless it is empty.
    #[must_use]
    pub fn filled(&self, name: &str) -> Option<&str> {
        self.get(name).map(str::trim).filter(|value| !value.is_empty())
    }

    /// The same, with this value of a field that it does not have.
    #[must_use]
    pub fn or_else(mut self, name: &str, value: Option<String>) -> Self {
        if let Some(value) = value.filter(|_| self.get(name).is_none()) {
            self.0.push((name.into(), value));
        }
        self
    }

    /// Every value of a field.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Every field.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

impl fmt::Debug for DeskForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::DeskForm;

    #[test]
    fn fields_are_read_as_browsers_write_them_and_not_shown() {
        let form = DeskForm::read("a=1+2&b=%D8%B3&a=3&c=+&password=secret".as_bytes());
        assert_eq!((form.get("a"), form.get("b"), form.get("d")), (Some("1 2"), Some("س"), None));
        assert_eq!(form.all("a").collect::<alloc::vec::Vec<_>>(), ["1 2", "3"]);
        assert_eq!((form.get("c"), form.filled("c")), (Some(" "), None));
        assert!(!alloc::format!("{form:?}").contains("secret"));
    }
}

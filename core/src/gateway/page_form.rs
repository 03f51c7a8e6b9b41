//! A page of a gateway that is opened by sending it a form: the payer's browser sends it from a page of ours.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;
use url::Url;

use super::text::page_address;
use crate::value::json;
use crate::wire::json::text_of;
use crate::wire::members::Members;

/// How the text of a form begins, which no address does.
const MARK: &str = "form ";
/// The most fields of a form.
const MAX_FIELDS: usize = 20;
/// The most bytes of its names and values together.
const MAX_BYTES: usize = 32_768;

/// A form, and where it is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PageForm {
    /// The address of the page.
    pub url: String,
    /// The fields.
    pub fields: BTreeMap<String, String>,
}

/// Where a page of a gateway is, as an attempt stores it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GatewayPage<'a> {
    /// At an address.
    Address(&'a str),
    /// Behind a form.
    Form(PageForm),
}

impl PageForm {
    /// The form with these fields, all of them texts, for an address to which a payer may be sent.
    #[must_use]
    pub(crate) fn of(url: &str, fields: &Members<'_>) -> Option<Self> {
        let field = |(name, raw)| {
            let name: &str = name;
            Some((String::from(name), text_of(raw).map(Cow::into_owned)?))
        };
        let fields: BTreeMap<String, String> = fields.all().map(field).collect::<Option<_>>()?;
        let bytes: Vec<usize> =
            fields.iter().map(|(name, value)| name.len().saturating_add(value.len())).collect();
        let size = bytes.iter().fold(0_usize, |sum, bytes| sum.saturating_add(*bytes));
        let is_small = bytes.len() <= MAX_FIELDS && size <= MAX_BYTES;
        is_small.then(|| page_address(url)).flatten().map(|url| Self { url, fields })
    }

    /// The origin of the page.
    #[must_use]
    pub fn origin(&self) -> Option<String> {
        Url::parse(&self.url).ok().map(|url| url.origin().ascii_serialization())
    }

    /// The text of the form in the place of an address; `None` if it has none.
    #[must_use]
    pub fn to_text(&self) -> Option<String> {
        json::write(self).ok().map(|text| [MARK, &text].concat())
    }
}

impl<'a> GatewayPage<'a> {
    /// Reads what is in the place of an address; `None` for a form that cannot be read.
    #[must_use]
    pub fn parse(text: &'a str) -> Option<Self> {
        let Some(text) = text.strip_prefix(MARK) else { return Some(Self::Address(text)) };
        let members = Members::read(text.as_bytes()).ok()?;
        let url = members.get("url").and_then(text_of)?;
        let fields = members.get("fields").and_then(Members::of)?;
        PageForm::of(&url, &fields).map(GatewayPage::Form)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(url: &str, fields: &str) -> Option<PageForm> {
        PageForm::of(url, &Members::read(fields.as_bytes()).unwrap())
    }

    #[test]
    fn a_form_is_read_back_as_it_was_written_and_an_address_stays_one() {
        let made = form("https://bank.example/acs", r#"{"PaReq":"eJ\"<&ت","MD":""}"#).unwrap();
        assert_eq!(GatewayPage::parse(&made.to_text().unwrap()), Some(GatewayPage::Form(made)));
        let address = "https://bank.example/acs?form={}";
        assert_eq!(GatewayPage::parse(address), Some(GatewayPage::Address(address)));
        for broken in
            ["form ", "form {}", r#"form {"url":"https://b.example/"}"#, r#"form {"url":"","fields":{}}"#]
        {
            assert_eq!(GatewayPage::parse(broken), None, "{broken}");
        }
    }

    #[test]
    fn a_form_to_no_page_or_with_other_values_than_texts_is_none() {
        for (url, fields) in [
            ("http://bank.example/acs", "{}"),
            ("javascript:alert(1)", "{}"),
            ("https://user@bank.example/", "{}"),
            ("https://bank.example/acs", r#"{"MD":7}"#),
            ("https://bank.example/acs", r#"{"MD":{"a":"b"}}"#),
        ] {
            assert_eq!(form(url, fields), None, "{url} {fields}");
        }
        let long = alloc::format!(r#"{{"MD":"{}"}}"#, "x".repeat(MAX_BYTES));
        assert_eq!(form("https://bank.example/acs", &long), None);
        let many: Vec<String> = (0..=MAX_FIELDS).map(|place| alloc::format!(r#""f{place}":"""#)).collect();
        assert_eq!(form("https://bank.example/acs", &alloc::format!("{{{}}}", many.join(","))), None);
    }
}

//! Reading raw wire fields into typed values, collecting every violation on the way.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::time::Duration;

use serde_json::value::RawValue;

use crate::api::nested;
use crate::money::{AmountError, Currency, MAX_AMOUNT_CHARS};
use crate::text::{self, TextError};
use crate::time::Timestamp;
use crate::time::date::Date;
use crate::time::period;
use crate::violation::{Rule, Violation, Violations};
use crate::web_address::{Reach, WebAddress};

/// The fields of one request while they are read.
#[derive(Debug, Default)]
pub struct Fields {
    found: Violations,
}

impl Fields {
    /// Reads a field that must be given.
    pub fn required<'a, T>(
        &mut self,
        path: &'static str,
        raw: Option<&'a RawValue>,
        read: impl FnOnce(&mut Self, &'static str, &'a RawValue) -> Option<T>,
    ) -> Option<T> {
        match raw {
            Some(raw) if is_blank(raw) => self.refuse(path, Rule::Blank),
            Some(raw) => read(self, path, raw),
            None => self.refuse(path, Rule::Required),
        }
    }

    /// Reads a field that may be left out; blank text means left out.
    pub fn optional<'a, T>(
        &mut self,
        path: &'static str,
        raw: Option<&'a RawValue>,
        read: impl FnOnce(&mut Self, &'static str, &'a RawValue) -> Option<T>,
    ) -> Option<T> {
        raw.filter(|raw| !is_blank(raw)).and_then(|raw| read(self, path, raw))
    }

    /// Notes a violation.
    pub fn violation(&mut self, path: impl Into<Cow<'static, str>>, rule: Rule) {
        self.found.add(path, rule);
    }

    /// Notes a violation and gives up on the value.
    pub fn refuse<T>(&mut self, path: impl Into<Cow<'static, str>>, rule: Rule) -> Option<T> {
        self.found.add(path, rule);
        None
    }

    /// Everything that was found wrong, in order.
    #[must_use]
    pub fn finish(self) -> Vec<Violation> {
        self.found.into_vec()
    }

    /// The text of a JSON string.
    ///
    /// # Errors
    /// [`Rule::NotText`] for another type, [`Rule::NotUnicode`] for half of a surrogate pair.
    pub fn decode_text<'a>(&self, raw: &'a RawValue) -> Result<Cow<'a, str>, Rule> {
        let json = raw.get();
        let Some(inner) = json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
            return Err(Rule::NotText);
        };
        if inner.contains('\\') {
            serde_json::from_str::<String>(json).map(Cow::Owned).map_err(|_| Rule::NotUnicode)
        } else {
            Ok(Cow::Borrowed(inner))
        }
    }

    fn text<'a>(&mut self, path: &'static str, raw: &'a RawValue) -> Option<Cow<'a, str>> {
        self.decode_text(raw).map_err(|rule| self.found.add(path, rule)).ok()
    }

    /// One line of text of at most `max` characters.
    pub fn line(&mut self, path: &'static str, raw: &RawValue, max: usize) -> Option<String> {
        let text = self.text(path, raw)?;
        match text::check_line(&text, max) {
            Ok(()) => Some(text.into_owned()),
            Err(TextError::TooLong { max }) => self.refuse(path, Rule::TooLong { max }),
            Err(TextError::ControlCharacter) => self.refuse(path, Rule::ControlCharacter),
        }
    }

    /// An e-mail address of at most `max` characters.
    pub fn email(&mut self, path: &'static str, raw: &RawValue, max: usize) -> Option<String> {
        let line = self.line(path, raw, max)?;
        if text::is_email(&line) { Some(line) } else { self.refuse(path, Rule::NotEmail) }
    }

    /// One of `words`, as `parse` reads it.
    pub fn word<T>(
        &mut self,
        path: &'static str,
        raw: &RawValue,
        words: &'static [&'static str],
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let text = self.text(path, raw)?;
        match parse(&text) {
            Some(value) => Some(value),
            None => self.refuse(path, Rule::OneOf(words)),
        }
    }

    /// A currency code.
    pub fn currency(&mut self, path: &'static str, raw: &RawValue) -> Option<Currency> {
        let text = self.text(path, raw)?;
        match Currency::parse(&text) {
            Some(currency) => Some(currency),
            None => self.refuse(path, Rule::UnknownCurrency),
        }
    }

    /// The text of an amount: a JSON string, or a JSON number exactly as written.
    pub fn amount_text<'a>(&mut self, path: &'static str, raw: &'a RawValue) -> Option<Cow<'a, str>> {
        let json = raw.get();
        let text = match json.bytes().next() {
            Some(b'"') => self.text(path, raw)?,
            Some(b'-' | b'0'..=b'9') => Cow::Borrowed(json),
            _ => return self.refuse(path, Rule::NotAmount),
        };
        if text.len() > MAX_AMOUNT_CHARS {
            return self.refuse(path, Rule::Amount(AmountError::TooLong));
        }
        Some(text)
    }

    /// A list of at least one and at most `max` items.
    pub fn list<'a>(
        &mut self,
        path: &'static str,
        raw: &'a RawValue,
        max: usize,
    ) -> Option<Vec<&'a RawValue>> {
        let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(raw.get()) else {
            return self.refuse(path, Rule::NotList);
        };
        if items.is_empty() {
            return self.refuse(path, Rule::EmptyList);
        }
        if items.len() > max {
            return self.refuse(path, Rule::TooManyItems { max });
        }
        Some(items)
    }

    /// An object that is written with at most `max` bytes, its members raw.
    pub fn object<'a>(
        &mut self,
        path: &'static str,
        raw: &'a RawValue,
        max: usize,
    ) -> Option<BTreeMap<Cow<'a, str>, &'a RawValue>> {
        if !raw.get().starts_with('{') {
            return self.refuse(path, Rule::NotObject);
        }
        if raw.get().len() > max {
            return self.refuse(path, Rule::TooLarge { max });
        }
        if let Err(rule) = nested::check(raw.get()) {
            return self.refuse(path, rule);
        }
        match serde_json::from_str(raw.get()) {
            Ok(members) => Some(members),
            Err(_) => self.refuse(path, Rule::NotUnicode),
        }
    }

    /// A calendar date, given back as `YYYY-MM-DD`.
    pub fn date(&mut self, path: &'static str, raw: &RawValue) -> Option<String> {
        let text = self.text(path, raw)?;
        match Date::parse(&text) {
            Some(date) => Some(date.to_string()),
            None => self.refuse(path, Rule::NotDate),
        }
    }

    /// A date and time.
    pub fn date_time(&mut self, path: &'static str, raw: &RawValue) -> Option<Timestamp> {
        let text = self.text(path, raw)?;
        match Timestamp::parse(&text) {
            Some(at) => Some(at),
            None => self.refuse(path, Rule::NotDateTime),
        }
    }

    /// A period of time: text, or a JSON number of seconds.
    pub fn period(&mut self, path: &'static str, raw: &RawValue) -> Option<Duration> {
        let json = raw.get();
        let text = if json.starts_with('"') { self.text(path, raw)? } else { Cow::Borrowed(json) };
        match period::parse_period(&text) {
            Some(period) => Some(period),
            None => self.refuse(path, Rule::NotPeriod),
        }
    }

    /// The web address of a merchant, given back as it is sent to.
    pub fn address(&mut self, path: &'static str, raw: &RawValue, reach: Reach) -> Option<String> {
        let text = self.text(path, raw)?;
        match WebAddress::parse(&text, reach) {
            Ok(address) => Some(address.as_str().to_string()),
            Err(error) => self.refuse(path, Rule::Address(error)),
        }
    }
}

fn is_blank(raw: &RawValue) -> bool {
    raw.get() == "\"\""
}

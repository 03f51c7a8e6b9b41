//! Reading raw wire fields into typed values, collecting every violation in the process.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::RangeInclusive;
use core::time::Duration;

use rust_decimal::Decimal;
use serde_json::value::RawValue;

use crate::installation::Installation;
use crate::value::country::is_country;
use crate::value::email::is_permitted_email;
use crate::value::money::{AmountError, Currency, MAX_AMOUNT_CHARS, Money, decimal};
use crate::value::text;
use crate::value::time::date::Date;
use crate::value::time::{Timestamp, period};
use crate::value::web_address::{Reach, WebAddress};
use crate::violation::{Rule, Violation, Violations};
use crate::wire::members::Members;
use crate::wire::noted::{self, Noted};
use crate::wire::{json, nested};

/// The smallest amount, in hundredths of the major unit; currencies without hundredths begin at one.
const MIN_HUNDREDTHS: i64 = 1;

/// An amount that was read.
#[derive(Debug)]
pub struct AmountField<'a> {
    /// As it was written.
    pub(crate) text: Cow<'a, str>,
    pub(crate) value: Decimal,
    /// `None` if the currency is not known.
    pub(crate) money: Option<Money>,
}

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
        noted::note(path, &Noted::Required);
        match raw {
            Some(raw) if is_blank(raw) => self.refuse(path, Rule::Blank),
            Some(raw) => read(self, path, raw),
            None => self.refuse(path, Rule::Required),
        }
    }

    /// Reads a field that may be left out; blank text means left out.
    pub(crate) fn optional<'a, T>(
        &mut self,
        path: &'static str,
        raw: Option<&'a RawValue>,
        read: impl FnOnce(&mut Self, &'static str, &'a RawValue) -> Option<T>,
    ) -> Option<T> {
        noted::note(path, &Noted::Optional);
        raw.filter(|raw| !is_blank(raw)).and_then(|raw| read(self, path, raw))
    }

    /// Reads a field that may be left out of a body that moves money: blank text there is a mistake and not
    /// an absence, because leaving it out may mean all that is left.
    pub(crate) fn unless_absent<'a, T>(
        &mut self,
        path: &'static str,
        raw: Option<&'a RawValue>,
        read: impl FnOnce(&mut Self, &'static str, &'a RawValue) -> Option<T>,
    ) -> Option<T> {
        noted::note(path, &Noted::Optional);
        raw.and_then(|raw| self.required(path, Some(raw), read))
    }

    /// Reads a field that must be given, in a body in which blank text is a value like any other.
    pub fn given<'a, T>(
        &mut self,
        path: &'static str,
        raw: Option<&'a RawValue>,
        read: impl FnOnce(&mut Self, &'static str, &'a RawValue) -> Option<T>,
    ) -> Option<T> {
        noted::note(path, &Noted::Required);
        match raw {
            Some(raw) => read(self, path, raw),
            None => self.refuse(path, Rule::Required),
        }
    }

    /// A text that `check` accepts.
    pub fn checked<T>(
        &mut self,
        path: &'static str,
        raw: &RawValue,
        check: impl FnOnce(&str) -> Result<T, Rule>,
    ) -> Option<T> {
        let text = self.text(path, raw)?;
        check(&text).map_err(|rule| self.found.add(path, rule)).ok()
    }

    /// Notes a violation.
    pub fn violation(&mut self, path: impl Into<Cow<'static, str>>, rule: Rule) {
        self.found.add(path, rule);
    }

    /// Whether a violation was noted for this field.
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        self.found.has(path)
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
    pub(crate) fn decode_text(raw: &RawValue) -> Result<Cow<'_, str>, Rule> {
        let is_text = raw.get().starts_with('"');
        json::text_of(raw).ok_or(if is_text { Rule::NotUnicode } else { Rule::NotText })
    }

    fn text<'a>(&mut self, path: &'static str, raw: &'a RawValue) -> Option<Cow<'a, str>> {
        Self::decode_text(raw).map_err(|rule| self.found.add(path, rule)).ok()
    }

    /// One line of text of at most `max` characters.
    pub fn line(&mut self, path: &'static str, raw: &RawValue, max: usize) -> Option<String> {
        noted::note(path, &Noted::Text(max));
        let text = self.text(path, raw)?;
        match text::check_line(&text, max) {
            Ok(()) => Some(text.into_owned()),
            Err(error) => self.refuse(path, Rule::from(error)),
        }
    }

    /// An e-mail address of at most `max` characters.
    pub fn email(&mut self, path: &'static str, raw: &RawValue, max: usize) -> Option<String> {
        noted::note(path, &Noted::Email);
        let line = self.line(path, raw, max)?;
        if is_permitted_email(&line) { Some(line) } else { self.refuse(path, Rule::NotEmail) }
    }

    /// One of `words`, as `parse` reads it.
    pub fn word<T>(
        &mut self,
        path: &'static str,
        raw: &RawValue,
        words: &'static [&'static str],
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        noted::note(path, &Noted::Words(words));
        let text = self.text(path, raw)?;
        match parse(&text) {
            Some(value) => Some(value),
            None => self.refuse(path, Rule::OneOf(words)),
        }
    }

    /// A currency code.
    pub fn currency(&mut self, path: &'static str, raw: &RawValue) -> Option<Currency> {
        noted::note(path, &Noted::Currency);
        let text = self.text(path, raw)?;
        match Currency::parse(&text) {
            Some(currency) => Some(currency),
            None => self.refuse(path, Rule::UnknownCurrency),
        }
    }

    /// The text of an amount: a JSON string, or a JSON number exactly as written.
    fn amount_text<'a>(&mut self, path: &'static str, raw: &'a RawValue) -> Option<Cow<'a, str>> {
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
        noted::note(path, &Noted::NotEmpty);
        let items = self.items(path, raw, max)?;
        if items.is_empty() { self.refuse(path, Rule::EmptyList) } else { Some(items) }
    }

    /// A list of at most `max` items, which may have none.
    pub fn items<'a>(
        &mut self,
        path: &'static str,
        raw: &'a RawValue,
        max: usize,
    ) -> Option<Vec<&'a RawValue>> {
        noted::note(path, &Noted::List(max));
        let Some(items) = json::items(raw) else {
            return self.refuse(path, Rule::NotList);
        };
        if items.len() > max {
            return self.refuse(path, Rule::TooManyItems { max });
        }
        Some(items)
    }

    /// An object that is written with at most `max` bytes, its members raw. A list of nothing is an object of
    /// nothing, because PHP writes both alike.
    pub fn object<'a>(&mut self, path: &'static str, raw: &'a RawValue, max: usize) -> Option<Members<'a>> {
        noted::note(path, &Noted::Object);
        if json::is_empty_list(raw) {
            return Some(Members::default());
        }
        if !raw.get().starts_with('{') {
            return self.refuse(path, Rule::NotObject);
        }
        if raw.get().len() > max {
            return self.refuse(path, Rule::TooLarge { max });
        }
        if let Err(rule) = nested::check(raw.get()) {
            return self.refuse(path, rule);
        }
        Members::of(raw).or_else(|| self.refuse(path, Rule::NotUnicode))
    }

    /// A small whole number within limits, written as [`Self::whole`].
    pub(crate) fn integer(
        &mut self,
        path: &'static str,
        raw: &RawValue,
        limits: RangeInclusive<u16>,
    ) -> Option<u16> {
        let limits = u32::from(*limits.start())..=u32::from(*limits.end());
        self.whole(path, raw, limits).and_then(|number| number.try_into().ok())
    }

    /// A whole number within limits, written as a JSON number or as text.
    pub fn whole(&mut self, path: &'static str, raw: &RawValue, limits: RangeInclusive<u32>) -> Option<u32> {
        noted::note(path, &Noted::Whole(*limits.start(), *limits.end()));
        let json = raw.get();
        let text = if json.starts_with('"') { self.text(path, raw)? } else { Cow::Borrowed(json) };
        let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok().filter(|number| is_plain && limits.contains(number));
        let (min, max) = (i64::from(*limits.start()), i64::from(*limits.end()));
        number.or_else(|| self.refuse(path, Rule::NotInteger { min, max }))
    }

    /// A flag: `true` or `false`, or in a form their text, `1` or `0`.
    pub fn flag(&mut self, path: &'static str, raw: &RawValue) -> Option<bool> {
        noted::note(path, &Noted::Flag);
        read_flag(raw).or_else(|| self.refuse(path, Rule::NotBoolean))
    }

    /// A country code.
    pub fn country(&mut self, path: &'static str, raw: &RawValue) -> Option<String> {
        noted::note(path, &Noted::Country);
        let text = self.text(path, raw)?;
        if is_country(&text) { Some(text.into_owned()) } else { self.refuse(path, Rule::NotCountryCode) }
    }

    /// A slug of at most `max` characters.
    pub(crate) fn slug(&mut self, path: &'static str, raw: &RawValue, max: usize) -> Option<String> {
        let line = self.line(path, raw, max)?;
        noted::note(path, &Noted::Slug);
        if text::is_slug(&line) { Some(line) } else { self.refuse(path, Rule::NotSlug) }
    }

    /// An amount of at least a hundredth.
    pub fn amount<'a>(
        &mut self,
        path: &'static str,
        raw: &'a RawValue,
        currency: Option<Currency>,
    ) -> Option<AmountField<'a>> {
        let amount = self.any_amount(path, raw, currency)?;
        let is_enough = amount.value >= Decimal::new(MIN_HUNDREDTHS, 2);
        if is_enough { Some(amount) } else { self.refuse(path, Rule::AmountTooSmall) }
    }

    /// An amount, which may be zero.
    pub(crate) fn any_amount<'a>(
        &mut self,
        path: &'static str,
        raw: &'a RawValue,
        currency: Option<Currency>,
    ) -> Option<AmountField<'a>> {
        noted::note(path, &Noted::Amount);
        let text = self.amount_text(path, raw)?;
        // Without a currency, whose own violation is already noted, only the number of decimals cannot be
        // checked.
        let read = match currency {
            Some(currency) => Money::parse(&text, currency).map(|money| (money.to_decimal(), Some(money))),
            None => decimal::lex(&text).map(|value| (value, None)).map_err(AmountError::from),
        };
        match read {
            Ok((value, money)) => Some(AmountField { text, value, money }),
            Err(error) => self.refuse(path, Rule::Amount(error)),
        }
    }

    /// A calendar date, returned as `YYYY-MM-DD`.
    pub fn date(&mut self, path: &'static str, raw: &RawValue) -> Option<String> {
        noted::note(path, &Noted::Date);
        let text = self.text(path, raw)?;
        match Date::parse(&text) {
            Some(date) => Some(date.to_string()),
            None => self.refuse(path, Rule::NotDate),
        }
    }

    /// A date and time.
    pub(crate) fn date_time(&mut self, path: &'static str, raw: &RawValue) -> Option<Timestamp> {
        noted::note(path, &Noted::DateTime);
        let text = self.text(path, raw)?;
        match Timestamp::parse(&text) {
            Some(at) => Some(at),
            None => self.refuse(path, Rule::NotDateTime),
        }
    }

    /// A period of time from one second to `longest`: text, or a JSON number of seconds.
    pub fn period(&mut self, path: &'static str, raw: &RawValue, longest: Duration) -> Option<Duration> {
        noted::note(path, &Noted::Period(longest.as_secs()));
        let json = raw.get();
        let text = if json.starts_with('"') { self.text(path, raw)? } else { Cow::Borrowed(json) };
        match period::parse_period(&text) {
            Some(period) if (Duration::from_secs(1)..=longest).contains(&period) => Some(period),
            Some(_) => self.refuse(path, Rule::PeriodOutOfRange),
            None => self.refuse(path, Rule::NotPeriod),
        }
    }

    /// The web address of a merchant.
    pub fn address(&mut self, path: &'static str, raw: &RawValue, reach: Reach) -> Option<WebAddress> {
        noted::note(path, &Noted::Address);
        let text = self.text(path, raw)?;
        match WebAddress::parse(&text, reach) {
            Ok(address) => Some(address),
            Err(error) => self.refuse(path, Rule::Address(error)),
        }
    }
}

impl Fields {
    /// Where notifications go: the web address of a merchant, and never the installation itself.
    pub fn receiver(
        &mut self,
        path: &'static str,
        raw: &RawValue,
        installation: &Installation,
    ) -> Option<WebAddress> {
        let address = self.address(path, raw, installation.reach)?;
        if installation.may_notify(&address) {
            Some(address)
        } else {
            self.refuse(path, Rule::OwnAddress { has_sandbox: installation.has_sandbox })
        }
    }
}

/// The flag that a value represents; `None` for any other value.
pub(crate) fn read_flag(raw: &RawValue) -> Option<bool> {
    match raw.get() {
        "true" | "\"true\"" | "\"1\"" => Some(true),
        "false" | "\"false\"" | "\"0\"" => Some(false),
        _ => None,
    }
}

/// Whether a value is the blank text, which an optional field reads as absent.
#[must_use]
pub fn is_blank(raw: &RawValue) -> bool {
    raw.get() == "\"\""
}

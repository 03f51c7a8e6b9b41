//! The parameters of a query: a blank one counts as left out, an unknown one is ignored, and every wrong one is reported.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use crate::rejection::Rejection;
use crate::value::text;
use crate::violation::{Rule, Violations};

/// The most rows of a page of any list.
pub(crate) const MAX_LIMIT: u32 = 100;

/// The parameters of one query while they are read.
pub(crate) struct Parameters<'a> {
    given: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    /// What is wrong with them.
    pub(crate) found: Violations,
}

impl<'a> Parameters<'a> {
    /// The parameters that are not blank.
    pub(crate) fn of(query: &'a str) -> Self {
        let given = form_urlencoded::parse(query.as_bytes()).filter(|(_, value)| !value.is_empty());
        Self { given: given.collect(), found: Violations::default() }
    }

    /// Every value of a parameter.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.given.iter().filter(move |(known, _)| known == name).map(|(_, value)| &**value)
    }

    /// The value of a parameter that may be given once.
    fn once(&mut self, name: &'static str) -> Option<Cow<'a, str>> {
        let mut values = self.given.iter().filter(|(known, _)| known == name).map(|(_, value)| value.clone());
        let value = values.next()?;
        if values.next().is_some() {
            self.found.add(name, Rule::Repeated);
            return None;
        }
        Some(value)
    }

    /// A value that `parse` reads; `rule` says what it must be.
    pub(crate) fn read<T>(
        &mut self,
        name: &'static str,
        rule: Rule,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let text = self.once(name)?;
        let value = parse(&text);
        if value.is_none() {
            self.found.add(name, rule);
        }
        value
    }

    /// A line of at most `max` characters.
    pub(crate) fn line(&mut self, name: &'static str, max: usize) -> Option<String> {
        let value = self.once(name)?;
        match text::check_line(&value, max) {
            Ok(()) => Some(value.into_owned()),
            Err(error) => {
                self.found.add(name, Rule::from(error));
                None
            }
        }
    }

    /// How many rows a page has: `limit` in plain digits from 1 to [`MAX_LIMIT`], or `default`.
    pub(crate) fn limit(&mut self, default: u32) -> u32 {
        let rule = Rule::NotInteger { min: 1, max: i64::from(MAX_LIMIT) };
        let parse = |text: &str| {
            let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse().ok().filter(|limit| is_plain && (1..=MAX_LIMIT).contains(limit))
        };
        self.read("limit", rule, parse).unwrap_or(default)
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// [`Rejection::Invalid`] with the violations in the order in which the parameters were read.
    pub(crate) fn finish(self) -> Result<(), Rejection> {
        if self.found.is_empty() { Ok(()) } else { Err(Rejection::Invalid(self.found.into_vec())) }
    }
}

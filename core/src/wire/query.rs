//! The parameters of a query, as the table of endpoints declares them. Every wrong one is reported.
//!
//! Decisions: an unknown parameter is refused by name, because an unknown filter that is ignored shows every record; so is
//! a filter without a value, which a caller means whose own value is missing, and one that is given twice. A page without a
//! value (`cursor=`, `before=`, `limit=`) is the first one of the usual length. What clients add to every address and what
//! no record could be found by is ignored: `format=json`, and the parameters that only keep caches from answering.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use crate::rejection::Rejection;
use crate::route::{EndpointFacts, Query};
use crate::value::text;
use crate::violation::{Rule, Violations};

/// The most rows of a page of any list.
pub const MAX_LIMIT: u32 = 100;

/// The parameters that choose a page. Without a value they are left out.
const OF_PAGES: [&str; 3] = ["cursor", "before", "limit"];
/// What JavaScript libraries add, so that no cache answers.
const AGAINST_CACHES: [&str; 7] = ["_", "_dc", "_t", "_ts", "cb", "nocache", "cachebuster"];
/// What frameworks of REST clients add to choose between formats, of which there is one.
const FORMAT: &str = "format";
/// The only format.
const FORMATS: &[&str] = &["json"];
/// The most unknown parameters that are reported, and the most characters of their names.
const MOST_UNKNOWN: usize = 10;
const MAX_NAME: usize = 64;

/// Refuses the parameters of an endpoint that has none. Those of others are read by their flows.
///
/// # Errors
/// [`Rejection::Invalid`] with the names of those that were given.
pub fn check(facts: &EndpointFacts, method: &str, query: &str) -> Result<(), Rejection> {
    if query.is_empty() || !facts.query.names().is_empty() || !facts.refuses_unknown_parameters(method) {
        return Ok(());
    }
    Parameters::of(query, facts.query).finish()
}

/// The parameters of one query while they are read.
pub(crate) struct Parameters<'a> {
    declared: Query,
    given: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    /// What is wrong with them.
    pub(crate) found: Violations,
}

impl<'a> Parameters<'a> {
    /// The parameters of a query that may have those that are declared.
    pub(crate) fn of(query: &'a str, declared: Query) -> Self {
        let given = form_urlencoded::parse(query.as_bytes()).collect();
        Self { declared, given, found: Violations::default() }
    }

    /// Every value of a parameter that may be given more than once.
    pub(crate) fn all(&mut self, name: &'static str) -> Vec<Cow<'a, str>> {
        debug_assert!(self.declared.names().contains(&name), "the table does not declare {name}");
        let given = self.given.iter().filter(|(known, _)| known == name).map(|(_, value)| value.clone());
        let values: Vec<_> = given.filter(|value| !value.is_empty() || !OF_PAGES.contains(&name)).collect();
        if values.iter().any(|value| value.is_empty()) {
            self.found.add(name, Rule::EmptyParameter);
            return Vec::new();
        }
        values
    }

    /// The value of a parameter that may be given once.
    fn once(&mut self, name: &'static str) -> Option<Cow<'a, str>> {
        let mut values = self.all(name).into_iter();
        let value = values.next()?;
        if values.next().is_some() {
            self.found.add(name, Rule::Repeated);
            return None;
        }
        Some(value)
    }

    /// A value that `read` reads, and that must be given.
    pub(crate) fn required<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&mut Self, &'static str) -> Option<T>,
    ) -> Option<T> {
        let value = read(self, name);
        if value.is_none() && !self.found.has(name) {
            self.found.add(name, Rule::Required);
        }
        value
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
    /// [`Rejection::Invalid`] with the violations in the order in which the parameters were read, and then the unknown ones.
    pub(crate) fn finish(mut self) -> Result<(), Rejection> {
        self.refuse_unknown();
        if self.found.is_empty() { Ok(()) } else { Err(Rejection::Invalid(self.found.into_vec())) }
    }

    fn refuse_unknown(&mut self) {
        let names = self.declared.names();
        let unknown = self
            .given
            .iter()
            .filter(|(name, _)| !names.contains(&&**name) && !AGAINST_CACHES.contains(&&**name));
        let mut reported = Vec::new();
        for (name, value) in unknown {
            let name: String =
                if name.is_empty() { "?".into() } else { name.chars().take(MAX_NAME).collect() };
            if name == FORMAT && FORMATS.contains(&&**value) || reported.contains(&name) {
                continue;
            }
            if reported.len() == MOST_UNKNOWN {
                break;
            }
            let rule = if name == FORMAT { Rule::OneOf(FORMATS) } else { Rule::UnknownParameter(names) };
            self.found.add(name.clone(), rule);
            reported.push(name);
        }
    }
}

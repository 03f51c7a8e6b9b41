//! Collecting what is wrong, so that all of it is reported at once.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::{Rule, Violation};

/// Collects violations in the order in which the fields are read.
#[derive(Debug, Default)]
pub(crate) struct Violations(Vec<Violation>);

impl Violations {
    /// Notes one more violation.
    pub(crate) fn add(&mut self, path: impl Into<Cow<'static, str>>, rule: Rule) {
        self.0.push(Violation::new(path, rule));
    }

    /// Whether no violation was noted.
    #[must_use]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a violation of the field `path` was already noted.
    #[must_use]
    pub(crate) fn has(&self, path: &str) -> bool {
        self.0.iter().any(|violation| violation.path == path)
    }

    /// Whether a violation of the field `path` or of something in it was already noted.
    #[must_use]
    pub(crate) fn has_within(&self, path: &str) -> bool {
        let is_within = |found: &str| {
            found.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.0.iter().any(|violation| is_within(&violation.path))
    }

    /// All that was found in a form: what is `wrong` with the form itself replaces what its reader found in
    /// the same place.
    #[must_use]
    pub(crate) fn of_form(wrong: &[Violation], found: Vec<Violation>) -> Vec<Violation> {
        let known = Self(wrong.to_vec());
        let is_new = |violation: &Violation| {
            let field = |path: &str| path.split('.').next().is_some_and(|field| known.has_within(field));
            !field(&violation.path)
        };
        let found: Vec<Violation> = found.into_iter().filter(is_new).collect();
        [known.0, found].concat()
    }

    /// All that was found, in order.
    #[must_use]
    pub(crate) fn into_vec(self) -> Vec<Violation> {
        self.0
    }
}

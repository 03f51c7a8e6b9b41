//! Which refunds and voids another person has to permit.

use alloc::vec::Vec;
use core::time::Duration;

use crate::value::money::{Currency, Money};
use crate::words::ChildOperation;

/// Which operations have to be approved, by how many persons, and how long they can be; and how much one person refunds in a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovalPolicy {
    /// The operations; none of them without a policy.
    pub operations: Vec<ChildOperation>,
    /// Above which amount, one for a currency; in any other currency every amount has to be approved.
    pub above: Vec<Money>,
    /// How much one person may refund in a day without another one, one amount for a currency, and nothing in any other; empty
    /// without a limit.
    pub a_day: Vec<Money>,
    /// How many persons have to approve, each another one and none of them who asks.
    pub approvers: u8,
    /// Whether keys of the API have to ask too; users always have to.
    pub binds_keys: bool,
    /// How long a request can be approved.
    pub life: Duration,
}

impl Default for ApprovalPolicy {
    fn default() -> Self {
        Self {
            operations: Vec::new(),
            above: Vec::new(),
            a_day: Vec::new(),
            approvers: 1,
            binds_keys: false,
            life: Self::USUAL_LIFE,
        }
    }
}

impl ApprovalPolicy {
    /// How long a request can be approved if the settings do not say.
    pub(crate) const USUAL_LIFE: Duration = Duration::from_hours(48);
    /// The hours that they can say.
    pub(crate) const HOURS: (u32, u32) = (1, 720);
    /// The operations that they can name.
    pub(crate) const OPERATIONS: &'static [&'static str] = &["refund", "void"];

    /// Whether anything has to be approved.
    #[must_use]
    pub(crate) fn is_set(&self) -> bool {
        !self.operations.is_empty()
    }

    /// Whether an operation has to be approved that would bring to `total` what is moved without approval.
    #[must_use]
    pub(crate) fn covers(&self, operation: ChildOperation, total: Money) -> bool {
        let limit = self.above.iter().find(|limit| limit.currency() == total.currency());
        self.operations.contains(&operation) && limit.is_none_or(|limit| total.minor() > limit.minor())
    }

    /// How much one person may refund in a day in a currency; `None` without a limit.
    #[must_use]
    pub(crate) fn limit_a_day(&self, currency: Currency) -> Option<Money> {
        let own = self.a_day.iter().copied().find(|limit| limit.currency() == currency);
        own.or_else(|| (!self.a_day.is_empty()).then(|| Money::zero(currency)))
    }

    /// An operation that has to be approved, by its word.
    #[must_use]
    pub(crate) fn parse_operation(word: &str) -> Option<ChildOperation> {
        ChildOperation::parse(word).filter(|operation| *operation != ChildOperation::Capture)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn money(text: &str, code: &str) -> Money {
        Money::parse(text, Currency::parse(code).unwrap()).unwrap()
    }

    #[test]
    fn what_is_above_the_amount_of_its_currency_is_covered_and_every_amount_of_any_other() {
        let policy = ApprovalPolicy {
            operations: [ChildOperation::Refund].into(),
            above: [money("50.000", "KWD")].into(),
            ..ApprovalPolicy::default()
        };
        let covers = |text, code| policy.covers(ChildOperation::Refund, money(text, code));
        assert!(!covers("50.000", "KWD") && covers("50.001", "KWD") && covers("0.01", "USD"));
        assert!(!policy.covers(ChildOperation::Void, money("100.000", "KWD")));
        assert!(!ApprovalPolicy::default().covers(ChildOperation::Refund, money("100.000", "KWD")));
    }

    #[test]
    fn a_day_has_a_limit_in_its_currency_and_none_is_left_in_any_other() {
        let policy = ApprovalPolicy { a_day: [money("50.000", "KWD")].into(), ..ApprovalPolicy::default() };
        let limit = |policy: &ApprovalPolicy, code| policy.limit_a_day(Currency::parse(code).unwrap());
        assert_eq!(limit(&policy, "KWD"), Some(money("50.000", "KWD")));
        assert_eq!(limit(&policy, "USD").map(|limit| limit.is_zero()), Some(true));
        assert_eq!(limit(&ApprovalPolicy::default(), "KWD"), None);
    }
}

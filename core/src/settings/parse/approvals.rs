//! `approvals`: which refunds and voids another person has to permit.

use alloc::vec::Vec;
use core::time::Duration;

use super::reader::{At, DocumentReader, join};
use crate::rejection::Rejection;
use crate::settings::approvals::ApprovalPolicy;
use crate::value::money::{Currency, Money};
use crate::violation::{Rule, Violations};
use crate::wire::members::Members;

/// The member of the document.
pub(crate) const APPROVALS: &str = "approvals";
/// Its members.
const MEMBERS: [&str; 6] = ["operations", "above", "a_day", "approvers", "keys", "hours"];

/// Reads a policy that is not in a settings document, with the paths that its members have there.
///
/// # Errors
/// [`Rejection::Invalid`] with every violation, or [`Rejection::MalformedBody`].
pub(crate) fn read_approvals(text: &str) -> Result<ApprovalPolicy, Rejection> {
    let mut found = Violations::default();
    let mut reader = DocumentReader { found: &mut found, installation: None, rates: Vec::new() };
    let policy = reader.policy(&Members::read(text.as_bytes())?);
    if found.is_empty() { Ok(policy) } else { Err(Rejection::Invalid(found.into_vec())) }
}

impl DocumentReader<'_> {
    /// A name that is not known is refused: who writes one expects that it protects something.
    pub(super) fn approvals(&mut self, root: &Members<'_>) -> ApprovalPolicy {
        let object = root.get(APPROVALS).and_then(|_| self.object("", root, APPROVALS));
        object.map_or_else(ApprovalPolicy::default, |object| self.policy(&object))
    }

    fn policy(&mut self, object: &Members<'_>) -> ApprovalPolicy {
        let usual = ApprovalPolicy::default();
        for (name, _) in object.all().filter(|(name, _)| !MEMBERS.contains(name)) {
            self.found.add(join(APPROVALS, name), Rule::NotKnown);
        }
        let at = |name| At { base: APPROVALS, name };
        let words = ApprovalPolicy::OPERATIONS;
        let operations = self.words(at("operations"), object, words, ApprovalPolicy::parse_operation);
        let above = self.amounts_of(object, "above");
        let a_day = self.amounts_of(object, "a_day");
        if operations.is_empty() && a_day.is_empty() && self.found.is_empty() {
            self.found.add(join(APPROVALS, "operations"), Rule::Required);
        }
        let approvers = self.number_within(at("approvers"), object, usual.approvers.into(), 1..=2);
        let (fewest, most) = ApprovalPolicy::HOURS;
        let hours = u32::try_from(usual.life.as_secs() / 3600).unwrap_or(most);
        let hours = self.number_within(at("hours"), object, hours, fewest..=most);
        ApprovalPolicy {
            operations,
            above,
            a_day,
            approvers: u8::try_from(approvers).unwrap_or(usual.approvers),
            binds_keys: self.flag(APPROVALS, object, "keys", usual.binds_keys),
            life: Duration::from_hours(hours.into()),
        }
    }

    /// An amount for each currency that is named.
    fn amounts_of(&mut self, object: &Members<'_>, member: &'static str) -> Vec<Money> {
        let Some(amounts) = object.get(member).and_then(|_| self.object(APPROVALS, object, member)) else {
            return Vec::new();
        };
        let path = join(APPROVALS, member);
        let mut found: Vec<Money> = Vec::new();
        for (name, _) in amounts.all() {
            match Currency::parse(name) {
                None => self.found.add(join(&path, name), Rule::UnknownCurrency),
                Some(currency) if found.iter().any(|known| known.currency() == currency) => {
                    self.found.add(join(&path, name), Rule::Repeated);
                }
                Some(currency) => {
                    found.extend(self.limit(At { base: &path, name }, &amounts, currency));
                }
            }
        }
        found
    }
}

//! What the requests have in common by which an installation, and the access to a merchant, are administered.

use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::value::RawValue;

use crate::access::grantor::Grantor;
use crate::access::permission::{Permission, Permissions};
use crate::value::text::check_line;
use crate::value::time::Timestamp;
use crate::violation::{AccessRule, Rule};
use crate::wire::field::Fields;
use crate::wire::members::Members;
use crate::wire::noted::{self, Noted};

/// The most permissions of one user or key.
const MAX_PERMISSIONS: usize = 256;

/// What a key or an operator is called: a line that is not blank.
pub(super) fn name(fields: &mut Fields, path: &'static str, raw: &RawValue, max: usize) -> Option<String> {
    noted::note(path, &Noted::Text(max));
    noted::note(path, &Noted::NotBlank);
    fields.checked(path, raw, |name| match name.trim() {
        "" => Err(Rule::Blank),
        _ => check_line(name, max).map(|()| name.to_string()).map_err(Rule::from),
    })
}

/// Between which moments what is made may end.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Now.
    pub now: Timestamp,
    /// When the key ends by which the caller acts: what it makes may not outlive it.
    pub end: Option<Timestamp>,
}

/// From when something is no longer valid: in the future, and no later than the access of who makes it ends.
pub(super) fn expiry(fields: &mut Fields, members: &Members<'_>, limits: Limits) -> Option<Timestamp> {
    noted::note("expires_at", &Noted::DateTime);
    let outlives = |at: Option<Timestamp>| limits.end.is_some_and(|end| at.is_none_or(|at| at > end));
    let Some(raw) = members.get("expires_at") else {
        if outlives(None) {
            fields.violation("expires_at", Rule::Access(AccessRule::NotOwn));
        }
        return None;
    };
    fields.checked("expires_at", raw, |text| match Timestamp::parse(text) {
        None => Err(Rule::NotDateTime),
        Some(at) if at <= limits.now => Err(Rule::NotInFuture),
        Some(at) if outlives(Some(at)) => Err(Rule::Access(AccessRule::NotOwn)),
        Some(at) => Ok(at),
    })
}

/// A list of permissions, each of which `is_fit`, and which the grantor has.
pub(super) fn permissions(
    fields: &mut Fields,
    raw: &RawValue,
    grantor: Grantor<'_>,
    is_fit: impl Fn(&Permission) -> Result<(), AccessRule>,
) -> Option<Permissions> {
    let mut list: Vec<Permission> = Vec::new();
    for (place, item) in fields.items("permissions", raw, MAX_PERMISSIONS)?.into_iter().enumerate() {
        let read = match Fields::decode_text(item) {
            Ok(text) => Permission::parse(&text).ok_or(Rule::Access(AccessRule::NotPermission)),
            Err(rule) => Err(rule),
        };
        let checked = read.and_then(|permission| {
            is_fit(&permission).map_err(Rule::Access)?;
            let is_own = grantor.has(&permission);
            if is_own { Ok(permission) } else { Err(Rule::Access(AccessRule::NotOwn)) }
        });
        match checked {
            Ok(permission) if list.contains(&permission) => {}
            Ok(permission) => list.push(permission),
            Err(rule) => fields.violation(alloc::format!("permissions.{place}"), rule),
        }
    }
    Some(list.into())
}

/// Refuses members that are not known: everything said about access decides what is permitted.
pub(super) fn refuse_unknown(fields: &mut Fields, members: &Members<'_>, known: &[&str]) {
    noted::note("", &Noted::Closed);
    let mut unknown = BTreeSet::new();
    for (name, _) in members.all().filter(|(name, _)| !known.contains(name)) {
        unknown.insert(name);
    }
    for name in &unknown {
        fields.violation(name.to_string(), Rule::NotKnown);
    }
}

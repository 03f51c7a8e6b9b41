//! Which permissions someone lacks, by their names.

use alloc::string::String;
use alloc::vec::Vec;

use super::permission::{Permission, Permissions};
use super::{Caller, Rights, may_at_all, permits_at_all};
use crate::route::Action;

/// The permissions that someone lacks for an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingPermissions {
    /// Their names; none if only someone who may do everything may do it.
    pub names: Vec<String>,
    /// Whether one of them is enough.
    pub is_any: bool,
}

/// What a caller lacks for an action; `None` if nothing.
#[must_use]
pub fn missing(caller: &Caller, action: Action) -> Option<MissingPermissions> {
    if action == Action::Anything || may_at_all(&caller.rights, action).is_ok() {
        return None;
    }
    let own: Vec<Permission> = match &caller.rights {
        Rights::User(user) => user.permissions.iter().cloned().collect(),
        Rights::Key(_, scope) => scope.iter().flat_map(Permissions::iter).cloned().collect(),
    };
    let others: Vec<Permission> = Permission::of_users().filter(|one| !own.contains(one)).collect();
    let permits = |more: &[&Permission]| {
        let all: Vec<Permission> = own.iter().chain(more.iter().copied()).cloned().collect();
        permits_at_all(&Permissions::from(all), action)
    };
    let enough: Vec<&Permission> = others.iter().filter(|one| permits(&[one])).collect();
    if !enough.is_empty() {
        let names = enough.into_iter().map(Permission::name).collect();
        return Some(MissingPermissions { names, is_any: true });
    }
    // Those that are left when each that can be done without is taken away.
    let mut needed: Vec<&Permission> = others.iter().collect();
    if !permits(&needed) {
        needed.clear();
    }
    for one in &others {
        let without: Vec<&Permission> = needed.iter().copied().filter(|other| *other != one).collect();
        if without.len() < needed.len() && permits(&without) {
            needed = without;
        }
    }
    Some(MissingPermissions { names: needed.into_iter().map(Permission::name).collect(), is_any: false })
}

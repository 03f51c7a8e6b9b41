//! The roles of a merchant's users: each fills the permissions of a user in, which stay editable one by one.

use alloc::vec::Vec;

use super::permission::{Permission, Permissions};
use crate::operation::command::Command;
use crate::value::id::PgCode;
use crate::words::role::StaffRole;
use crate::words::{ChildOperation, Plugin};

/// A row of the table: what a role has, for every plugin and by name.
struct RoleRights {
    views: bool,
    sells: bool,
    named: &'static [Permission],
}

impl StaffRole {
    /// The table. How much someone of a role may give back is not decided here: the merchant's policy of approvals says from
    /// which amount a second person is needed.
    const fn row(self) -> RoleRights {
        const REFUND: Permission = Permission::Operate(Command::Move(ChildOperation::Refund));
        const VOID: Permission = Permission::Operate(Command::Move(ChildOperation::Void));
        use Permission::{Approve, Export, Inquire, ManageAccess, SeePersonalData};
        match self {
            Self::Viewer => RoleRights { views: true, sells: false, named: &[] },
            Self::Cashier => RoleRights { views: true, sells: true, named: &[] },
            Self::Support => {
                RoleRights { views: true, sells: true, named: &[Inquire, REFUND, VOID, SeePersonalData] }
            }
            Self::Finance => RoleRights { views: true, sells: false, named: &[Approve, Export] },
            Self::Developer => {
                RoleRights { views: true, sells: false, named: &[Inquire, ManageAccess, SeePersonalData] }
            }
            // Needs none of them: see `is_superuser`.
            Self::Owner => RoleRights { views: false, sells: false, named: &[] },
        }
    }

    /// Whether the role is that of someone who may do everything.
    #[must_use]
    pub const fn is_superuser(self) -> bool {
        matches!(self, Self::Owner)
    }

    /// The permissions that the role fills in, at a merchant with these gateways.
    pub(crate) fn permissions<'a>(self, gateways: impl Iterator<Item = &'a PgCode>) -> Permissions {
        let row = self.row();
        let mut list: Vec<Permission> = Vec::new();
        if row.views {
            list.extend(Plugin::ALL.map(Permission::View));
        }
        if row.sells {
            list.extend(Plugin::ALL.map(Permission::Add));
            list.extend(Plugin::ALL.map(Permission::Change));
            list.extend(gateways.cloned().map(Permission::UseGateway));
        }
        list.extend(row.named.iter().cloned());
        list.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(role: StaffRole) -> Vec<alloc::string::String> {
        role.permissions([PgCode::parse("knet").unwrap()].iter()).names()
    }

    #[test]
    fn no_role_has_what_the_table_of_the_design_denies_it() {
        let denied: [(StaffRole, &[&str]); 5] = [
            (
                StaffRole::Viewer,
                &["personal", "export", "add", "change", "use", "payment.", "manage", "approve"],
            ),
            (StaffRole::Cashier, &["payment.", "manage", "approve"]),
            (StaffRole::Support, &["manage", "approve", "delete", "capture"]),
            (StaffRole::Finance, &["add", "change", "use", "payment.", "manage"]),
            (
                StaffRole::Developer,
                &["add", "change", "use", "refund", "void", "capture", "cancel", "approve"],
            ),
        ];
        for (role, parts) in denied {
            for name in names(role) {
                let has = |part: &&str| name.to_lowercase().contains(*part);
                assert!(!parts.iter().any(has), "{role:?} has {name}");
            }
        }
        assert!(StaffRole::Owner.is_superuser() && names(StaffRole::Owner).is_empty());
    }

    #[test]
    fn each_role_of_the_shop_has_what_the_one_before_has() {
        let order = [StaffRole::Viewer, StaffRole::Cashier, StaffRole::Support];
        for pair in order.windows(2) {
            let more = names(pair[1]);
            assert!(
                names(pair[0]).iter().all(|name| more.contains(name)) && more.len() > names(pair[0]).len()
            );
        }
        assert!(names(StaffRole::Cashier).contains(&"Can use knet".into()));
    }

    #[test]
    fn a_role_has_only_what_users_can_have_and_nothing_twice() {
        for role in StaffRole::ALL {
            let permissions = role.permissions([].into_iter());
            assert!(permissions.iter().all(|one| !one.is_for_keys()), "{role:?}");
            for (place, one) in permissions.iter().enumerate() {
                assert!(!permissions.iter().take(place).any(|other| other == one), "{one:?}");
            }
        }
    }
}

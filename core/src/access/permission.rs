//! What a user, or a key with a scope, may do: the permissions with the names that the specification gives them.

use alloc::format;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::operation::command::Command;
use crate::value::id::PgCode;
use crate::words::{ChildOperation, Plugin};

/// One thing that someone may do for a merchant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Permission {
    /// Create payment transactions of a plugin.
    Add(Plugin),
    /// Update them.
    Change(Plugin),
    /// Retrieve them; who may create or update may do that too.
    View(Plugin),
    /// Use a gateway.
    UseGateway(PgCode),
    /// Do this to payments.
    Operate(Command),
    /// Inquire about payments.
    Inquire,
    /// List and delete saved cards. For keys only.
    ManageCards,
    /// Acknowledge payments in cash. For keys only.
    AcknowledgeCash,
    /// Manage the merchant's own users and keys.
    ManageAccess,
    /// Approve refunds and voids that someone else asks for. For users only.
    Approve,
    /// See at the desk what identifies a payer. For users only: a key sees what its server wrote.
    SeePersonalData,
    /// Export payments as a table.
    Export,
}

/// Permissions that have one name.
const NAMED: [(&str, Permission); 19] = [
    ("Can add e-commerce payments", Permission::Add(Plugin::ECommerce)),
    ("Can add payment requests", Permission::Add(Plugin::PaymentRequest)),
    ("Can change e-commerce payments", Permission::Change(Plugin::ECommerce)),
    ("Can change payment requests", Permission::Change(Plugin::PaymentRequest)),
    ("Can view e-commerce payments", Permission::View(Plugin::ECommerce)),
    ("Can view payment requests", Permission::View(Plugin::PaymentRequest)),
    ("payment.capture", Permission::Operate(Command::Move(ChildOperation::Capture))),
    ("payment.refund", Permission::Operate(Command::Move(ChildOperation::Refund))),
    ("payment.void", Permission::Operate(Command::Move(ChildOperation::Void))),
    ("payment.cancel", Permission::Operate(Command::Cancel)),
    ("payment.expire", Permission::Operate(Command::Expire)),
    ("payment.delete", Permission::Operate(Command::Delete)),
    ("payment.inquiry", Permission::Inquire),
    ("Can manage cards", Permission::ManageCards),
    ("Can acknowledge cash", Permission::AcknowledgeCash),
    ("Can manage access", Permission::ManageAccess),
    ("Can approve", Permission::Approve),
    ("Can see personal data", Permission::SeePersonalData),
    ("Can export payments", Permission::Export),
];
/// How the permission to use a gateway begins, before the gateway's code.
const USE: &str = "Can use ";

impl Permission {
    /// The names of all permissions; [`UseGateway`](Self::UseGateway) has one for each gateway.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMED.iter().map(|(name, _)| *name).chain(["Can use <pg_code>"])
    }

    /// Those that users can have and that have one name.
    pub(crate) fn of_users() -> impl Iterator<Item = Self> {
        NAMED.iter().map(|(_, permission)| permission.clone()).filter(|permission| !permission.is_for_keys())
    }

    /// The permission with a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        if let Some(code) = name.strip_prefix(USE) {
            return PgCode::parse(code).map(Self::UseGateway);
        }
        NAMED.iter().find(|(known, _)| *known == name).map(|(_, permission)| permission.clone())
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> String {
        if let Self::UseGateway(code) = self {
            return format!("{USE}{code}");
        }
        let named = NAMED.iter().find(|(_, permission)| permission == self);
        named.map(|(name, _)| (*name).to_string()).unwrap_or_default()
    }

    /// Whether only keys can have it: it is about the money or the cards of every customer, and no user is asked for it.
    #[must_use]
    pub(crate) const fn is_for_keys(&self) -> bool {
        matches!(self, Self::ManageCards | Self::AcknowledgeCash)
    }

    /// Whether only users can have it: it is the word of a person, or what a person sees.
    #[must_use]
    pub(crate) const fn is_for_users(&self) -> bool {
        matches!(self, Self::Approve | Self::SeePersonalData)
    }
}

/// The permissions of one user or key.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Permissions(Rc<[Permission]>);

impl Permissions {
    /// Reads what [`text`](Self::text) wrote; `None` if a name is not known.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let names = text.split(',').filter(|name| !name.is_empty());
        names.map(Permission::parse).collect::<Option<Vec<Permission>>>().map(Self::from)
    }

    /// The names, separated by commas: no name has one.
    #[must_use]
    pub fn text(&self) -> String {
        self.names().join(",")
    }

    /// The names, in the order in which they were given.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.0.iter().map(Permission::name).collect()
    }

    /// Whether one of them is this one.
    #[must_use]
    pub fn has(&self, permission: &Permission) -> bool {
        self.0.contains(permission)
    }

    /// These, and after them those of another list that are not among them.
    #[must_use]
    pub(crate) fn and(&self, others: &Self) -> Self {
        let more = others.iter().filter(|one| !self.has(one));
        self.iter().chain(more).cloned().collect::<Vec<Permission>>().into()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Permission> {
        self.0.iter()
    }
}

impl From<Vec<Permission>> for Permissions {
    fn from(list: Vec<Permission>) -> Self {
        Self(list.into())
    }
}

impl fmt::Display for Permissions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_back_as_it_was_written() {
        for (name, permission) in NAMED {
            assert_eq!(Permission::parse(name), Some(permission.clone()));
            assert_eq!(permission.name(), name);
            assert!(!name.contains(','), "names are separated by commas");
        }
        let used = Permission::parse("Can use credit-card").unwrap();
        assert_eq!(used, Permission::UseGateway(PgCode::parse("credit-card").unwrap()));
        assert_eq!(used.name(), "Can use credit-card");
    }

    #[test]
    fn what_is_almost_a_name_is_none() {
        for name in [
            "",
            "can add payment requests",
            "Can use ",
            "Can use a b",
            "payment.*",
            "Can add payment requests ",
        ] {
            assert_eq!(Permission::parse(name), None, "{name:?}");
        }
    }

    #[test]
    fn a_list_is_read_back_as_it_was_written() {
        let list = Permissions::parse("Can use knet,payment.refund,Can add payment requests").unwrap();
        assert_eq!(list.text(), "Can use knet,payment.refund,Can add payment requests");
        assert_eq!(Permissions::parse("").map(|none| none.text()), Some(String::new()));
        assert_eq!(Permissions::parse("payment.refund,everything"), None);
    }
}

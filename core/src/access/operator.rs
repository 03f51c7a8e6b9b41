//! Operators of the installation: the one whose token is a secret of the Worker, and those that are stored with a key.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};

use super::key::{ApiKey, KeyKind};
use crate::record::audit::{Actor, ActorKind};
use crate::value::id::OperatorId;
use crate::words::role::Role;

/// How the key of an operator begins, so that it is known for what it is wherever it turns up.
const BEGINNING: &str = "op_";

/// An operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operator {
    /// The number.
    pub id: OperatorId,
    /// What people call it.
    pub name: Cow<'static, str>,
    /// What it may do.
    pub role: Role,
}

/// The operator whose token is a secret of the Worker: it makes the others, and cannot be revoked.
pub const ROOT: Operator = Operator { id: OperatorId(0), name: Cow::Borrowed("root"), role: Role::Admin };

impl Operator {
    /// As the audit names it.
    #[must_use]
    pub fn actor(&self) -> Actor {
        Actor {
            kind: ActorKind::Operator,
            id: self.id.to_string(),
            name: Some(self.name.to_string()),
            role: Some(self.role),
        }
    }
}

/// The text of an operator's key: that of a private key, with a beginning of its own.
#[must_use]
pub(crate) fn key_text(key: &ApiKey) -> String {
    format!("{BEGINNING}{}", key.text())
}

/// Reads the text of an operator's key; `None` for a text of another form.
#[must_use]
pub(crate) fn parse_key(text: &str) -> Option<ApiKey> {
    text.strip_prefix(BEGINNING).and_then(ApiKey::parse).filter(|key| key.kind() == KeyKind::Private)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRIVATE: &str = "aB3dE6gH.0123456789abcdefghijABCDEFGHIJ45";

    #[test]
    fn the_key_of_an_operator_is_read_back_and_no_other_text_is_one() {
        let key = ApiKey::parse(PRIVATE).unwrap();
        assert_eq!(key_text(&key), format!("op_{PRIVATE}"));
        assert_eq!(parse_key(&key_text(&key)).map(|read| read.hash()), Some(key.hash()));
        let public = format!("op_{}", "0123456789abcdef0123456789abcdef01234567");
        for text in [PRIVATE, "op_", "OP_", &format!("op_op_{PRIVATE}"), &public, &format!("op_{PRIVATE}.x")]
        {
            assert!(parse_key(text).is_none(), "{text}");
        }
    }
}

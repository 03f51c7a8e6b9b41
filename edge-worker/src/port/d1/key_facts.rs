//! A genuine key, as it was read.

use checkout_core::access::key::{ApiKey, KeyKind};
use checkout_core::access::permission::Permissions;
use checkout_core::access::{Caller, Rights};
use checkout_core::port::{KeyHolder, PortError};
use checkout_core::settings::situation::Merchant;
use checkout_core::value::time::Timestamp;

use super::fault::corrupt;
use super::row::Row;

/// A genuine key, as it was read.
#[derive(Clone)]
pub(super) struct KeyFacts {
    hash: [u8; 32],
    kind: KeyKind,
    scope: Option<Permissions>,
    used_at: Option<Timestamp>,
    expires_at: Option<Timestamp>,
}

/// The columns of a key `c` in the order in which [`KeyFacts::read`] takes them.
macro_rules! key_columns {
    () => {
        "c.hash, c.kind, c.scope, c.used_at, c.expires_at"
    };
}
pub(super) use key_columns;

impl KeyFacts {
    pub(super) fn read(row: &mut Row) -> Result<Self, PortError> {
        let mut hash = [0; 32];
        row.word("api_key.hash", |text| hex::decode_to_slice(text, &mut hash).ok())?;
        let kind = row.word("api_key.kind", KeyKind::parse)?;
        let scope = row.optional_text("api_key.scope")?;
        let scope = scope.map(|text| Permissions::parse(&text).ok_or_else(|| corrupt("api_key.scope")));
        Ok(Self {
            hash,
            kind,
            scope: scope.transpose()?,
            used_at: row.optional_time("api_key.used_at")?,
            expires_at: row.optional_time("api_key.expires_at")?,
        })
    }

    /// Whether the key is the one.
    pub(super) fn is_of(&self, key: &ApiKey) -> bool {
        key.matches(&self.hash)
    }

    /// Whether it may be used at a moment.
    pub(super) fn is_alive(&self, now: Timestamp) -> bool {
        self.expires_at.is_none_or(|at| at > now)
    }

    /// What must be stored if it is to be used as it is remembered, with the settings of its merchant.
    pub(super) fn to_prove(&self, prefix: &str, merchant: &Merchant, now: Timestamp) -> Recalled {
        let settings = &merchant.settings;
        let values = [
            Some(prefix.to_owned()),
            Some(settings.merchant.to_string()),
            Some(hex::encode(self.hash)),
            Some(self.kind.as_str().to_owned()),
            self.scope.as_ref().map(Permissions::text),
            Some(now.millis().to_string()),
            Some(settings.version.to_string()),
        ];
        Recalled { prefix: prefix.to_owned(), values }
    }

    /// Who holds the key.
    pub(super) fn holder(self, prefix: &str, merchant: Merchant, now: Timestamp) -> KeyHolder {
        let Self { kind, scope, used_at, .. } = self;
        let rights = Rights::Key(kind, scope);
        let situation = merchant.at(now);
        KeyHolder {
            caller: Caller { rights, prefix: Some(prefix.to_owned()), is_basic: false, situation },
            used_at,
        }
    }
}

/// A key that is used as it is remembered, until it is proved.
pub(super) struct Recalled {
    pub(super) prefix: String,
    /// The values of what proves it.
    pub(super) values: [Option<String>; 7],
}

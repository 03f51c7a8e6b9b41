//! The members of a notification's body, serialised in alphabetical order.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::gateway::charge::PgParams;
use crate::sdk::card::CardShown;
use crate::transaction::CardAcceptanceCriteria;
use crate::transaction::agreement::Agreement;
use crate::transaction::initiator::Initiator;
use crate::webhook::labels::{Label, label};

/// A JSON object, its members in alphabetical order.
#[derive(Serialize, Default)]
#[serde(transparent)]
pub(crate) struct AnswerBody<'a>(pub(crate) BTreeMap<&'a str, BodyMember<'a>>);

#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum BodyMember<'a> {
    Text(Cow<'a, str>),
    Flag(bool),
    Number(i64),
    Object(AnswerBody<'a>),
    Objects(Vec<AnswerBody<'a>>),
    Card(Box<CardShown>),
    Params(Labelled<'a>),
    Agreement(&'a Agreement),
    Criteria(CardAcceptanceCriteria),
    Initiator(&'a Initiator),
    /// As it was given, byte for byte.
    Raw(&'a RawValue),
}

impl<'a> From<&'a String> for BodyMember<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(text.into())
    }
}

impl<'a> From<&'a str> for BodyMember<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text.into())
    }
}

impl From<&bool> for BodyMember<'_> {
    fn from(flag: &bool) -> Self {
        Self::Flag(*flag)
    }
}

/// A number is a text.
impl From<&u32> for BodyMember<'_> {
    fn from(number: &u32) -> Self {
        Self::Text(number.to_string().into())
    }
}

impl<'a> From<&'a Box<Agreement>> for BodyMember<'a> {
    fn from(agreement: &'a Box<Agreement>) -> Self {
        Self::Agreement(agreement)
    }
}

impl<'a> From<&'a Box<RawValue>> for BodyMember<'a> {
    fn from(raw: &'a Box<RawValue>) -> Self {
        Self::Raw(raw)
    }
}

impl<'a> AnswerBody<'a> {
    pub(crate) fn text(&mut self, name: &'a str, value: impl Into<Cow<'a, str>>) {
        self.0.insert(name, BodyMember::Text(value.into()));
    }

    pub(crate) fn optional(&mut self, name: &'a str, value: Option<impl Into<BodyMember<'a>>>) {
        if let Some(value) = value {
            self.0.insert(name, value.into());
        }
    }

    pub(crate) fn signed(&self, name: &str) -> Option<&str> {
        match self.0.get(name)? {
            BodyMember::Text(text) => Some(text),
            BodyMember::Flag(_)
            | BodyMember::Number(_)
            | BodyMember::Object(_)
            | BodyMember::Objects(_)
            | BodyMember::Card(_)
            | BodyMember::Params(_)
            | BodyMember::Agreement(_)
            | BodyMember::Criteria(_)
            | BodyMember::Initiator(_)
            | BodyMember::Raw(_) => None,
        }
    }
}

/// Names the type of a body that is written member by member: the description lists its members under that name.
macro_rules! written {
    ($(#[$meta:meta])* $kind:ident) => {
        $(#[$meta])*
        #[derive(serde::Serialize)]
        #[serde(transparent)]
        pub struct $kind<'a>($crate::answer::body::AnswerBody<'a>);

        component!($kind<'_> = stringify!($kind));
    };
}
pub(crate) use written;

/// Says under which name the description lists the members of a type.
macro_rules! component {
    ($kind:ty = $name:expr) => {
        impl schemars::JsonSchema for $kind {
            fn schema_name() -> alloc::borrow::Cow<'static, str> {
                $name.into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "$ref": alloc::format!("#/components/schemas/{}", $name) })
            }
        }
    };
}
pub(crate) use component;

/// What a gateway answered, if it is a JSON object.
pub(crate) fn raw_object(raw: Option<&str>) -> Option<&RawValue> {
    let raw = serde_json::from_str::<&RawValue>(raw?).ok()?;
    raw.get().starts_with('{').then_some(raw)
}

/// Each key with its value and its labels in both languages; keys that have no label are not sent.
pub(crate) struct Labelled<'a>(pub(crate) &'a PgParams);

impl Serialize for Labelled<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().filter_map(|(key, value)| {
            let Label { english, arabic } = label(key)?;
            Some((key, Param { value, verbose_name_ar: arabic, verbose_name_en: english }))
        }))
    }
}

/// A value of a gateway, in the alphabetical order of its members.
#[derive(Serialize)]
struct Param<'a> {
    value: &'a str,
    verbose_name_ar: &'static str,
    verbose_name_en: &'static str,
}

//! Who decided what about a request for approval, and how that is stored.

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use crate::record::audit::{Actor, ActorKind};
use crate::value::time::Timestamp;
use crate::wire::object::Object;
use crate::words::role::Role;

/// Someone who approved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approver {
    /// Who.
    pub by: Actor,
    /// When.
    pub at: Timestamp,
}

/// Who decided what about a request for approval.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Verdicts {
    /// Who approved it, in order; each is another person.
    pub approved_by: Vec<Approver>,
    /// Who rejected it or took it back.
    pub ended_by: Option<Actor>,
    /// What was noted about that.
    pub note: Option<String>,
}

#[derive(Serialize)]
struct StoredApprover<'a> {
    at: i64,
    by: &'a Actor,
}

#[derive(Serialize)]
struct StoredVerdicts<'a> {
    approved_by: Vec<StoredApprover<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended_by: Option<&'a Actor>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
}

impl Verdicts {
    /// As it is stored.
    #[must_use]
    pub fn to_json(&self) -> String {
        let approved_by =
            self.approved_by.iter().map(|one| StoredApprover { at: one.at.millis(), by: &one.by }).collect();
        let written =
            StoredVerdicts { approved_by, ended_by: self.ended_by.as_ref(), note: self.note.as_deref() };
        serde_json::to_string(&written).unwrap_or_default()
    }

    /// Reads what [`to_json`](Self::to_json) wrote.
    #[must_use]
    pub fn from_json(text: &str) -> Option<Self> {
        let approver = |text: &str| Object::read(text, approver).flatten();
        Object::read(text, |object| Self {
            approved_by: object.objects("approved_by", approver),
            ended_by: object.object("ended_by", actor).flatten(),
            note: object.optional_text("note"),
        })
    }
}

fn approver(object: &mut Object<'_>) -> Option<Approver> {
    let at = Timestamp::from_millis(object.needed_number("at")?);
    Some(Approver { by: object.object("by", actor).flatten()?, at })
}

fn actor(object: &mut Object<'_>) -> Option<Actor> {
    Some(Actor {
        kind: object.needed_word("kind", ActorKind::parse)?,
        id: object.text("id"),
        name: object.optional_text("name"),
        role: object.word("role", Role::parse),
    })
}

/// As who asked for something is stored.
#[must_use]
pub fn actor_to_json(actor: &Actor) -> String {
    serde_json::to_string(actor).unwrap_or_default()
}

/// Reads what [`actor_to_json`] wrote.
#[must_use]
pub fn actor_from_json(text: &str) -> Option<Actor> {
    Object::read(text, actor).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_decided_is_read_back_as_it_was_written() {
        let sara = Actor { kind: ActorKind::User, id: "7".into(), name: Some("s\"ara".into()), role: None };
        let some = Verdicts {
            approved_by: [Approver { by: sara.clone(), at: Timestamp::from_millis(5) }].into(),
            ended_by: Some(sara),
            note: Some("a\nb".into()),
        };
        for decided in [some, Verdicts::default()] {
            assert_eq!(Verdicts::from_json(&decided.to_json()), Some(decided));
        }
        assert_eq!(Verdicts::from_json("{}"), None);
    }
}

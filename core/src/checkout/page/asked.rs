//! What the page asks of the payer because a method must know it.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::method::PageMethod;
use super::scene::PageScene;
use crate::gateway::flexible::PayerField;
use crate::rejection::Rejection;
use crate::violation::Rule;

/// A field that the payer fills in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedField {
    /// The name in the form.
    pub name: &'static str,
    /// What it says of the payer.
    pub field: PayerField,
    /// What the payer typed.
    pub typed: String,
    /// What is wrong with it.
    pub fault: Option<Rule>,
}

impl AskedField {
    /// The fields that the methods of a page need together.
    pub(super) fn of(scene: &PageScene<'_>, methods: &[PageMethod]) -> Vec<Self> {
        let lacks = |field: PayerField| methods.iter().any(|method| method.lacks.contains(&field));
        let asked = PayerField::ALL.into_iter().filter(|field| lacks(*field));
        asked
            .flat_map(|field| field.names().iter().map(move |name| Self::field(scene, field, name)))
            .collect()
    }

    fn field(scene: &PageScene<'_>, field: PayerField, name: &'static str) -> Self {
        let typed = scene.sent.and_then(|sent| sent.form.payer.get(name)).unwrap_or_default();
        let fault = scene.sent.and_then(|sent| fault_of(sent.refusal?, name));
        Self { name, field, typed: typed.to_string(), fault }
    }
}

fn fault_of(refusal: &Rejection, name: &str) -> Option<Rule> {
    let Rejection::Invalid(found) = refusal else { return None };
    found.iter().find(|violation| violation.path == name).map(|violation| violation.rule.clone())
}

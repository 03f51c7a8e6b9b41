//! A customer's saved cards.
//!
//! - `POST /b/pbl/v2/card/` lists them: `Filter`;
//! - `DELETE /b/pbl/v2/card/{token}/?customer_id=…&type=sandbox|production` deletes one: `Deletion`.

use alloc::string::String;
use alloc::vec::Vec;

use crate::card::SavedCard;
use crate::rejection::Rejection;
use crate::route::query::CARD;
use crate::value::id::PgCode;
use crate::violation::Rule;
use crate::wire::field::Fields;
use crate::wire::members::Members;
use crate::wire::noted::{self, Noted};
use crate::wire::query::Parameters;

/// The most gateway codes of a filter.
const MAX_CODES: usize = 200;
/// The longest customer id, as at create.
pub(super) const MAX_CUSTOMER_ID: usize = 64;
/// The longest id of an agreement, as at create.
pub(super) const MAX_AGREEMENT_ID: usize = 128;
/// The words of `type`.
pub const ENVIRONMENTS: &[&str] = &["sandbox", "production"];

/// Which cards are requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    /// Whether those of simulations.
    pub is_sandbox: bool,
    /// The customer.
    pub customer_id: String,
    pg_codes: Option<Vec<PgCode>>,
    agreement_id: Option<String>,
}

pub(super) fn environment(word: &str) -> Option<bool> {
    ENVIRONMENTS.contains(&word).then_some(word == "sandbox")
}

impl Filter {
    /// Reads a JSON body.
    ///
    /// # Errors
    /// [`Rejection::MalformedBody`] for anything other than one JSON object, [`Rejection::Invalid`] with
    /// every violation.
    pub fn parse(body: &[u8]) -> Result<Self, Rejection> {
        let members = Members::read(body)?;
        let mut fields = Fields::default();
        let is_sandbox = fields
            .required("type", members.get("type"), |f, p, raw| f.word(p, raw, ENVIRONMENTS, environment));
        let customer_id = fields
            .required("customer_id", members.get("customer_id"), |f, p, raw| f.line(p, raw, MAX_CUSTOMER_ID));
        let pg_codes = fields.optional("pg_codes", members.get("pg_codes"), |f, p, raw| {
            noted::items(p, &Noted::Code);
            let items = f.items(p, raw, MAX_CODES)?;
            let mut codes = Vec::with_capacity(items.len());
            for (place, item) in items.into_iter().enumerate() {
                let code =
                    Fields::decode_text(item).and_then(|text| PgCode::parse(&text).ok_or(Rule::NotSlug));
                match code {
                    Ok(code) => codes.push(code),
                    Err(rule) => f.violation(alloc::format!("{p}.{place}"), rule),
                }
            }
            Some(codes)
        });
        let agreement_id = fields.optional("agreement_id", members.get("agreement_id"), |f, p, raw| {
            f.line(p, raw, MAX_AGREEMENT_ID)
        });
        let found = fields.finish();
        match (is_sandbox, customer_id) {
            (Some(is_sandbox), Some(customer_id)) if found.is_empty() => {
                let pg_codes = pg_codes.filter(|codes| !codes.is_empty());
                Ok(Self { is_sandbox, customer_id, pg_codes, agreement_id })
            }
            _ => Err(Rejection::Invalid(found)),
        }
    }

    /// Whether a card of the customer is requested.
    #[must_use]
    pub(crate) fn admits(&self, saved: &SavedCard) -> bool {
        self.pg_codes.as_ref().is_none_or(|codes| codes.contains(&saved.card.pg_code))
            && self.agreement_id.as_ref().is_none_or(|id| saved.agreements.contains(id))
    }
}

/// Whose card is to be deleted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Deletion {
    /// The customer.
    pub customer_id: String,
    /// Whether it is one of a simulation.
    pub is_sandbox: bool,
}

impl Deletion {
    /// Reads a query.
    ///
    /// # Errors
    /// [`Rejection::Invalid`] with every parameter that is missing or wrong.
    pub(crate) fn parse(query: &str) -> Result<Self, Rejection> {
        let mut given = Parameters::of(query, CARD);
        let customer_id = given.required("customer_id", |given, name| given.line(name, MAX_CUSTOMER_ID));
        let is_sandbox =
            given.required("type", |given, name| given.read(name, Rule::OneOf(ENVIRONMENTS), environment));
        given.finish()?;
        // What is missing was reported.
        let (Some(customer_id), Some(is_sandbox)) = (customer_id, is_sandbox) else {
            return Err(Rejection::Invalid(Vec::new()));
        };
        Ok(Self { customer_id, is_sandbox })
    }
}

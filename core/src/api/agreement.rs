//! The agreements of a customer.
//!
//! - `POST /b/checkout/v1/agreements/` lists them: [`AgreementsRequest`];
//! - `POST /b/checkout/v1/agreements/resume/` resumes one that is paused: [`ResumeAgreement`].

use alloc::string::String;

use super::card::{ENVIRONMENTS, MAX_AGREEMENT_ID, MAX_CUSTOMER_ID, environment};
use crate::rejection::Rejection;
use crate::wire::field::Fields;
use crate::wire::members::Members;

/// Whose agreements are requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgreementsRequest {
    /// Whether those of simulations.
    pub is_sandbox: bool,
    /// The customer.
    pub customer_id: String,
}

/// Which agreement is to be resumed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResumeAgreement {
    /// Whose it is.
    pub of: AgreementsRequest,
    /// The merchant's id of it.
    pub agreement_id: String,
}

impl AgreementsRequest {
    /// Reads a JSON body.
    ///
    /// # Errors
    /// [`Rejection::MalformedBody`] for anything other than one JSON object, [`Rejection::Invalid`] with
    /// every violation.
    pub fn parse(body: &[u8]) -> Result<Self, Rejection> {
        let members = Members::read(body)?;
        let mut fields = Fields::default();
        let request = Self::read(&members, &mut fields);
        let found = fields.finish();
        request.filter(|_| found.is_empty()).ok_or(Rejection::Invalid(found))
    }

    fn read(members: &Members<'_>, fields: &mut Fields) -> Option<Self> {
        let is_sandbox = fields
            .required("type", members.get("type"), |f, p, raw| f.word(p, raw, ENVIRONMENTS, environment));
        let customer_id = fields
            .required("customer_id", members.get("customer_id"), |f, p, raw| f.line(p, raw, MAX_CUSTOMER_ID));
        Some(Self { is_sandbox: is_sandbox?, customer_id: customer_id? })
    }
}

impl ResumeAgreement {
    /// Reads a JSON body.
    ///
    /// # Errors
    /// [`Rejection::MalformedBody`] for anything other than one JSON object, [`Rejection::Invalid`] with
    /// every violation.
    pub fn parse(body: &[u8]) -> Result<Self, Rejection> {
        let members = Members::read(body)?;
        let mut fields = Fields::default();
        let of = AgreementsRequest::read(&members, &mut fields);
        let agreement_id = fields.required("agreement_id", members.get("agreement_id"), |f, p, raw| {
            f.line(p, raw, MAX_AGREEMENT_ID)
        });
        let found = fields.finish();
        let request = of.zip(agreement_id).map(|(of, agreement_id)| Self { of, agreement_id });
        request.filter(|_| found.is_empty()).ok_or(Rejection::Invalid(found))
    }
}

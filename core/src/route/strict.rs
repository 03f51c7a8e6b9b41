//! Which endpoints refuse a parameter of a query that they do not have.

use super::endpoint::{Audience, Facts};
use super::query::Query;

impl Facts {
    /// Whether a parameter that the endpoint does not have is refused: where a merchant or an operator reads, and where
    /// parameters decide what is done. A page takes what payers' browsers bring.
    #[must_use]
    pub fn refuses_unknown_parameters(&self, method: &str) -> bool {
        let Query::Only(names) = self.query else { return false };
        match self.audience {
            Audience::Merchant | Audience::Operator => matches!(method, "GET" | "HEAD") || !names.is_empty(),
            Audience::Public => !names.is_empty(),
            Audience::Payer | Audience::Page | Audience::Gateway => false,
        }
    }
}

//! Which endpoints refuse a parameter of a query that they do not have.

use super::endpoint::{EndpointAudience, EndpointFacts};
use super::query::Query;

impl EndpointFacts {
    /// Whether a parameter that the endpoint does not have is refused: where a merchant or an operator reads, and where
    /// parameters decide what is done. A page takes what payers' browsers bring.
    #[must_use]
    pub fn refuses_unknown_parameters(&self, method: &str) -> bool {
        let Query::Only(names) = self.query else { return false };
        match self.audience {
            EndpointAudience::Merchant | EndpointAudience::Operator => {
                matches!(method, "GET" | "HEAD") || !names.is_empty()
            }
            EndpointAudience::Public => !names.is_empty(),
            EndpointAudience::Payer | EndpointAudience::Page | EndpointAudience::Gateway => false,
        }
    }
}

//! What is said of agreements.

use crate::codes::NONE;
use crate::prose::{Prose, prose};

/// Every endpoint of them.
pub(crate) const AGREEMENTS: &[Prose] = &[
    prose(
        "list_agreements",
        "With the card that each uses, and why it is paused. Only for keys.",
        NONE,
        NONE,
    ),
    prose(
        "resume_agreement",
        "After the last new try of an auto debit was declined. What was not paid is not debited by it. Resuming again changes nothing. A payment of the payer under the agreement resumes it too.",
        &["not_found"],
        NONE,
    ),
];

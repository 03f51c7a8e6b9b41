//! What is said of requests for approval, and of the attention list of a merchant.

use crate::codes::NONE;
use crate::prose::{Prose, prose};

const DECIDED: &[&str] = &["user_required", "own_approval", "approval_ended", "conflict"];

/// Every endpoint of them.
pub(crate) const APPROVALS: &[Prose] = &[
    prose("list_approvals", "The newest first, a page at a time.", NONE, NONE),
    prose("read_approval", "By its id.", NONE, NONE),
    prose(
        "approve",
        "As a user who did not ask for it. With the last approval that is needed the operation is carried out after the answer, under the request's id, once; the request is then `done` or `failed`. Approving again changes nothing.",
        DECIDED,
        NONE,
    ),
    prose("reject", "As a user who can approve and did not ask for it.", DECIDED, NONE),
    prose(
        "withdraw",
        "As who asked for it, or with the private key.",
        &["permission_missing", "approval_ended", "conflict"],
        NONE,
    ),
    prose(
        "list_own_attention",
        "What a person should look at: held payments, payments that came twice or late, webhooks and gateways that fail. The newest first; `state` chooses between open entries and resolved ones. What only the operator of the installation can mend is not listed.",
        NONE,
        NONE,
    ),
    prose(
        "resolve_own_attention",
        "After it was dealt with, with a note. Refused while the payment or operation waits for an outcome: inquire, or ask the operator of the installation.",
        &["permission_missing", "not_resolvable", "already_resolved"],
        NONE,
    ),
];

//! What is asked before a call is answered: floods, limits of callers, and the origins of pages.

pub(crate) mod cors;
pub(crate) mod flood;
pub(crate) mod quota;

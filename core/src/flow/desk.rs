//! Who visits the desk: signing in, being recognised, signing out.

mod link;
mod sign_in;
mod visit;

pub use link::{PaymentLink, payment_link};
pub use sign_in::{DeskLogin, sign_in};
pub use visit::{Visitor, choose_language, sign_out, visitor};

//! The cards of a customer: what a merchant's server charges and lists, and what sessions withhold.

mod agreement;
mod charge;
mod ladder;
mod list;
mod withheld;

pub(super) use agreement::{MAX_AGREEMENTS, resume};
pub use agreement::{list_agreements, resume_agreement};
pub(crate) use charge::{Debit, answer_body, check_debited, debit_card};
pub use charge::{DebitAnswerShape, auto_debit};
pub(super) use ladder::try_again;
pub(super) use list::remove;
pub use list::{delete, delete_of_payer, list};
pub(super) use withheld::{cards_on_page, chosen, note};

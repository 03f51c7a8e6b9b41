//! Who visits the desk: signing in, being recognised, signing out.

mod access_link;
mod approval;
mod attention;
mod customer;
mod delivery;
mod device;
mod edit;
mod factor;
mod history;
mod link;
mod payment;
mod personal;
mod preferences;
mod provider;
mod session;
mod sign_in;
mod template;
mod totals;
mod visit;

pub use super::reader::local;
pub use access_link::{Choice, ask_for_link, choose_password, send_link, user_of_link};
pub use approval::{ApprovalList, ApprovalOpened, Verdict, VerdictTaken, approval, approvals, decide};
pub use attention::{AttentionList, EntryResolved, MOST, WaitingShown, attention, resolve_entry, waiting};
pub use customer::{
    CardDeleted, CustomerConsent, CustomerShown, customer, delete_card, erase_customer, filled_for,
    resume_debits,
};
pub use delivery::delivery;
pub use edit::{Editable, Edited, edit, editable};
pub use factor::{ConfirmedFactor, OfferedFactor, confirm_factor, give_factor, offer_factor, offered_factor};
pub use history::{Happened, Occurrence, SentShown, Tried};
pub use link::{PaymentLink, payment_link};
pub use payment::{
    Breakdown, NextStep, Operated, PAGE, PaymentList, PaymentRow, PaymentShown, operate_once, own, payment,
    payments,
};
pub use personal::note_personal;
pub use preferences::{choose_preferences, time_zones};
pub use provider::{
    Departure, FORM_TO, ProviderLogin, ProviderReturn, ReturnFault, TripEnd, go_to_provider,
    go_to_provider_again, return_from_provider,
};
pub use session::{end_own_session, own_sessions};
pub use sign_in::{DeskLogin, sign_in};
pub use template::{delete_template, save_template, templates};
pub use totals::{MethodTotal, Overview, PERIODS, TotalsShown, desk_totals, overview};
pub use visit::{Visitor, choose_language, is_to_be_noted, note_visit, sign_out, visitor};

//! What the service does: one operation is one `async fn` over the [ports](crate::port), in numbered steps.
//!
//! The time of a flow is that of its [`Situation`](crate::settings::situation::Situation), which is made where the merchant is
//! loaded. A flow decides with the pure modules, and stores the result as one [`Change`](crate::change::Change).
//!
//! # Floors
//!
//! From the top down, and in three parts. *Time* does what is due; *audiences* answer those who call; *money* has the only
//! places where money and state change. A module uses only modules below it, which the test `floors` holds.
//!
//! | floor | module | what it is |
//! |---|---|---|
//! | time | [`sweep`] | the run of the cron handler: which rows are due |
//! | time | [`deliver`] | the one engine that does what is due |
//! | audiences | [`operator`] | who operates the installation |
//! | audiences | [`report`] | gateways and providers of messages, who report by themselves |
//! | audiences | [`desk`] | the staff of a merchant at the desk |
//! | audiences | [`merchant`] | the server of a merchant |
//! | audiences | [`account`] | the users, keys and receivers of a merchant |
//! | audiences | [`sdk`] | the SDK of a merchant's page or app |
//! | audiences | [`payer`] | the browser of a payer |
//! | audiences | [`card`] | the saved cards of a customer |
//! | audiences | [`caller`] | who calls |
//! | money | `charge` | the one sequence in which money is charged |
//! | money | [`ending`] | ending a transaction on request |
//! | money | `inquire` | asking gateways about outcomes |
//! | money | `settle` | storing the outcome of an attempt |
//! | money | `operation` | captures, refunds and voids, and their outcomes |
//! | money | `commit` | one batch, and what it contains besides the change |
//! | money | [`exchange`] | requests to gateways, receivers and providers of messages |
//! | money | `find` | the records that a request is about |
//! | money | `reader` | how someone of the staff reads: the language, and what clocks show |
//! | money | `situation` | the merchant, as a request finds it |
//! | money | `failure` | why a flow gave no answer |

pub mod account;
pub mod caller;
pub mod card;
mod charge;
mod commit;
pub mod deliver;
pub mod desk;
pub mod ending;
pub mod exchange;
mod failure;
mod find;
mod inquire;
pub mod merchant;
mod operation;
pub mod operator;
pub mod payer;
mod reader;
pub mod report;
pub mod sdk;
mod settle;
mod situation;
pub mod sweep;

pub use caller::{answer_proved, identify, principal};
pub use failure::Failure;

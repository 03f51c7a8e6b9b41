//! Every rule of Till, a payment checkout service.
//!
//! This crate decides everything and does nothing: it is `no_std`, names no runtime, and reaches the outside
//! world only through the traits of [`port`]. `edge-worker` runs it as a Cloudflare Worker, `checkout-web` in
//! the payer's browser.
//!
//! Where to start: [`flow`] has one function per operation, in numbered steps; [`state`] and
//! [`attempt::stage`] are the tables of legal moves; [`payment::apply`] is where an outcome becomes a change.
//!
//! # Floors
//!
//! From the top down. A module uses only modules below it, so that there is no cycle between them, and none
//! between the modules inside of them. The test `floors` reads this list and the imports, and compares them.
//!
//! | module | what it is |
//! |---|---|
//! | [`flow`] | one operation, one `async fn` over the ports, in numbered steps |
//! | [`port`] | the traits of the world |
//! | [`desk`] | the pages of a merchant's staff: addresses, sessions, what is around a screen |
//! | [`checkout`] | what the payer sees and where the payer goes |
//! | [`api`] | the requests of the endpoints |
//! | [`access`] | who is calling, and what the caller may do |
//! | [`message`] | messages to payers: when, to whom, and how they read |
//! | [`answer`] | the bodies of answers and webhooks |
//! | [`sdk`] | owned values for those who call us |
//! | [`reconciliation`] | what is recorded here against the gateway's list |
//! | [`operation`] | capture, refund, void, cancel: what begins and what a report does |
//! | [`payment`] | what begins an attempt, and what a fact about it does |
//! | [`draft`] | a request to create or update that satisfies every rule |
//! | [`change`] | what one event stores, all or nothing |
//! | [`approval`] | a refund or void that another person has to permit, and its stages |
//! | [`child`] | the record of a capture, refund or void, and its stages |
//! | [`attempt`] | the record of one payment attempt, and its stages |
//! | [`settings`] | a merchant's document |
//! | [`messenger`] | the protocol of each provider of messages |
//! | [`gateway`] | profiles, terms, and the protocol of each gateway |
//! | [`card`] | saved cards and the agreements that lock them |
//! | [`transaction`] | the resource |
//! | [`wire`] | reading JSON and forms, all violations at once |
//! | [`route`] | the table of addresses |
//! | [`strings`] | the texts of the page, English and Arabic |
//! | [`rejection`] | why a request is refused, and the problem body |
//! | [`violation`] | what is wrong with a field |
//! | [`record`] | small records: files, short links, the outbox, the attention list |
//! | [`webhook`] | signatures and the schedule of deliveries |
//! | [`state`] | the states of a transaction and the legal moves |
//! | [`words`] | the closed lists of words that every module uses |
//! | [`installation`] | the one installation: its address and what it may reach |
//! | [`value`] | values that cannot be wrong once they exist |
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
// What readers ask is noted for the description, which has std.
#[cfg(feature = "noted")]
extern crate std;

pub mod access;
pub mod answer;
pub mod api;
pub mod approval;
pub mod attempt;
pub mod card;
pub mod change;
pub mod checkout;
pub mod child;
pub mod desk;
pub mod draft;
pub mod flow;
pub mod gateway;
pub mod installation;
pub mod message;
pub mod messenger;
pub mod operation;
pub mod payment;
pub mod port;
pub mod reconciliation;
pub mod record;
pub mod rejection;
pub mod route;
pub mod sdk;
pub mod settings;
pub mod state;
pub mod strings;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod transaction;
pub mod value;
pub mod violation;
pub mod webhook;
pub mod wire;
pub mod words;

//! Payments from creation to receipt: the API of merchants, the hosted page, checkout SDKs, wallets, saved cards, operations.

mod apply;
mod attachments;
mod auto_debit;
mod cards;
mod chargeable;
mod consent;
mod editable;
mod exchange;
mod flows;
mod inquiry;
mod limits;
mod listing;
mod native_payments;
mod one_step;
mod operations;
mod page;
mod page_details;
mod payment_methods;
mod payment_types;
mod preload;
mod prices;
mod receipts;
mod saved_cards_on_page;
mod sdk;
mod update;
mod wallets;

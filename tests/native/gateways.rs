//! The connectors, and what is decided with what gateways answer: protocols, routing, reconciliation.

mod adyen_payments;
mod connectors;
mod flexible;
mod gateway_adyen;
mod gateway_checkout_com;
mod gateway_knet;
mod gateway_mpgs;
mod gateway_stripe;
mod knet_payments;
mod operator_check;
mod optional_data;
mod outage;
mod reconciliation;
mod restrictions;
mod routing;
mod sandbox_connector;
mod signatures;

//! What leaves: webhooks, messages to payers, alerts, and how they are delivered.

mod alerts;
mod deliveries;
mod fairness;
mod lost_tries;
mod message_html;
mod messages;
mod messengers;
mod payer_messages;
mod queues;
mod receivers;
mod webhook_payload;
mod webhook_samples;

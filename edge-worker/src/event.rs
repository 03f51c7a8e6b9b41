//! What runs without a caller: the cron handler and the consumer of the queues.

pub(crate) mod consumer;
pub(crate) mod scheduled;

//! What the payer sees: the [`page`] as data, and where the payer goes when the payment is over
//! ([`landing`]).

pub mod landing;
pub mod page;

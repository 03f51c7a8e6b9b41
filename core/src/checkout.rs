//! What the payer sees: the [`page`] as data, where the payer goes when the payment is over ([`landing`]),
//! every screen from made-up data ([`sample`]), and what the [`element`] of a merchant's page says and knows.

pub mod element;
pub mod landing;
pub mod page;
pub mod sample;

//! What the payer sees: the [`page`] as data, where the payer goes when the payment is over ([`landing`]), and
//! every screen from made-up data ([`sample`]).

pub mod landing;
pub mod page;
pub mod sample;

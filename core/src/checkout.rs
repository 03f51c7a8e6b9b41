//! What the payer sees: the [`page`] as data, its texts in both languages ([`strings`]), and where he goes when the
//! payment is over ([`landing`]).

pub mod landing;
pub mod page;
pub mod sdk;
pub(crate) mod services;
pub mod strings;

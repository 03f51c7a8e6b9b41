//! What is wrong with one field of a request.
//!
//! A parser collects every [`Violation`] it finds, including wrong types, and returns them together, in the
//! order of the fields (the format of the body is in [`crate::rejection`]). The same text is shown by the
//! Worker and by the page.

mod access;
mod brand;
mod card;
mod collected;
mod connector;
mod errors;
mod exchange;
mod image;
mod rule;
mod text;

pub use access::AccessRule;
pub use brand::BrandRule;
pub use card::CardRule;
pub(crate) use collected::Violations;
pub use connector::ConnectorRule;
pub use errors::errors;
pub use exchange::ExchangeRule;
pub use image::ImageRule;
pub use rule::{Rule, Violation};

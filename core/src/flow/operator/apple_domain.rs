//! The file by which Apple recognises the domain of the installation, so that Apple Pay works on the hosted page.

use alloc::string::{String, ToString as _};

use crate::access::operator::Operator;
use crate::flow::Failure;
use crate::port::{Clock, Published, World};
use crate::record::audit::Entry;
use crate::rejection::Rejection;
use crate::violation::{BrandRule, Rule, Violation};

/// Stores the file as Apple gave it; an empty one takes it away.
///
/// # Errors
/// [`Rejection::Invalid`] for what is not printable ASCII, or a failure of the world.
pub async fn replace_domain_file(world: &impl World, by: &Operator, file: &[u8]) -> Result<(), Failure> {
    let is_text = file.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
    let text = core::str::from_utf8(file).ok().filter(|_| is_text);
    let Some(text) = text else {
        let rule = Rule::Brand(BrandRule::NotDomainFile);
        return Err(Rejection::Invalid([Violation::new("file", rule)].into()).into());
    };
    let entry = Entry::of(by.actor(), "replace_apple_domain_file", world.clock().now());
    let entry = entry.to(&text.len().to_string());
    world
        .directory()
        .set_apple_domain_file(Some(text).filter(|text| !text.trim().is_empty()), &entry)
        .await?;
    Ok(())
}

/// The file.
///
/// # Errors
/// [`Rejection::NotFound`] if there is none, or a failure of the world.
pub async fn domain_file(world: &impl World) -> Result<String, Failure> {
    Ok(world.directory().apple_domain_file().await?.ok_or(Rejection::NotFound)?)
}

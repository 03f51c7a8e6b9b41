//! The face of the merchant in a settings document.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::value::RawValue;

use super::reader::{At, DocumentReader, join};
use crate::installation::Installation;
use crate::settings::brand::image::ImageName;
use crate::settings::brand::palette::too_low;
use crate::settings::brand::{Brand, Corners, Font, Links, Support};
use crate::value::colour::Colour;
use crate::value::email::is_email;
use crate::violation::{BrandRule, Rule, Violation, Violations};
use crate::wire::members::Members;

/// The member of a settings document.
const NAME: &str = "brand";
const MEMBERS: [&str; 7] = ["logo", "favicon", "accent", "corners", "font", "support", "links"];
const SUPPORT: [&str; 3] = ["email", "phone", "whatsapp"];
const LINKS: [&str; 2] = ["terms", "refunds"];
/// The longest e-mail address.
const MAX_EMAIL: usize = 128;

/// Reads a brand that is not in a settings document. `base` is where it is; empty if it is a body.
///
/// # Errors
/// Every violation.
pub fn read_brand(
    base: &str,
    object: &Members<'_>,
    installation: &Installation,
) -> Result<Brand, Vec<Violation>> {
    let mut found = Violations::default();
    let mut reader =
        DocumentReader { found: &mut found, installation: Some(installation), rates: Vec::new() };
    let brand = reader.brand_at(base, object);
    if found.is_empty() { Ok(brand) } else { Err(found.into_vec()) }
}

impl Brand {
    /// This brand with the members of another one, which was checked when it came in.
    #[must_use]
    pub fn with(&self, other: &RawValue) -> Self {
        let (mut brand, Some(members)) = (self.clone(), Members::of(other)) else { return self.clone() };
        let mut found = Violations::default();
        let mut reader = DocumentReader { found: &mut found, installation: None, rates: Vec::new() };
        let own = reader.brand_at("", &members);
        for (name, _) in members.iter() {
            match name {
                "logo" => brand.logo.clone_from(&own.logo),
                "favicon" => brand.favicon.clone_from(&own.favicon),
                "accent" => brand.accent = own.accent,
                "corners" => brand.corners = own.corners,
                "font" => brand.font = own.font,
                "support" => brand.support.clone_from(&own.support),
                "links" => brand.links.clone_from(&own.links),
                _ => {}
            }
        }
        brand
    }
}

impl DocumentReader<'_> {
    /// The member `brand`; the page's own face if it is left out.
    pub(super) fn brand(&mut self, root: &Members<'_>) -> Brand {
        let object = root.get(NAME).and_then(|_| self.object("", root, NAME));
        object.map(|object| self.brand_at(NAME, &object)).unwrap_or_default()
    }

    fn brand_at(&mut self, base: &str, object: &Members<'_>) -> Brand {
        self.only(base, object, &MEMBERS);
        Brand {
            logo: self.image(At { base, name: "logo" }, object),
            favicon: self.image(At { base, name: "favicon" }, object),
            accent: self.accent(base, object),
            corners: self.choice(At { base, name: "corners" }, object, Corners::WORDS, Corners::parse),
            font: self.choice(At { base, name: "font" }, object, Font::WORDS, Font::parse),
            support: self.support(base, object),
            links: self.links(base, object),
        }
    }

    /// A name that is not known is refused: who writes one expects that it changes the page.
    fn only(&mut self, path: &str, object: &Members<'_>, known: &[&str]) {
        for (name, _) in object.all().filter(|(name, _)| !known.contains(name)) {
            self.found.add(join(path, name), Rule::NotKnown);
        }
    }

    fn image(&mut self, at: At<'_>, object: &Members<'_>) -> Option<ImageName> {
        object.get(at.name)?;
        let text = self.text(at.base, object, at.name)?;
        ImageName::parse(&text).or_else(|| self.refuse(at.path(), Rule::Brand(BrandRule::NotImageName)))
    }

    fn accent(&mut self, base: &str, object: &Members<'_>) -> Option<Colour> {
        object.get("accent")?;
        let text = self.text(base, object, "accent")?;
        let rule = match Colour::parse(&text).map(|colour| (colour, too_low(colour))) {
            Some((colour, None)) => return Some(colour),
            Some((_, Some(found))) => BrandRule::Contrast { found },
            None => BrandRule::NotColour,
        };
        self.refuse(join(base, "accent"), Rule::Brand(rule))
    }

    fn choice<T: Default>(
        &mut self,
        at: At<'_>,
        object: &Members<'_>,
        words: &'static [&'static str],
        parse: fn(&str) -> Option<T>,
    ) -> T {
        object.get(at.name).and_then(|_| self.word(at, object, words, parse)).unwrap_or_default()
    }

    fn support(&mut self, base: &str, brand: &Members<'_>) -> Support {
        let path = join(base, "support");
        let Some(object) = brand.get("support").and_then(|_| self.object(base, brand, "support")) else {
            return Support::default();
        };
        self.only(&path, &object, &SUPPORT);
        let email = object.get("email").and_then(|_| self.line(&path, &object, "email", MAX_EMAIL));
        let email = email.and_then(|text| {
            if is_email(&text) { Some(text) } else { self.refuse(join(&path, "email"), Rule::NotEmail) }
        });
        Support {
            email,
            phone: self.phone(&path, &object, "phone"),
            whatsapp: self.phone(&path, &object, "whatsapp"),
        }
    }

    fn phone(&mut self, path: &str, object: &Members<'_>, name: &str) -> Option<String> {
        object.get(name)?;
        let text = self.text(path, object, name)?;
        if is_phone(&text) {
            Some(text.into_owned())
        } else {
            self.refuse(join(path, name), Rule::Brand(BrandRule::NotPhone))
        }
    }

    fn links(&mut self, base: &str, brand: &Members<'_>) -> Links {
        let path = join(base, "links");
        let Some(object) = brand.get("links").and_then(|_| self.object(base, brand, "links")) else {
            return Links::default();
        };
        self.only(&path, &object, &LINKS);
        Links {
            terms: self.address(&path, &object, "terms"),
            refunds: self.address(&path, &object, "refunds"),
        }
    }
}

/// Whether a text is a number of E.164 with its plus.
fn is_phone(text: &str) -> bool {
    let Some(digits) = text.strip_prefix('+') else { return false };
    (7..=15).contains(&digits.len())
        && !digits.starts_with('0')
        && digits.bytes().all(|byte| byte.is_ascii_digit())
}

//! SVG: what draws is read into a tree and written from it; nothing of the file itself is stored.
//!
//! Decision: what runs, refers to anything else, or would look different elsewhere (scripts, styles, text, images,
//! links, `use`, filters) refuses the whole file by name, because an image that lost a part of itself would be
//! stored without anyone noticing. What does not draw (metadata, comments, names of editors) is left out. A
//! reference can lead only to a gradient, a clip or a mask of the same file, and not from inside a clip or a mask,
//! so that no drawing costs more than its size.

mod allowed;
mod length;

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use roxmltree::{Document, Error, Node, ParsingOptions};

use self::allowed::{draws, is_allowed, is_described, is_id, is_plain, local_target};
use self::length::{pixels, view_box};
use super::size::ImageSize;
use crate::violation::ImageRule;

/// The namespace of SVG.
const NAMESPACE: &str = "http://www.w3.org/2000/svg";
/// The namespace of references before SVG 2.
const XLINK: &str = "http://www.w3.org/1999/xlink";
const BROKEN: ImageRule = ImageRule::Broken("SVG");
/// The most nodes.
const MAX_NODES: u32 = 4_000;
/// The most levels.
const MAX_DEPTH: usize = 32;
/// The most attributes of an element: the reader compares each with each.
const MAX_ATTRIBUTES: usize = 100;

/// The file as it is stored, and its size.
pub(super) fn rewrite(file: &[u8]) -> Result<(String, ImageSize), ImageRule> {
    let text = core::str::from_utf8(file).map_err(|_| ImageRule::Unknown)?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if !text.trim_start().starts_with('<') {
        return Err(ImageRule::Unknown);
    }
    if text.split('<').any(|tag| tag.matches('=').count() > MAX_ATTRIBUTES) {
        return Err(ImageRule::TooComplex);
    }
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MAX_NODES, entity_resolver: None };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        if matches!(error, Error::NodesLimitReached) {
            ImageRule::TooComplex
        } else if matches!(error, Error::DtdDetected) {
            ImageRule::element("!DOCTYPE")
        } else {
            BROKEN
        }
    })?;
    let root = document.root_element();
    if root.tag_name().namespace() != Some(NAMESPACE) || root.tag_name().name() != "svg" {
        return Err(ImageRule::Unknown);
    }
    let length = |name| root.attribute(name).and_then(pixels);
    let (view, size) = match (root.attribute("viewBox"), length("width"), length("height")) {
        (Some(view), width, height) => {
            let (of_width, of_height) = view_box(view).ok_or(ImageRule::NoSize)?;
            (Cow::Borrowed(view), (width.unwrap_or(of_width), height.unwrap_or(of_height)))
        }
        (None, Some(width), Some(height)) => (Cow::Owned(format!("0 0 {width} {height}")), (width, height)),
        (None, _, _) => return Err(ImageRule::NoSize),
    };
    let mut text = String::with_capacity(text.len());
    let (width, height) = size;
    let mut attributes = Attributes::default();
    attributes.set("xmlns", NAMESPACE);
    attributes.set("viewBox", &view);
    attributes.set("width", &width.to_string());
    attributes.set("height", &height.to_string());
    attributes.read(root, false)?;
    write(&mut text, root, &attributes, Nesting { depth: 1, is_apart: false })?;
    Ok((text, size))
}

/// Where an element is.
#[derive(Clone, Copy)]
struct Nesting {
    depth: usize,
    /// Whether it is in a clip or a mask.
    is_apart: bool,
}

/// Writes an element.
fn write(
    text: &mut String,
    node: Node<'_, '_>,
    attributes: &Attributes,
    Nesting { depth, is_apart }: Nesting,
) -> Result<(), ImageRule> {
    if depth > MAX_DEPTH {
        return Err(ImageRule::TooComplex);
    }
    let element = node.tag_name().name();
    text.push('<');
    text.push_str(element);
    attributes.write(text);
    let mut is_empty = true;
    for child in node.children().filter(Node::is_element) {
        let name = child.tag_name().name();
        if child.tag_name().namespace() != Some(NAMESPACE) || is_described(name) {
            continue;
        }
        if !draws(name) {
            return Err(ImageRule::element(name));
        }
        if is_empty {
            text.push('>');
            is_empty = false;
        }
        let is_apart = is_apart || matches!(name, "clipPath" | "mask");
        let mut attributes = Attributes::default();
        attributes.read(child, is_apart)?;
        write(text, child, &attributes, Nesting { depth: depth.saturating_add(1), is_apart })?;
    }
    if is_empty {
        text.push_str("/>");
    } else {
        text.push_str("</");
        text.push_str(element);
        text.push('>');
    }
    Ok(())
}

/// The attributes of an element that draw, each once.
#[derive(Default)]
struct Attributes(Vec<(String, String)>);

impl Attributes {
    /// Sets an attribute in place of one that is there. White space is a blank.
    fn set(&mut self, name: &str, value: &str) {
        let blank = |character: char| if character.is_ascii_whitespace() { ' ' } else { character };
        let value = value.trim().chars().map(blank).collect();
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name.into(), value)),
        }
    }

    /// Reads those of a node; its style counts more than its attributes. The size of the root is set before.
    fn read(&mut self, node: Node<'_, '_>, is_apart: bool) -> Result<(), ImageRule> {
        let element = node.tag_name().name();
        for attribute in node.attributes() {
            let (name, value) = (attribute.name(), attribute.value());
            match attribute.namespace() {
                None if element == "svg" && matches!(name, "viewBox" | "width" | "height") => {}
                None | Some(XLINK) if name == "href" => self.refer(element, value)?,
                None if is_allowed(name) => self.present(name, value, is_apart)?,
                None if name.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("on")) => {
                    return Err(ImageRule::attribute(name));
                }
                None | Some(_) => {}
            }
        }
        self.style(node.attribute("style").unwrap_or_default(), is_apart)
    }

    /// What a gradient takes from another one.
    fn refer(&mut self, element: &str, target: &str) -> Result<(), ImageRule> {
        let is_local = target.trim().strip_prefix('#').is_some_and(is_id);
        if !is_local || !matches!(element, "linearGradient" | "radialGradient") {
            return Err(ImageRule::attribute("href"));
        }
        self.set("href", target);
        Ok(())
    }

    /// The declarations of a style as attributes.
    fn style(&mut self, style: &str, is_apart: bool) -> Result<(), ImageRule> {
        for declaration in style.split(';').filter(|part| !part.trim().is_empty()) {
            let (name, value) = declaration.split_once(':').ok_or_else(|| ImageRule::attribute("style"))?;
            let name = name.trim();
            if is_allowed(name) && name != "id" {
                self.present(name, value, is_apart)?;
            } else if !is_plain(value) {
                return Err(ImageRule::attribute("style"));
            }
        }
        Ok(())
    }

    /// An attribute whose value is plain, or leads to a part of the same file.
    fn present(&mut self, name: &str, value: &str, is_apart: bool) -> Result<(), ImageRule> {
        let target = local_target(value).filter(|id| is_id(id));
        let is_good = match name {
            "id" => is_id(value),
            "clip-path" | "mask" if is_apart => false,
            _ => target.is_some() || is_plain(value),
        };
        if !is_good {
            return Err(ImageRule::attribute(name));
        }
        match target {
            Some(id) => self.set(name, &format!("url(#{id})")),
            None => self.set(name, value),
        }
        Ok(())
    }

    /// Writes them. Their values are names, numbers and words, which have nothing to escape.
    fn write(&self, text: &mut String) {
        for (name, value) in &self.0 {
            text.push(' ');
            text.push_str(name);
            text.push_str("=\"");
            text.push_str(value);
            text.push('"');
        }
    }
}

#[cfg(test)]
mod tests;

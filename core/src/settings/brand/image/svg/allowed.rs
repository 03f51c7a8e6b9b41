//! What an image may be made of.

/// The elements that draw.
const DRAWS: [&str; 15] = [
    "svg",
    "g",
    "defs",
    "path",
    "rect",
    "circle",
    "ellipse",
    "line",
    "polyline",
    "polygon",
    "linearGradient",
    "radialGradient",
    "stop",
    "clipPath",
    "mask",
];

/// The elements that describe, and draw nothing.
const DESCRIBES: [&str; 3] = ["title", "desc", "metadata"];

/// The attributes that draw: geometry, and presentation without text and filters.
const ALLOWED: [&str; 56] = [
    "id",
    "d",
    "x",
    "y",
    "x1",
    "x2",
    "y1",
    "y2",
    "cx",
    "cy",
    "r",
    "rx",
    "ry",
    "fx",
    "fy",
    "fr",
    "width",
    "height",
    "points",
    "pathLength",
    "viewBox",
    "preserveAspectRatio",
    "transform",
    "gradientTransform",
    "gradientUnits",
    "spreadMethod",
    "offset",
    "stop-color",
    "stop-opacity",
    "clip-path",
    "clip-rule",
    "clipPathUnits",
    "mask",
    "maskUnits",
    "maskContentUnits",
    "mask-type",
    "fill",
    "fill-opacity",
    "fill-rule",
    "stroke",
    "stroke-width",
    "stroke-opacity",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-miterlimit",
    "stroke-dasharray",
    "stroke-dashoffset",
    "opacity",
    "color",
    "display",
    "visibility",
    "overflow",
    "paint-order",
    "vector-effect",
    "shape-rendering",
    "color-interpolation",
];

/// Whether an element draws.
pub(super) fn draws(name: &str) -> bool {
    name != "svg" && DRAWS.contains(&name)
}

/// Whether an element describes the image.
pub(super) fn is_described(name: &str) -> bool {
    DESCRIBES.contains(&name)
}

/// Whether an attribute draws.
pub(super) fn is_allowed(name: &str) -> bool {
    ALLOWED.contains(&name)
}

/// Whether a value is numbers, words and colours, and refers to nothing.
pub(super) fn is_plain(value: &str) -> bool {
    let is_good =
        |byte: u8| byte.is_ascii_alphanumeric() || byte.is_ascii_whitespace() || b".,#%()+-_".contains(&byte);
    value.bytes().all(is_good) && functions(value).all(|name| FUNCTIONS.contains(&name))
}

/// The functions of a value: transformations and colours.
const FUNCTIONS: [&str; 15] = [
    "",
    "matrix",
    "translate",
    "translateX",
    "translateY",
    "scale",
    "scaleX",
    "scaleY",
    "rotate",
    "skewX",
    "skewY",
    "rgb",
    "rgba",
    "hsl",
    "hsla",
];

/// The names before the parentheses of a value.
fn functions(value: &str) -> impl Iterator<Item = &str> {
    value.match_indices('(').map(|(place, _)| {
        let part = value.get(..place).unwrap_or_default().trim_end();
        let start = part.rfind(|last: char| !last.is_ascii_alphanumeric() && last != '-');
        part.get(start.map_or(0, |start| start.saturating_add(1))..).unwrap_or_default()
    })
}

/// The id in a `url(#id)`, in or without quotes.
pub(super) fn local_target(value: &str) -> Option<&str> {
    let inner = value.trim().strip_prefix("url(")?.strip_suffix(')')?.trim();
    let inner =
        inner.strip_prefix(['"', '\'']).and_then(|rest| rest.strip_suffix(['"', '\''])).unwrap_or(inner);
    inner.strip_prefix('#')
}

/// Whether a text is a name that needs no escaping anywhere.
pub(super) fn is_id(text: &str) -> bool {
    let is_good = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    !text.is_empty() && text.len() <= 128 && text.bytes().all(is_good)
}

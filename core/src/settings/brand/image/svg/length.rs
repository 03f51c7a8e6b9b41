//! Lengths of an SVG in whole pixels.

/// The largest number of a length.
const MAX_DIGITS: usize = 6;

/// A length in pixels, rounded up; `None` for another unit and for anything that is no length.
pub(super) fn pixels(text: &str) -> Option<u32> {
    let text = text.trim();
    whole(text.strip_suffix("px").unwrap_or(text))
}

/// Width and height of a view box.
pub(super) fn view_box(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.split(|between: char| between.is_ascii_whitespace() || between == ',');
    let mut next = || parts.by_ref().find(|part| !part.is_empty());
    let starts = [next()?, next()?];
    if starts.iter().any(|start| whole(start.strip_prefix('-').unwrap_or(start)).is_none()) {
        return None;
    }
    let size = (whole(next()?)?, whole(next()?)?);
    next().is_none().then_some(size)
}

/// A number without a sign, rounded up.
fn whole(text: &str) -> Option<u32> {
    let (digits, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let is_some = !(digits.is_empty() && fraction.is_empty());
    if digits.len() > MAX_DIGITS || !is_number(digits) || !is_number(fraction) || !is_some {
        return None;
    }
    let rest = u32::from(fraction.bytes().any(|byte| byte != b'0'));
    let digits = if digits.is_empty() { 0 } else { digits.parse::<u32>().ok()? };
    digits.checked_add(rest)
}

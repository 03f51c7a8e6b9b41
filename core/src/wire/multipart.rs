//! Multipart bodies (RFC 7578), split into their parts without a copy of what they hold.
//!
//! Clients differ in all that the standard leaves open, and in some that it does not: the boundary may be in
//! quotes, lines may end without a carriage return, headers may be folded. A body without its end is none.

use alloc::vec::Vec;

use memchr::memmem::Finder;

/// The most bytes of the headers of a part, which may name a field that nobody knows.
const MAX_HEADERS: usize = 262_144;
/// The most headers of a part.
const MAX_HEADER_LINES: usize = 32;
/// The most bytes of a boundary; the standard allows 70.
const MAX_BOUNDARY: usize = 200;

/// A part as it is in the body.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Part<'b> {
    /// Its headers, unfolded.
    headers: Vec<(&'b [u8], Vec<u8>)>,
    /// What it holds.
    pub(crate) content: &'b [u8],
}

impl Part<'_> {
    /// A header, by its name in any case.
    pub(crate) fn header(&self, name: &str) -> Option<&[u8]> {
        let found = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name.as_bytes()));
        found.map(|(_, value)| value.as_slice())
    }
}

/// How the lines of a body end.
#[derive(Clone, Copy)]
enum LineEnding {
    /// As they should.
    Whole,
    /// Without a carriage return.
    Bare,
}

/// The parts of a body, of which there are at most `max`; `None` for a body that cannot be split.
pub(crate) fn split<'b>(body: &'b [u8], boundary: &[u8], max: usize) -> Option<Vec<Part<'b>>> {
    if boundary.is_empty() || boundary.len() > MAX_BOUNDARY {
        return None;
    }
    let delimiter = [b"\n--", boundary].concat();
    let finder = Finder::new(&delimiter);
    let mut parts = Vec::new();
    let mut rest = after_preamble(body, &delimiter, &finder)?;
    loop {
        if rest.starts_with(b"--") {
            return Some(parts);
        }
        if parts.len() >= max {
            return None;
        }
        let (headers, ending, content) = read_headers(rest)?;
        let (content, after) = cut(content, &delimiter, &finder, ending)?;
        parts.push(Part { headers, content });
        rest = after;
    }
}

/// What follows the first delimiter, before which anything may stand.
fn after_preamble<'b>(body: &'b [u8], delimiter: &[u8], finder: &Finder<'_>) -> Option<&'b [u8]> {
    let first = delimiter.strip_prefix(b"\n").and_then(|first| body.strip_prefix(first));
    match first.filter(|after| is_end_of_delimiter(after)) {
        Some(after) => Some(after),
        None => Some(next(body, delimiter, finder)?.1),
    }
}

/// What stands before the next delimiter, and what follows it.
fn next<'b>(body: &'b [u8], delimiter: &[u8], finder: &Finder<'_>) -> Option<(&'b [u8], &'b [u8])> {
    let mut from = 0_usize;
    loop {
        let at = finder.find(body.get(from..)?)?.checked_add(from)?;
        let after = body.get(at.checked_add(delimiter.len())?..)?;
        if is_end_of_delimiter(after) {
            return Some((body.get(..at)?, after));
        }
        from = at.checked_add(1)?;
    }
}

/// Whether a delimiter ends here, and is not the beginning of a longer one.
fn is_end_of_delimiter(after: &[u8]) -> bool {
    let padding = after.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let line = after.get(padding..).unwrap_or_default();
    after.starts_with(b"--") || line.starts_with(b"\r\n") || line.starts_with(b"\n")
}

/// What a part holds, and what follows the delimiter after it. `content` begins with the line break before it.
fn cut<'b>(
    content: &'b [u8],
    delimiter: &[u8],
    finder: &Finder<'_>,
    ending: LineEnding,
) -> Option<(&'b [u8], &'b [u8])> {
    let (before, after) = next(content, delimiter, finder)?;
    // An empty part may share its line break with the headers.
    let Some(inner) = before.strip_prefix(b"\n") else { return Some((before, after)) };
    let inner = match ending {
        LineEnding::Whole => inner.strip_suffix(b"\r").unwrap_or(inner),
        LineEnding::Bare => inner,
    };
    Some((inner, after))
}

type Headers<'b> = Vec<(&'b [u8], Vec<u8>)>;

/// The headers after a delimiter, how their lines end, and the rest from the last line break of them on.
fn read_headers(text: &[u8]) -> Option<(Headers<'_>, LineEnding, &[u8])> {
    let (padding, mut rest) = line(text)?;
    let ending = if padding.ends_with(b"\r") { LineEnding::Whole } else { LineEnding::Bare };
    if !padding.trim_ascii().is_empty() {
        return None;
    }
    let mut headers: Headers<'_> = Vec::new();
    loop {
        if text.len().checked_sub(rest.len())? > MAX_HEADERS || headers.len() > MAX_HEADER_LINES {
            return None;
        }
        let (one, after) = line(rest)?;
        let is_folded = one.first().is_some_and(|byte| matches!(byte, b' ' | b'\t'));
        let one = one.strip_suffix(b"\r").unwrap_or(one);
        if one.is_empty() {
            let start = text.len().checked_sub(after.len())?.checked_sub(1)?;
            return Some((headers, ending, text.get(start..)?));
        }
        if is_folded {
            let (_, value) = headers.last_mut()?;
            value.push(b' ');
            value.extend_from_slice(one.trim_ascii());
        } else {
            let colon = one.iter().position(|byte| *byte == b':')?;
            let (name, value) = one.split_at_checked(colon)?;
            headers.push((name.trim_ascii(), value.strip_prefix(b":")?.trim_ascii().to_vec()));
        }
        rest = after;
    }
}

/// A line without its line feed, and what follows.
fn line(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = text.iter().take(MAX_HEADERS).position(|byte| *byte == b'\n')?;
    let (line, after) = text.split_at_checked(end)?;
    Some((line, after.strip_prefix(b"\n")?))
}

#[cfg(test)]
mod tests;

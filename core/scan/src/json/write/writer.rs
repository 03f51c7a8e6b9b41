//! Writes texts, with their escapes, and numbers.

use alloc::vec::Vec;
use core::fmt::{self, Display, Write};

use serde::ser;

/// A value that has no JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unwritable;

impl Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value that cannot be written as JSON")
    }
}

impl core::error::Error for Unwritable {}

impl ser::Error for Unwritable {
    fn custom<T: Display>(_: T) -> Self {
        Self
    }
}

/// The text so far.
#[derive(Debug)]
pub struct Writer {
    pub(super) text: Vec<u8>,
    /// Whether the next text is JSON already.
    pub(super) is_raw: bool,
}

/// The short escape of a character; `None` for one that has none.
const fn short_escape(byte: u8) -> Option<&'static str> {
    Some(match byte {
        b'"' => "\\\"",
        b'\\' => "\\\\",
        b'\n' => "\\n",
        b'\r' => "\\r",
        b'\t' => "\\t",
        0x08 => "\\b",
        0x0C => "\\f",
        _ => return None,
    })
}

/// The most bytes that are copied eight at a time.
const SHORT: usize = 24;

const fn is_escaped(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// Whether one of eight bytes is escaped. Each test sets the high bit of a byte that fits; a borrow from one that fits may
/// set that of the next too, which changes nothing about whether there is one.
const fn has_escaped(eight: [u8; 8]) -> bool {
    const LOW: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    let word = u64::from_ne_bytes(eight);
    let quote = word ^ u64::from_ne_bytes([b'"'; 8]);
    let backslash = word ^ u64::from_ne_bytes([b'\\'; 8]);
    let control = word.wrapping_sub(u64::from_ne_bytes([0x20; 8])) & !word;
    (control | (quote.wrapping_sub(LOW) & !quote) | (backslash.wrapping_sub(LOW) & !backslash)) & HIGH != 0
}

impl Writer {
    pub(super) fn put(&mut self, text: &str) {
        self.text.extend_from_slice(text.as_bytes());
    }

    /// The inside of a text. What is escaped is one byte, so the bytes of all other characters go by.
    pub(super) fn put_escaped(&mut self, text: &str) {
        self.text.reserve(text.len());
        let mut rest = text.as_bytes();
        // Copying costs a call, which is worth it for more than a few bytes only.
        while rest.len() > SHORT {
            let (eights, _) = rest.as_chunks();
            let plain = eights.iter().take_while(|eight| !has_escaped(**eight)).count().saturating_mul(8);
            let (before, after) = rest.split_at_checked(plain).unwrap_or((rest, &[]));
            self.text.extend_from_slice(before);
            let (eight, after) = after.split_at_checked(8).unwrap_or((after, &[]));
            self.put_bytes(eight);
            rest = after;
        }
        let (eights, last) = rest.as_chunks();
        for eight in eights {
            if has_escaped(*eight) {
                self.put_bytes(eight);
            } else {
                self.text.extend_from_slice(eight);
            }
        }
        self.put_bytes(last);
    }

    /// A few bytes of the inside of a text.
    pub(super) fn put_bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if is_escaped(*byte) {
                self.put_escape(*byte);
            } else {
                self.text.push(*byte);
            }
        }
    }

    #[inline(never)]
    pub(super) fn put_escape(&mut self, byte: u8) {
        match short_escape(byte) {
            Some(escape) => self.put(escape),
            None => self.put(&alloc::format!("\\u{byte:04x}")),
        }
    }

    #[inline(never)]
    pub(super) fn put_text(&mut self, text: &str) {
        if core::mem::take(&mut self.is_raw) {
            self.put(text);
            return;
        }
        self.text.push(b'"');
        self.put_escaped(text);
        self.text.push(b'"');
    }

    #[inline(never)]
    pub(super) fn put_displayed(&mut self, value: &dyn Display) -> Result<(), Unwritable> {
        self.text.push(b'"');
        write!(Escaped(self), "{value}").map_err(|_| Unwritable)?;
        self.text.push(b'"');
        Ok(())
    }

    #[inline(never)]
    pub(super) fn put_number(&mut self, number: &dyn Display) {
        // Digits have nothing to escape, and a text takes whatever is written to it.
        _ = write!(Escaped(self), "{number}");
    }

    #[inline(never)]
    pub(super) fn put_word(&mut self, word: &str) {
        self.put(word);
    }
}

/// Escapes what is displayed.
struct Escaped<'w>(&'w mut Writer);

impl Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.put_escaped(text);
        Ok(())
    }
}

//! Writes a value as JSON (RFC 8259), without spaces.
//!
//! `serde_json` writes to any writer in any style, so its code is compiled again in each crate that uses it, at the
//! level of that crate. This one writes to a text and nothing else.

mod compound;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Display, Write};

use serde::ser::{self, Impossible, Serialize, Serializer};

use self::compound::Compound;

/// The name under which `serde_json` serialises a value that is JSON already, as a struct of one text.
const RAW: &str = "$serde_json::private::RawValue";

/// Writes a value as JSON.
///
/// # Errors
/// [`Unwritable`] for a value that has no JSON here: binary fractions, bytes, enum variants with values with their
/// name, and names of members that are not texts.
pub fn write<T: Serialize + ?Sized>(value: &T) -> Result<String, Unwritable> {
    let mut writer = Writer { text: Vec::with_capacity(1024), is_raw: false };
    value.serialize(&mut writer)?;
    // Whole texts and ASCII were put together.
    String::from_utf8(writer.text).map_err(|_| Unwritable)
}

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
    text: Vec<u8>,
    /// Whether the next text is JSON already.
    is_raw: bool,
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
    fn put(&mut self, text: &str) {
        self.text.extend_from_slice(text.as_bytes());
    }

    /// The inside of a text. What is escaped is one byte, so the bytes of all other characters go by.
    fn put_escaped(&mut self, text: &str) {
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
    fn put_bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if is_escaped(*byte) {
                self.put_escape(*byte);
            } else {
                self.text.push(*byte);
            }
        }
    }

    #[inline(never)]
    fn put_escape(&mut self, byte: u8) {
        match short_escape(byte) {
            Some(escape) => self.put(escape),
            None => self.put(&alloc::format!("\\u{byte:04x}")),
        }
    }

    #[inline(never)]
    fn put_text(&mut self, text: &str) {
        if core::mem::take(&mut self.is_raw) {
            self.put(text);
            return;
        }
        self.text.push(b'"');
        self.put_escaped(text);
        self.text.push(b'"');
    }

    #[inline(never)]
    fn put_displayed(&mut self, value: &dyn Display) -> Result<(), Unwritable> {
        self.text.push(b'"');
        write!(Escaped(self), "{value}").map_err(|_| Unwritable)?;
        self.text.push(b'"');
        Ok(())
    }

    #[inline(never)]
    fn put_number(&mut self, number: &dyn Display) {
        // Digits have nothing to escape, and a text takes whatever is written to it.
        _ = write!(Escaped(self), "{number}");
    }

    #[inline(never)]
    fn put_word(&mut self, word: &str) {
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

macro_rules! integers {
    ($($name:ident: $type:ty),*) => {
        $(fn $name(self, number: $type) -> Result<(), Unwritable> {
            self.put_number(&number);
            Ok(())
        })*
    };
}

impl<'w> Serializer for &'w mut Writer {
    type Ok = ();
    type Error = Unwritable;
    type SerializeSeq = Compound<'w>;
    type SerializeTuple = Compound<'w>;
    type SerializeTupleStruct = Compound<'w>;
    type SerializeTupleVariant = Impossible<(), Unwritable>;
    type SerializeMap = Compound<'w>;
    type SerializeStruct = Compound<'w>;
    type SerializeStructVariant = Impossible<(), Unwritable>;

    integers!(
        serialize_i8: i8,
        serialize_i16: i16,
        serialize_i32: i32,
        serialize_i64: i64,
        serialize_u8: u8,
        serialize_u16: u16,
        serialize_u32: u32,
        serialize_u64: u64
    );

    fn serialize_bool(self, flag: bool) -> Result<(), Unwritable> {
        self.put_word(if flag { "true" } else { "false" });
        Ok(())
    }

    #[expect(clippy::disallowed_types, reason = "the trait names it; no value of Till is one")]
    fn serialize_f32(self, _: f32) -> Result<(), Unwritable> {
        Err(Unwritable)
    }

    #[expect(clippy::disallowed_types, reason = "the trait names it; no value of Till is one")]
    fn serialize_f64(self, _: f64) -> Result<(), Unwritable> {
        Err(Unwritable)
    }

    fn serialize_char(self, character: char) -> Result<(), Unwritable> {
        self.put_text(character.encode_utf8(&mut [0; 4]));
        Ok(())
    }

    fn serialize_str(self, text: &str) -> Result<(), Unwritable> {
        self.put_text(text);
        Ok(())
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<(), Unwritable> {
        self.put_displayed(&value)
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<(), Unwritable> {
        Err(Unwritable)
    }

    fn serialize_none(self) -> Result<(), Unwritable> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Unwritable> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Unwritable> {
        self.put_word("null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Unwritable> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, name: &'static str) -> Result<(), Unwritable> {
        self.serialize_str(name)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Unwritable> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Unwritable> {
        Err(Unwritable)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Compound<'w>, Unwritable> {
        Ok(Compound::open(self, "[", "]"))
    }

    fn serialize_tuple(self, _: usize) -> Result<Compound<'w>, Unwritable> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Compound<'w>, Unwritable> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Unwritable> {
        Err(Unwritable)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Compound<'w>, Unwritable> {
        Ok(Compound::open(self, "{", "}"))
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Compound<'w>, Unwritable> {
        if name == RAW {
            self.is_raw = true;
            return Ok(Compound::open(self, "", ""));
        }
        self.serialize_map(None)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Unwritable> {
        Err(Unwritable)
    }
}

#[cfg(test)]
mod tests;

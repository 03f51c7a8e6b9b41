//! Writes a value as JSON (RFC 8259), without spaces.
//!
//! `serde_json` writes to any writer in any style, so its code is compiled again in each crate that uses it, at the
//! level of that crate. This one writes to a text and nothing else.

mod compound;
mod writer;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Display;

use serde::ser::{Impossible, Serialize, Serializer};

use self::compound::Compound;
pub use self::writer::Unwritable;
use self::writer::Writer;

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

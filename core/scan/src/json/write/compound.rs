//! The parts of an object or a list.

use serde::ser::{self, Serialize};

use super::writer::{Unwritable, Writer};

/// An object or a list that is being written.
#[derive(Debug)]
pub struct Compound<'w> {
    writer: &'w mut Writer,
    is_first: bool,
    /// What follows the last part.
    end: &'static str,
}

impl<'w> Compound<'w> {
    #[inline(never)]
    pub(super) fn open(writer: &'w mut Writer, start: &str, end: &'static str) -> Self {
        writer.put(start);
        Self { writer, is_first: true, end }
    }

    #[inline(never)]
    fn close(&mut self) {
        self.writer.put(self.end);
    }

    #[inline(never)]
    fn separate(&mut self) {
        if !core::mem::take(&mut self.is_first) {
            self.writer.text.push(b',');
        }
    }

    #[inline(never)]
    fn put_name(&mut self, name: &str) {
        // The struct around a value that is JSON already is not written.
        if self.writer.is_raw {
            return;
        }
        self.separate();
        self.writer.put_text(name);
        self.writer.text.push(b':');
    }

    /// Whether what was written since `start` is a text.
    #[inline(never)]
    fn is_text_since(&self, start: usize) -> bool {
        self.writer.text.get(start) == Some(&b'"')
    }
}

macro_rules! lists {
    ($($trait:ident: $item:ident),*) => {
        $(impl ser::$trait for Compound<'_> {
            type Ok = ();
            type Error = Unwritable;

            fn $item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
                self.separate();
                value.serialize(&mut *self.writer)
            }

            fn end(mut self) -> Result<(), Unwritable> {
                self.close();
                Ok(())
            }
        })*
    };
}

lists!(
    SerializeSeq: serialize_element,
    SerializeTuple: serialize_element,
    SerializeTupleStruct: serialize_field
);

impl ser::SerializeStruct for Compound<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Unwritable> {
        self.put_name(name);
        value.serialize(&mut *self.writer)
    }

    fn end(mut self) -> Result<(), Unwritable> {
        self.close();
        Ok(())
    }
}

impl ser::SerializeMap for Compound<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, name: &T) -> Result<(), Unwritable> {
        self.separate();
        let start = self.writer.text.len();
        name.serialize(&mut *self.writer)?;
        if self.is_text_since(start) { Ok(()) } else { Err(Unwritable) }
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
        self.writer.text.push(b':');
        value.serialize(&mut *self.writer)
    }

    fn end(mut self) -> Result<(), Unwritable> {
        self.close();
        Ok(())
    }
}

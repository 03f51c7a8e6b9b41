//! Where the rows of a payment or of a merchant are stored, and how each name carries it.
//!
//! There are 256 slots, which are assigned to databases. A name cannot be changed later, so every name by which
//! something of a payment or of a merchant is looked up carries its slot: nobody has to ask where a row is. A name
//! of an earlier form carries none and means the first slot. This is the one place that writes and reads a slot:
//!
//! | form | names | known from the earlier form by |
//! |---|---|---|
//! | `Leading::digits`: two digits, then the rest | session ids; card tokens, alerts and signature keys after their prefix | the length; session ids have one form |
//! | `Leading::marked`: `x`, two digits, then the rest | short links, attachments, images, return tokens | the length |
//! | `write_last`: `U` and two digits at the end | reference numbers | the third character from the end, which is no `U` otherwise |
//!
//! What is named by one of these has its slot from it: QR codes, receipts, events, deliveries and messages from the
//! session id; entries of the attention list from the reference number; what has no attempt has its session id for
//! a reference number. API keys have two digits after their prefix; because their length is published,
//! [`crate::access::key`] recognises them by a second check part.

use alloc::format;
use alloc::string::String;
use core::fmt;

/// One of 256 places in which rows are stored together. Written as two lower-case hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(u8);

/// What names something of a payment or of a merchant, and so says in which slot it is.
pub trait Slotted {
    /// The slot.
    fn slot(&self) -> Slot;
}

impl Slot {
    /// The slot of names that carry none.
    pub const FIRST: Self = Self(0);
    /// The characters of a slot.
    pub(crate) const CHARS: usize = 2;

    /// Its two digits.
    pub(crate) fn digits(self) -> [char; Self::CHARS] {
        let digit = |number: u8| char::from_digit(u32::from(number), 16).unwrap_or('0');
        [digit(self.0 / 16), digit(self.0 % 16)]
    }

    /// Reads two lower-case hexadecimal digits.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let is_slot = text.len() == Self::CHARS && text.bytes().all(is_digit);
        u8::from_str_radix(text, 16).ok().filter(|_| is_slot).map(Self)
    }
}

impl From<u8> for Slot {
    fn from(number: u8) -> Self {
        Self(number)
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02x}", self.0)
    }
}

impl Slotted for Slot {
    fn slot(&self) -> Slot {
        *self
    }
}

/// How names carry their slot before the rest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Leading {
    mark: &'static str,
    chars: usize,
}

impl Leading {
    /// Two digits before a rest of so many characters.
    pub(crate) const fn digits(chars: usize) -> Self {
        Self { mark: "", chars }
    }

    /// `x` and two digits before a rest of so many characters.
    pub(crate) const fn marked(chars: usize) -> Self {
        Self { mark: "x", chars }
    }

    /// The name.
    pub(crate) fn write(self, slot: Slot, rest: &str) -> String {
        format!("{}{slot}{rest}", self.mark)
    }

    /// The slot of a name and the rest, which is the whole of a name of the earlier form.
    pub(crate) fn read(self, text: &str) -> Option<(Slot, &str)> {
        if text.len() == self.chars {
            return Some((Slot::FIRST, text));
        }
        let (slot, rest) = text.strip_prefix(self.mark)?.split_at_checked(Slot::CHARS)?;
        Some((Slot::parse(slot)?, rest)).filter(|(_, rest)| rest.len() == self.chars)
    }

    /// The slot of a name that was read before.
    pub(crate) fn slot(self, text: &str) -> Slot {
        self.read(text).map_or(Slot::FIRST, |(slot, _)| slot)
    }
}

/// What precedes the slot at the end of a reference number. The rest of one that is generated here does not contain it.
const LAST_MARK: char = 'U';

/// Writes a slot at the end of a reference number.
pub(crate) fn write_last(name: &mut String, slot: Slot) {
    name.push(LAST_MARK);
    name.extend(slot.digits().map(|digit| digit.to_ascii_uppercase()));
}

/// The slot at the end of a reference number.
pub(crate) fn read_last(name: &str) -> Slot {
    let last = name.rsplit_once(LAST_MARK).map(|(_, last)| last);
    let digits = last.filter(|last| !last.bytes().any(|byte| byte.is_ascii_lowercase()));
    digits.and_then(|digits| Slot::parse(&digits.to_ascii_lowercase())).unwrap_or(Slot::FIRST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_two_lower_case_digits() {
        for number in 0..=255 {
            let slot = Slot::from(number);
            assert_eq!(Slot::parse(&format!("{slot}")), Some(slot));
        }
        for text in ["", "0", "000", "+1", "0A", "g0", " 0", "\u{e9}"] {
            assert_eq!(Slot::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_leading_slot_is_known_by_the_length_of_the_name() {
        for form in [Leading::digits(4), Leading::marked(4)] {
            let name = form.write(Slot::from(0xa7), "rest");
            assert_eq!(form.read(&name), Some((Slot::from(0xa7), "rest")));
            assert_eq!(form.read("x00r"), Some((Slot::FIRST, "x00r")), "the earlier form has any letters");
            for text in
                ["", "res", "rest1", "a7res", "xa7rest1", "xA7rest", "yA7rest", "xg7rest", "\u{e9}\u{e9}xa"]
            {
                assert_eq!(form.read(text), None, "{text}");
            }
        }
    }

    #[test]
    fn a_last_slot_is_known_by_its_mark() {
        let mut name = String::from("SHOPU104HMASW9NF6Y");
        assert_eq!(read_last(&name), Slot::FIRST);
        write_last(&mut name, Slot::from(0xa7));
        assert_eq!((name.as_str(), read_last(&name)), ("SHOPU104HMASW9NF6YUA7", Slot::from(0xa7)));
        for earlier in
            ["", "U", "04HMASW9NFUA", "04HMASW9NU6YA", "04HMASW9NUGA", "04HMASW9NUa7", "04HMASW9NVA7"]
        {
            assert_eq!(read_last(earlier), Slot::FIRST, "{earlier}");
        }
    }
}

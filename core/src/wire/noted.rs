//! What readers ask of the fields of a body, noted while they read: the API description is printed from it.
//!
//! Without the feature `noted` nothing is noted.

/// What a reader asks of a field, or of the items of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Noted {
    /// It must be given.
    Required,
    /// It may be left out.
    Optional,
    /// One line of text of at most so many characters.
    Text(usize),
    /// An e-mail address.
    Email,
    /// One of these words.
    Words(&'static [&'static str]),
    /// A currency code.
    Currency,
    /// An amount.
    Amount,
    /// A list of at most so many items.
    List(usize),
    /// A list of at least one item.
    NotEmpty,
    /// An object.
    Object,
    /// A whole number from the first to the second.
    Whole(u32, u32),
    /// A flag.
    Flag,
    /// A country code.
    Country,
    /// A slug.
    Slug,
    /// The code of a gateway.
    Code,
    /// A calendar date.
    Date,
    /// A date and time.
    DateTime,
    /// A period of time of at most so many seconds.
    Period(u64),
    /// A web address.
    Address,
    /// A text of at least the first and at most the second number of characters.
    Chars(usize, usize),
    /// A text that has at least one character.
    NotBlank,
    /// A text that matches a regular expression.
    Matching(&'static str),
    /// What was asked before, or `null`.
    Nullable,
    /// An object that has an object as this member, next to others.
    Holding(&'static str),
    /// No member but those that are asked for. The path of the whole body is empty.
    Closed,
}

#[cfg(feature = "noted")]
pub use recorded::{Note, items, note, record};

/// Notes what is asked of a field.
#[cfg(not(feature = "noted"))]
#[inline(always)]
pub(crate) const fn note(_: &'static str, _: &Noted) {}

/// Notes what is asked of every item of a list.
#[cfg(not(feature = "noted"))]
#[inline(always)]
pub(crate) const fn items(_: &'static str, _: &Noted) {}

#[cfg(feature = "noted")]
mod recorded {
    use alloc::vec::Vec;
    use core::cell::RefCell;

    use super::Noted;

    /// What was asked.
    #[derive(Debug, Clone)]
    pub struct Note {
        /// Of which field.
        pub path: &'static str,
        /// Whether of the items of a list.
        pub is_of_items: bool,
        /// What.
        pub asked: Noted,
    }

    std::thread_local! {
        static NOTES: RefCell<Option<Vec<Note>>> = const { RefCell::new(None) };
    }

    fn add(path: &'static str, is_of_items: bool, asked: &Noted) {
        NOTES.with_borrow_mut(|notes| {
            if let Some(notes) = notes {
                notes.push(Note { path, is_of_items, asked: asked.clone() });
            }
        });
    }

    /// Notes what is asked of a field.
    pub fn note(path: &'static str, asked: &Noted) {
        add(path, false, asked);
    }

    /// Notes what is asked of every item of a list.
    pub fn items(path: &'static str, asked: &Noted) {
        add(path, true, asked);
    }

    /// Everything that `read` asks, in order.
    pub fn record(read: impl FnOnce()) -> Vec<Note> {
        NOTES.set(Some(Vec::new()));
        read();
        NOTES.take().unwrap_or_default()
    }
}

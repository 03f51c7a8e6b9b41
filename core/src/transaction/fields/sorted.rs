//! Lists of fields that the compiler sorts: the members of an answer, and the order in which violations are listed.

/// Declares a list of fields that the compiler sorts by name; a field may come `after` another instead.
macro_rules! sorted_fields {
    ($list:ident { $($name:ident $(as $wire:literal)? $(after $before:ident)?;)* }) => {
        #[derive(Clone, Copy)]
        #[expect(non_camel_case_types, reason = "named as the fields are")]
        enum $list {
            $($name,)*
        }

        impl $list {
            /// Every field, sorted.
            const SORTED: &'static [Self] = &$crate::transaction::fields::sorted::sorted([
                $(($crate::transaction::fields::sorted::sort_key!($name $(as $wire)? $(after $before)?), Self::$name),)*
            ]);
        }
    };
}
pub(crate) use sorted_fields;

/// By what a field is sorted. No name has a `+`, which is before every character of a name.
macro_rules! sort_key {
    ($name:ident) => {
        stringify!($name)
    };
    ($name:ident as $wire:literal) => {
        $wire
    };
    ($name:ident after $before:ident) => {
        concat!(stringify!($before), "+")
    };
}
pub(crate) use sort_key;

/// What has a key, in the order of the keys.
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "only the compiler runs it, and reports a panic"
)]
pub(crate) const fn sorted<T: Copy, const N: usize>(mut keyed: [(&str, T); N]) -> [T; N] {
    let mut values = [keyed[0].1; N];
    let mut end = 0;
    while end < N {
        let mut place = end;
        while place > 0 && is_before(keyed[place].0, keyed[place - 1].0) {
            (keyed[place], keyed[place - 1]) = (keyed[place - 1], keyed[place]);
            place -= 1;
        }
        end += 1;
    }
    while end > 0 {
        end -= 1;
        values[end] = keyed[end].1;
    }
    values
}

#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "only the compiler runs it, and reports a panic"
)]
const fn is_before(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut place = 0;
    while place < one.len() && place < other.len() && one[place] == other[place] {
        place += 1;
    }
    place < other.len() && (place == one.len() || one[place] < other[place])
}

#[cfg(test)]
mod tests {
    #[test]
    fn fields_are_sorted_by_name_or_come_after_another() {
        sorted_fields! { Field { b_c; a; c as "A"; d after b; b; } }
        let names = Field::SORTED.iter().map(|field| match field {
            Field::a => "a",
            Field::b => "b",
            Field::b_c => "b_c",
            Field::c => "A",
            Field::d => "d after b",
        });
        assert_eq!(names.collect::<alloc::vec::Vec<_>>(), ["A", "a", "b", "d after b", "b_c"]);
    }
}

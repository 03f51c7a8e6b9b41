//! Sorts lists that are short, of some dozen items. The library's sort is made for long ones, and adds 4 KB
//! for each type.

use alloc::vec::Vec;
use core::cmp::Ordering;

/// Sorts by insertion, one item after the other; equal items stay in their order.
pub(crate) fn sort_short<T>(items: &mut Vec<T>, compare: impl Fn(&T, &T) -> Ordering) {
    let mut sorted = Vec::with_capacity(items.len());
    for item in items.drain(..) {
        let place = sorted.partition_point(|before| compare(before, &item).is_le());
        sorted.insert(place, item);
    }
    *items = sorted;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_sorted_and_equals_stay_in_their_order() {
        let mut items = alloc::vec![(2, 'a'), (1, 'b'), (3, 'c'), (1, 'd'), (2, 'e'), (0, 'f')];
        sort_short(&mut items, |one, other| one.0.cmp(&other.0));
        assert_eq!(items, [(0, 'f'), (1, 'b'), (1, 'd'), (2, 'a'), (2, 'e'), (3, 'c')]);
        let mut nothing: Vec<u8> = Vec::new();
        sort_short(&mut nothing, Ord::cmp);
        assert!(nothing.is_empty());
    }
}

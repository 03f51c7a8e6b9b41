use super::Row;
use crate::platform::Cell;

pub(in crate::port::d1) fn text(text: &str) -> Cell {
    Cell::Text(text.into())
}

#[test]
fn every_cell_is_found_in_the_order_of_the_columns() {
    let cells =
        vec![text("a\n\0\u{1F600}"), Cell::Number(-12), Cell::Null, Cell::Number(9_007_199_254_740_991)];
    let mut row = Row::of(cells);
    assert_eq!(row.text("t.a").unwrap(), "a\n\0\u{1F600}");
    assert_eq!(row.number("t.b").unwrap(), -12);
    assert!(row.is_null());
    assert_eq!(row.optional_text("t.c").unwrap(), None);
    assert_eq!(row.number("t.d").unwrap(), 9_007_199_254_740_991);
    assert!(row.is_null(), "nothing is left");
    assert!(row.optional_text("t.e").is_err());
    let mut row = Row::of(vec![Cell::Null, text("b")]);
    row.skip(1);
    assert_eq!(row.word("t.b", |found| (found == "b").then_some(1)).unwrap(), 1);
}

#[test]
fn a_cell_of_another_kind_is_corrupt() {
    let corrupt = |cell: Cell, read: fn(&mut Row) -> bool| read(&mut Row::of(vec![cell]));
    assert!(corrupt(text("1"), |row| row.number("t.a").is_err()));
    assert!(corrupt(Cell::Number(1), |row| row.text("t.a").is_err()));
    assert!(corrupt(Cell::Null, |row| row.text("t.a").is_err()));
    assert!(corrupt(Cell::Null, |row| row.number("t.a").is_err()));
    assert!(corrupt(Cell::Number(9_007_199_254_740_992), |row| row.number("t.a").is_err()));
    assert!(corrupt(Cell::Other, |row| row.number("t.a").is_err()));
    assert!(corrupt(Cell::Other, |row| row.text("t.a").is_err()));
}

#[test]
fn what_no_column_contains_is_read_as_such() {
    let cells: Vec<Cell> = serde_json::from_str(r#"[null,"a",-7,1.5,18446744073709551615]"#).unwrap();
    assert!(
        matches!(&cells[..], [Cell::Null, Cell::Text(_), Cell::Number(-7), Cell::Other, Cell::Other]),
        "{cells:?}"
    );
}

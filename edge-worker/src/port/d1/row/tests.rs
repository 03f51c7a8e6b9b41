use super::Row;

/// What `platform.js` sends of rows.
pub(in crate::port::d1) fn rows(columns: i32, cells: &[Sent<'_>]) -> Vec<Row> {
    let mut text = String::new();
    let mut shape = vec![columns];
    for cell in cells {
        let (part, length) = match cell {
            Sent::Null => ("", -1),
            Sent::Text(part) => (*part, units_of(part)),
            Sent::Number(part) => (*part, (-2_i32).saturating_sub(units_of(part))),
        };
        text.push_str(part);
        shape.push(length);
    }
    Row::all(in_one_piece(&shape, &text)).unwrap()
}

/// One cell as the platform has it.
#[derive(Clone, Copy)]
pub(in crate::port::d1) enum Sent<'a> {
    Null,
    Text(&'a str),
    Number(&'a str),
}

fn units_of(text: &str) -> i32 {
    i32::try_from(text.encode_utf16().count()).unwrap()
}

fn in_one_piece(shape: &[i32], text: &str) -> Vec<u8> {
    let count = i32::try_from(shape.len()).unwrap();
    let numbers = shape.iter().chain([&count]).flat_map(|number| number.to_le_bytes());
    text.bytes().chain(numbers).collect()
}

fn is_corrupt(shape: &[i32], text: &str) -> bool {
    Row::all(in_one_piece(shape, text)).is_err()
}

#[test]
fn every_cell_is_found_whatever_was_before_it() {
    for text in ["", "a", "\u{645}\u{631}\u{62d}\u{628}\u{627}", "\u{1F600}", "a\u{1F600}b\"\n\u{0}"] {
        let cells = [
            Sent::Text(text),
            Sent::Number("-12"),
            Sent::Null,
            Sent::Number("9007199254740991"),
            Sent::Text(text),
            Sent::Text("z"),
        ];
        let mut rows = rows(3, &cells);
        assert_eq!(rows.len(), 2);
        let (mut second, mut first) = (rows.pop().unwrap(), rows.pop().unwrap());
        assert_eq!(first.text("t.a").unwrap(), text);
        assert_eq!(first.number("t.b").unwrap(), -12);
        assert!(first.is_null());
        assert_eq!(first.optional_text("t.c").unwrap(), None);
        assert!(first.is_null(), "nothing is left");
        assert!(first.optional_text("t.d").is_err());
        assert_eq!(second.number("t.a").unwrap(), 9_007_199_254_740_991);
        assert_eq!(second.word("t.b", |found| (found == text).then_some(1)).unwrap(), 1);
        second.skip(1);
        assert!(second.number("t.c").is_err());
    }
}

#[test]
fn a_cell_of_another_kind_is_corrupt() {
    let corrupt = |cell: Sent<'_>, read: fn(&mut Row) -> bool| read(&mut rows(1, &[cell]).pop().unwrap());
    assert!(corrupt(Sent::Text("1"), |row| row.number("t.a").is_err()));
    assert!(corrupt(Sent::Number("1"), |row| row.text("t.a").is_err()));
    assert!(corrupt(Sent::Null, |row| row.text("t.a").is_err()));
    assert!(corrupt(Sent::Null, |row| row.number("t.a").is_err()));
    for number in ["1.5", "1e21", "NaN", "", "9007199254740992", "true"] {
        assert!(corrupt(Sent::Number(number), |row| row.number("t.a").is_err()), "{number}");
    }
}

#[test]
fn no_rows_have_no_columns() {
    assert!(rows(0, &[]).is_empty());
}

#[test]
fn a_shape_that_does_not_fit_the_text_is_corrupt() {
    assert!(is_corrupt(&[], ""));
    assert!(is_corrupt(&[-1], ""));
    assert!(is_corrupt(&[1, 2], "a"));
    assert!(is_corrupt(&[1, 1], "\u{1F600}"), "half of a character");
    assert!(is_corrupt(&[1, i32::MIN], ""));
    for bytes in
        [&[][..], &[0, 0, 0], &[1, 0, 0, 0], &[255; 4], &[0, 0, 0, 128], &[255, 0, 0, 0, 0, 1, 0, 0, 0]]
    {
        assert!(Row::all(bytes.into()).is_err(), "{bytes:?}");
    }
    assert!(!is_corrupt(&[2, 1, 2], "a\u{1F600}"));
}

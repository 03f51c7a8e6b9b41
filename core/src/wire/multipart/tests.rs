//! Bodies as clients write them, and bodies that are none.

use alloc::string::ToString;

use super::*;

fn parts(body: &str) -> Option<Vec<(&str, Option<&str>)>> {
    let parts = split(body.as_bytes(), b"b", 8)?;
    let text = |bytes| core::str::from_utf8(bytes).unwrap();
    let body = body.as_bytes();
    let name_of = |part: &Part<'_>| {
        let at = body.windows(6).position(|six| six == b"name=a");
        part.header("content-disposition").is_some().then_some(if at.is_some() { "a" } else { "" })
    };
    Some(parts.iter().map(|part| (text(part.content), name_of(part))).collect())
}

fn contents(body: &str) -> Option<Vec<&str>> {
    parts(body).map(|parts| parts.into_iter().map(|(content, _)| content).collect())
}

#[test]
fn parts_are_split_with_and_without_what_stands_around_them() {
    assert_eq!(
        contents("--b\r\nA: x\r\n\r\none\r\n--b\r\n\r\ntwo\r\n--b--\r\n"),
        Some(["one", "two"].into())
    );
    assert_eq!(contents("before\r\n--b\r\n\r\none\r\n--b--after"), Some(["one"].into()));
    assert_eq!(contents("--b \t\r\n\r\none\r\n--b--"), Some(["one"].into()));
    assert_eq!(contents("--b--\r\n"), Some([].into()));
}

#[test]
fn what_a_part_holds_stays_to_the_byte() {
    assert_eq!(contents("--b\r\n\r\n\r\n\r\n\r\n--b--"), Some(["\r\n\r\n"].into()));
    assert_eq!(contents("--b\r\n\r\n--bc\r\n--b \td\r\n--b--"), Some(["--bc\r\n--b \td"].into()));
    assert_eq!(contents("--b\r\n\r\n\r\n--b--"), Some([""].into()));
    assert_eq!(contents("--b\r\n\r\n--b--"), Some([""].into()), "a line break for both");
    assert_eq!(contents("--b\r\n\r\na\r\r\n--b--"), Some(["a\r"].into()));
}

#[test]
fn lines_may_end_without_a_carriage_return() {
    assert_eq!(contents("--b\nA: x\n\none\n--b\n\ntwo\r\n--b--"), Some(["one", "two\r"].into()));
}

#[test]
fn headers_are_found_in_any_case_and_unfolded() {
    let body = b"--b\r\ncontent-DISPOSITION : form-data;\r\n\tname=a\r\nX:y\r\n\r\n1\r\n--b--";
    let parts = split(body, b"b", 1).unwrap();
    let header = |name| parts.first().and_then(|part| part.header(name));
    assert_eq!(header("Content-Disposition"), Some(&b"form-data; name=a"[..]));
    assert_eq!((header("x"), header("Y")), (Some(&b"y"[..]), None));
}

#[test]
fn a_body_that_is_cut_off_endless_or_not_of_this_boundary_is_none() {
    let whole = "--b\r\nA: x\r\n\r\none\r\n--b--";
    for length in 0..whole.len() {
        assert_eq!(contents(whole.get(..length).unwrap()), None, "{length}");
    }
    for other in
        ["--c\r\n\r\none\r\n--c--", "--b\r\nno header\r\n\r\n1\r\n--b--", "--b\r\n folded\r\n\r\n1\r\n--b--"]
    {
        assert_eq!(contents(other), None, "{other}");
    }
    let many =
        |count: usize| ["--b".to_string(), "\r\n\r\nx\r\n--b".repeat(count), "--".to_string()].concat();
    assert_eq!(contents(&many(8)).map(|parts| parts.len()), Some(8));
    assert_eq!(contents(&many(9)), None);
    let header = |length: usize| ["--b\r\nA: ", &"x".repeat(length), "\r\n\r\n\r\n--b--"].concat();
    assert!(contents(&header(200_000)).is_some() && contents(&header(300_000)).is_none());
    let headers = ["--b\r\n", &"A: x\r\n".repeat(40), "\r\n\r\n--b--"].concat();
    assert_eq!(contents(&headers), None);
    assert_eq!(split(b"----", b"", 8), None);
    assert_eq!(split(b"", &[b'b'; 201], 8), None);
}

use alloc::format;
use alloc::string::String;

use super::rewrite;
use crate::violation::ImageRule;

fn written(inner: &str) -> Result<String, ImageRule> {
    let file = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 24 24\">{inner}</svg>");
    rewrite(file.as_bytes()).map(|(text, _)| text)
}

/// What is written inside of the root.
fn inner(svg: &str) -> String {
    let text = written(svg).unwrap();
    let (_, rest) = text.split_once('>').unwrap();
    rest.strip_suffix("</svg>").unwrap().into()
}

#[test]
fn what_draws_is_written_and_what_does_not_is_left_out() {
    assert_eq!(
        inner(
            "<!-- c --><?pi x?><title>t</title><metadata>m</metadata>\
             <g id='a' data-x='1' class='c' inkscape:label='l' xmlns:inkscape='urn:i' inkscape:z='1'>\
             <path d='M0 0L1 1z'\nfill='#f00'/>text</g><inkscape:view xmlns:inkscape='urn:i'/>"
        ),
        "<g id=\"a\"><path d=\"M0 0L1 1z\" fill=\"#f00\"/></g>"
    );
}

#[test]
fn a_style_becomes_attributes() {
    assert_eq!(
        inner(
            "<path d='M0 0' fill='red' style='fill: url(\"#a\") ;stroke:none;-inkscape-x:1;font-family:Arial'/>"
        ),
        "<path d=\"M0 0\" fill=\"url(#a)\" stroke=\"none\"/>"
    );
}

#[test]
fn gradients_refer_to_each_other() {
    let gradient = "<linearGradient id='b' xlink:href='#a' xmlns:xlink='http://www.w3.org/1999/xlink'/>";
    assert_eq!(inner(gradient), "<linearGradient id=\"b\" href=\"#a\"/>");
}

#[test]
fn what_was_written_is_written_the_same_again() {
    let once = written(
        "<defs><clipPath id='c'><rect width='1' height='2'/></clipPath></defs><g clip-path='url(#c)'/>",
    );
    let once = once.unwrap();
    assert_eq!(rewrite(once.as_bytes()).unwrap().0, once);
}

#[test]
fn the_size_is_that_of_the_root_or_of_its_view_box() {
    let size = |attributes: &str| {
        let file = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" {attributes}/>");
        rewrite(file.as_bytes()).map(|(_, size)| size)
    };
    assert_eq!(size("viewBox='0 0 24 12'"), Ok((24, 12)));
    assert_eq!(size("viewBox='-1.5,0 24.2 12'"), Ok((25, 12)));
    assert_eq!(size("viewBox='0 0 24 12' width='100%' height='48px'"), Ok((24, 48)));
    assert_eq!(size("width='100' height='50.5px'"), Ok((100, 51)));
    for attributes in ["", "width='100'", "width='10em' height='1'", "viewBox='0 0 1'", "viewBox='0 0 1e9 1'"]
    {
        assert_eq!(size(attributes), Err(ImageRule::NoSize), "{attributes}");
    }
}

//! An e-mail as HTML that mail programs can draw: tables for the layout, styles on each element, no script, no style sheet
//! but one for the dark, no picture behind anything. Colours of the dark are only a hint: programs that do not know it show
//! the light ones, or make their own.

use alloc::string::String;

use super::wording::Wording;
use crate::route::Route;
use crate::settings::brand::palette::{DARK, LIGHT, Palette};
use crate::value::colour::Colour;

/// The accent of a merchant without one: that of the page.
const ACCENT: Colour = Colour([0x1d, 0x4e, 0xd8]);
/// The letters. Programs in Arabic choose the one of these that has them.
const FONT: &str = "font-family:-apple-system,'Segoe UI',Roboto,Tahoma,Arial,sans-serif;";

/// Text and tags. What goes through [`text`](Self::text) is escaped.
#[derive(Default)]
pub(super) struct Html(String);

impl Html {
    pub(super) fn take(&mut self) -> String {
        core::mem::take(&mut self.0)
    }

    pub(super) fn tag(&mut self, tag: &str) -> &mut Self {
        self.0.push_str(tag);
        self
    }

    /// A sentence whose amount stays on one line.
    fn sentence(&mut self, wording: &Wording<'_>, sentence: &'static str) -> &mut Self {
        self.text(&wording.whole(&wording.filled(sentence)))
    }

    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        for character in text.chars() {
            match character {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                _ => self.0.push(character),
            }
        }
        self
    }
}

/// The colours of one e-mail.
struct Colours {
    light: Palette,
    dark: Palette,
}

impl Colours {
    fn of(wording: &Wording<'_>) -> Self {
        let accent = wording.brand.accent.unwrap_or(ACCENT);
        Self { light: Palette::of(accent, LIGHT), dark: Palette::of(accent, DARK) }
    }

    /// The style sheet of the dark.
    fn sheet(&self) -> String {
        alloc::format!(
            "@media (prefers-color-scheme:dark){{.g{{background:{page}!important}}.p{{background:{panel}!important;\
             border-color:#2b313b!important}}.t{{color:#f2f4f7!important}}.s{{color:#aab2bf!important}}\
             .b{{background:{fill}!important}}.b a{{color:{on}!important}}.l{{color:{link}!important}}}}",
            page = DARK.page,
            panel = DARK.panel,
            fill = self.dark.fill,
            on = self.dark.on_fill,
            link = self.dark.accent,
        )
    }
}

/// The document.
pub(super) fn html(wording: &Wording<'_>) -> String {
    let colours = Colours::of(wording);
    let (language, direction) = (wording.facts.language.as_str(), wording.facts.language.direction());
    let mut html = Html(String::with_capacity(6_000));
    html.tag("<!doctype html><html lang=\"").tag(language).tag("\" dir=\"").tag(direction);
    html.tag("\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">");
    html.tag("<meta name=\"color-scheme\" content=\"light dark\"><meta name=\"supported-color-schemes\" content=\"light dark\">");
    html.tag("<meta name=\"format-detection\" content=\"telephone=no,date=no,address=no\"><title>");
    html.text(wording.words.title).tag("</title><style>").tag(&colours.sheet()).tag("</style></head>");
    html.tag("<body class=\"g\" style=\"margin:0;padding:0;background:").tag(&background()).tag("\">");
    // What lists of mail show next to the subject.
    html.tag("<div style=\"display:none;max-height:0;overflow:hidden;mso-hide:all\">");
    html.text(&wording.filled(wording.words.text)).tag("</div>");
    html.tag("<table role=\"presentation\" class=\"g\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\" dir=\"");
    html.tag(direction)
        .tag("\" style=\"background:")
        .tag(&background())
        .tag("\"><tr><td align=\"center\" style=\"padding:24px 12px\">");
    html.tag("<table role=\"presentation\" class=\"p\" width=\"560\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\" style=\"width:100%;max-width:560px;background:#ffffff;border:1px solid #e3e6ea;border-radius:12px\">");
    head(&mut html, wording);
    words(&mut html, wording);
    button(&mut html, wording, &colours);
    lines(&mut html, wording, &colours);
    html.tag("</table>");
    foot(&mut html, wording, &colours);
    html.tag("</td></tr></table></body></html>");
    html.0
}

fn background() -> String {
    alloc::format!("{}", LIGHT.page)
}

/// Opens a row whose text has this style; it begins where lines of the language begin.
fn row(html: &mut Html, wording: &Wording<'_>, class: &str, style: &str) {
    let side = if wording.facts.language.direction() == "rtl" { "right" } else { "left" };
    html.tag("<tr><td align=\"").tag(side).tag("\" class=\"").tag(class).tag("\" style=\"").tag(FONT);
    html.tag(style).tag("\">");
}

/// The merchant: its logo if mail programs draw such images, and its name otherwise.
fn head(html: &mut Html, wording: &Wording<'_>) {
    row(
        html,
        wording,
        "t",
        "padding:28px 32px 0;color:#14181f;font-size:16px;line-height:24px;font-weight:600",
    );
    match wording.brand.logo.as_ref().filter(|logo| logo.kind().is_shown_elsewhere()) {
        Some(logo) => {
            let path = Route::Image(logo.clone()).path();
            html.tag("<img src=\"")
                .text(wording.scene.public_url)
                .text(&path)
                .tag("\" alt=\"")
                .text(&wording.merchant);
            html.tag(
                "\" height=\"40\" style=\"display:block;height:40px;width:auto;max-width:240px;border:0\">",
            );
        }
        None => {
            html.text(&wording.merchant);
        }
    }
    html.tag("</td></tr>");
}

fn words(html: &mut Html, wording: &Wording<'_>) {
    row(
        html,
        wording,
        "t",
        "padding:20px 32px 0;color:#14181f;font-size:22px;line-height:30px;font-weight:700",
    );
    html.tag("<h1 style=\"margin:0;font-size:22px;line-height:30px;font-weight:700\">")
        .text(wording.words.title);
    html.tag("</h1></td></tr>");
    row(html, wording, "t", "padding:8px 32px 0;color:#14181f;font-size:16px;line-height:25px");
    html.sentence(wording, wording.words.text).tag("</td></tr>");
    if let Some(advice) = wording.advice() {
        row(html, wording, "t", "padding:8px 32px 0;color:#14181f;font-size:16px;line-height:25px");
        html.text(advice).tag("</td></tr>");
    }
    if !wording.facts.amount.is_zero() {
        row(
            html,
            wording,
            "t",
            "padding:16px 32px 0;color:#14181f;font-size:28px;line-height:36px;font-weight:700",
        );
        html.tag("<span dir=\"")
            .tag(wording.facts.language.direction())
            .tag("\" style=\"white-space:nowrap\">");
        html.text(&wording.amount).tag("</span></td></tr>");
    }
}

/// A button that is a cell of a table: its colour is shown by every program.
fn button(html: &mut Html, wording: &Wording<'_>, colours: &Colours) {
    let (fill, on_fill) =
        (alloc::format!("{}", colours.light.fill), alloc::format!("{}", colours.light.on_fill));
    row(html, wording, "t", "padding:24px 32px 4px");
    html.tag("<table role=\"presentation\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\"><tr><td class=\"b\" align=\"center\" bgcolor=\"");
    html.tag(&fill).tag("\" style=\"background:").tag(&fill).tag(";border-radius:8px\"><a href=\"");
    html.text(&wording.facts.link).tag("\" style=\"display:inline-block;padding:13px 26px;").tag(FONT);
    html.tag("font-size:16px;line-height:22px;font-weight:600;text-decoration:none;color:")
        .tag(&on_fill)
        .tag("\">");
    html.text(wording.action()).tag("</a></td></tr></table></td></tr>");
}

fn lines(html: &mut Html, wording: &Wording<'_>, colours: &Colours) {
    let link = alloc::format!("{}", colours.light.accent);
    bought(html, wording);
    for (label, value) in wording.lines() {
        label_of(html, wording, label);
        html.tag(
            "<span class=\"t\" dir=\"auto\" style=\"color:#14181f;font-weight:600;word-break:break-word\">",
        );
        html.text(&value).tag("</span></td></tr>");
    }
    if let Some(attachment) = &wording.facts.attachment {
        row(html, wording, "s", "padding:12px 32px 0;font-size:14px;line-height:21px");
        address(html, attachment, &link, wording.strings.label.attachment);
        html.tag("</td></tr>");
    }
    row(html, wording, "s", "padding:18px 32px 28px;color:#5b6472;font-size:13px;line-height:20px");
    html.text(wording.strings.message().address).tag("<br>");
    address(html, &wording.facts.link, &link, &wording.facts.link);
    html.tag("</td></tr>");
}

/// What was bought: a description, and a table whose prices have their decimals under each other.
fn bought(html: &mut Html, wording: &Wording<'_>) {
    let Some(bought) = wording.bought() else { return };
    if let Some(description) = &bought.description {
        row(html, wording, "t", "padding:12px 32px 0;color:#14181f;font-size:14px;line-height:21px");
        html.tag("<span dir=\"auto\" style=\"word-break:break-word\">")
            .text(description)
            .tag("</span></td></tr>");
    }
    let Some(items) = &bought.items else { return };
    label_of(html, wording, &items.label);
    html.tag("<table role=\"presentation\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\">");
    for [name, price] in wording.items(items) {
        row(html, wording, "t", "padding:2px 0;color:#14181f;font-size:14px;line-height:21px");
        html.tag("<span dir=\"auto\" style=\"word-break:break-word\">").text(&name).tag("</span></td>");
        html.tag("<td class=\"t\" align=\"right\" valign=\"top\" style=\"padding:2px 0;color:#14181f;");
        html.tag(FONT).tag("font-size:14px;line-height:21px;white-space:nowrap\"><span dir=\"");
        html.tag(wording.facts.language.direction()).tag("\">").text(&price).tag("</span></td></tr>");
    }
    html.tag("</table></td></tr>");
}

fn label_of(html: &mut Html, wording: &Wording<'_>, label: &str) {
    row(html, wording, "s", "padding:12px 32px 0;color:#5b6472;font-size:14px;line-height:21px");
    html.text(label).tag("<br>");
}

fn address(html: &mut Html, url: &str, colour: &str, words: &str) {
    html.tag("<a class=\"l\" href=\"")
        .text(url)
        .tag("\" style=\"word-break:break-all;color:")
        .tag(colour)
        .tag("\">");
    html.text(words).tag("</a>");
}

/// How to reach the merchant, and why the e-mail came.
fn foot(html: &mut Html, wording: &Wording<'_>, colours: &Colours) {
    let words = wording.strings.message();
    let link = alloc::format!("{}", colours.light.accent);
    html.tag("<table role=\"presentation\" width=\"560\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\" style=\"width:100%;max-width:560px\">");
    row(html, wording, "s", "padding:16px 32px 0;color:#5b6472;font-size:13px;line-height:20px");
    let mut is_first = true;
    for contact in wording.contacts() {
        html.text(&if is_first { wording.filled(words.questions) } else { " ·".into() }).tag(" ");
        let scheme = if contact.contains('@') { "mailto:" } else { "tel:" };
        html.tag("<span dir=\"ltr\" style=\"white-space:nowrap\">");
        address(html, &[scheme, contact].concat(), &link, contact);
        html.tag("</span>");
        is_first = false;
    }
    if !is_first {
        html.tag("<br>");
    }
    if wording.facts.is_test {
        html.tag("<strong>").text(words.test_mode).tag("</strong><br>");
    }
    html.text(&wording.filled(words.reason)).tag("</td></tr></table>");
}

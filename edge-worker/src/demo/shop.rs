//! The demo shop: a product that can be bought on the hosted page, on the shop's own page with the element
//! `<till-checkout>`, or there with a script of the shop that uses the module of the package; and the page to which the payer returns.

use checkout_core::flow::Failure;
use checkout_core::strings::Strings;
use checkout_core::value::id::SessionId;
use checkout_core::value::money::{Currency, Money};
use checkout_core::words::Language;
use maud::{Markup, PreEscaped, html};

use super::landing::tone;
use super::merchant::{self, DemoTransaction};
use super::transaction::{AMOUNT, go_to, make, origin, page_of, wanted};
use crate::edge::Edge;
use crate::sandbox::document::{Document, FormTarget, PageScript, plain, see_other};
use crate::sandbox::phrases::{Both, TEST_MODE};
use crate::sandbox::{SandboxReply, SandboxRequest};

const SHOP: Both = Both { en: "Sandbox shop", ar: "متجر التجربة" };
const PRODUCT: Both = Both { en: "Brass coffee pot", ar: "دلة قهوة نحاسية" };
const ABOUT: Both = Both {
    en: "Hammered brass, holds six cups. Delivered within two days.",
    ar: "نحاس مطروق، تكفي ستة فناجين. التوصيل خلال يومين.",
};
const BUY: Both = Both { en: "Buy on the payment page", ar: "الشراء عبر صفحة الدفع" };
const BUY_HERE: Both = Both { en: "Buy on this page", ar: "الشراء في هذه الصفحة" };
const BUY_OWN: Both =
    Both { en: "Buy with the shop's own script", ar: "الشراء ببرنامج المتجر نفسه" };
const CHOOSE: Both = Both { en: "Choose how to pay", ar: "اختيار طريقة الدفع" };
const GO: Both = Both { en: "Pay", ar: "دفع" };
const LOADING: Both = Both { en: "Loading…", ar: "جارٍ التحميل…" };
const OVER: Both = Both { en: "State:", ar: "الحالة:" };
const DECLINED: Both =
    Both { en: "The bank declined this payment.", ar: "رفض البنك عملية الدفع." };
const LEFT: Both =
    Both { en: "The payment was not completed.", ar: "لم تكتمل عملية الدفع." };
const REFUSED: Both = Both { en: "It cannot be paid now:", ar: "لا يمكن الدفع الآن:" };
const UNREACHABLE: Both = Both {
    en: "The payment service cannot be reached.",
    ar: "تعذّر الوصول إلى خدمة الدفع.",
};
const PAY: Both = Both { en: "Pay for your order", ar: "دفع ثمن الطلب" };
const HOSTED: Both = Both {
    en: "Pay on the payment page instead", ar: "الدفع عبر صفحة الدفع بدلًا من ذلك"
};
const THANKS: Both = Both { en: "Thank you", ar: "شكرًا لك" };
const UNPAID: Both = Both { en: "Your order is not paid yet", ar: "لم يُدفع ثمن طلبك بعد" };
const STATE: Both = Both { en: "State by the API", ar: "الحالة حسب الواجهة" };
const ORDER: Both = Both { en: "Order", ar: "الطلب" };
const TOTAL: Both = Both { en: "Amount", ar: "المبلغ" };
const INBOX: Both = Both { en: "Webhook inbox", ar: "صندوق الإشعارات" };
const PAGE: Both = Both { en: "Payment page", ar: "صفحة الدفع" };
const AGAIN: Both = Both { en: "Buy again", ar: "شراء مجددًا" };
const HOME: Both = Both { en: "Start page", ar: "الصفحة الرئيسية" };
const OTHER: Both = Both { en: "العربية", ar: "English" };
const NOTE: Both = Both {
    en: "What the browser brings proves nothing: a shop ships when the signed webhook or the API says so.",
    ar: "ما يحمله المتصفح لا يثبت شيئًا: يشحن المتجر عندما يؤكد ذلك الإشعار الموقّع أو الواجهة.",
};

/// A pot: a picture of this project.
const POT: &str = r#"<svg viewBox="0 0 120 120" aria-hidden="true" focusable="false" fill="none" stroke="currentColor" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"><path d="M46 34h28l-5 22c10 8 14 18 14 30 0 6-3 14-6 18H43c-3-4-6-12-6-18 0-12 4-22 14-30zM60 34V24M52 24h16M50 56h20M82 62c14-2 22 4 22 14s-8 14-20 14M46 38 24 30c2 14 8 24 18 30"/></svg>"#;

fn language(request: &SandboxRequest<'_>) -> Language {
    request.query_value("language").and_then(|word| Language::parse(&word)).unwrap_or_default()
}

fn document<'a>(language: Language, title: &'a str, path: &str, main: Markup) -> Document<'a> {
    let other = match language {
        Language::En => Language::Ar,
        Language::Ar => Language::En,
    };
    let mark = if path.contains('?') { '&' } else { '?' };
    Document {
        status: 200,
        language,
        title,
        forms: FormTarget::Anywhere,
        script: None,
        header: html! {
            strong { (SHOP.of(language)) }
            span.mode { (TEST_MODE.of(language)) }
            a href="/" { (HOME.of(language)) }
            a lang=(other.as_str()) hreflang=(other.as_str()) href={ (path) (mark) "language=" (other.as_str()) } {
                (OTHER.of(language))
            }
        },
        main,
    }
}

/// The product, or for a payer who returns, their order.
pub(super) async fn page(edge: &Edge, request: &SandboxRequest<'_>) -> Result<SandboxReply, Failure> {
    let language = language(request);
    let Some(session_id) = request.query_value("session_id") else {
        return Ok(document(language, SHOP.of(language), "/sandbox/shop/", product(language)).reply());
    };
    let found = match (merchant::find(edge).await?, SessionId::parse(&session_id)) {
        (Some(situation), Some(session_id)) => merchant::one(edge, &situation, &session_id).await?,
        (None, _) | (_, None) => None,
    };
    // A transaction of another merchant is shown as the sandbox shows it: by what the browser brought.
    let Some(order) = found else { return Ok(crate::sandbox::returned(request)) };
    let path = format!("/sandbox/shop/?session_id={}", order.session_id);
    Ok(document(language, THANKS.of(language), &path, returned(&order, language)).reply())
}

/// What the product costs.
fn price(language: Language) -> Markup {
    let money = Currency::parse("KWD").and_then(|currency| Money::parse(AMOUNT, currency).ok());
    let text = money.map(|money| Strings::of(language).price(money)).unwrap_or_default();
    html! { bdi dir=(language.direction()) { (text) } }
}

fn product(language: Language) -> Markup {
    html! {
        div.goods {
            (PreEscaped(POT))
            div {
                h1 { (PRODUCT.of(language)) }
                p { (ABOUT.of(language)) }
                p.sum { (price(language)) }
            }
        }
        form method="post" action="/sandbox/shop/buy/" {
            input type="hidden" name="language" value=(language.as_str());
            div.buttons {
                button type="submit" name="at" value="page" { (BUY.of(language)) }
                button.plain type="submit" name="at" value="here" { (BUY_HERE.of(language)) }
                button.plain type="submit" name="at" value="own" { (BUY_OWN.of(language)) }
            }
        }
    }
}

fn returned(order: &DemoTransaction, language: Language) -> Markup {
    let tone = tone(order.state);
    html! {
        h1 { (if tone == "good" { THANKS.of(language) } else { UNPAID.of(language) }) }
        dl {
            dt { (ORDER.of(language)) }
            dd { bdi dir="ltr" data-parameter="order_no" { (order.order_no.as_deref().unwrap_or_default()) } }
            dt { (TOTAL.of(language)) }
            dd { bdi dir="ltr" { (order.amount) } }
            dt { (STATE.of(language)) }
            dd { span class=(tone) data-state=(order.state.as_str()) { bdi dir="ltr" { (order.state.as_str()) } } }
        }
        p.soft { (NOTE.of(language)) }
        div.buttons {
            a.button href={ "/sandbox/shop/?language=" (language.as_str()) } { (AGAIN.of(language)) }
            a.button.plain href=(page_of(&order.session_id)) { (PAGE.of(language)) }
            @if let Some(inbox) = &order.inbox {
                a.button.plain href={ (inbox) "?language=" (language.as_str()) } { (INBOX.of(language)) }
            }
        }
    }
}

/// Makes an order, and goes on to the hosted page or to the shop's own.
pub(super) async fn buy(edge: &Edge, request: &SandboxRequest<'_>) -> Result<SandboxReply, Failure> {
    let form = request.form();
    let wanted = wanted(&form);
    let language = wanted.language;
    let Some(session_id) =
        make(edge, merchant::WantedPage { amount: AMOUNT, method: None, ..wanted }).await?
    else {
        return Ok(plain(404, "there is no demo merchant: make dev makes one"));
    };
    let at = form.iter().find(|(name, _)| name == "at").map(|(_, value)| value.as_str());
    let page = match at {
        Some("here") => "pay",
        Some("own") => "own",
        Some(_) | None => return Ok(go_to(&session_id)),
    };
    let language = language.as_str();
    Ok(see_other(format!("/sandbox/shop/{page}/?session_id={session_id}&language={language}")))
}

/// The shop's own page with the element.
pub(super) fn pay(edge: &Edge, request: &SandboxRequest<'_>) -> SandboxReply {
    let script = PageScript { origin: origin(edge), path: "/sdk/v1/till-checkout.js", has_module: false };
    checkout(request, "pay", script, |session_id, language| {
        html! { till-checkout session-id=(session_id) origin=(origin(edge)) language=(language.as_str()) {} }
    })
}

/// The shop's own page with a script of the shop, which uses the module of the package.
pub(super) fn own(edge: &Edge, request: &SandboxRequest<'_>) -> SandboxReply {
    let script = PageScript { origin: origin(edge), path: "/sdk/v1/demo-shop.js", has_module: true };
    checkout(request, "own", script, |session_id, language| {
        html! {
            p #news role="status" { (LOADING.of(language)) }
            form #own data-session-id=(session_id) data-origin=(origin(edge)) data-over=(OVER.of(language))
                data-declined=(DECLINED.of(language)) data-left=(LEFT.of(language))
                data-refused=(REFUSED.of(language)) data-unreachable=(UNREACHABLE.of(language)) {
                fieldset { legend { (CHOOSE.of(language)) } div #methods {} }
                button type="submit" disabled { (GO.of(language)) }
            }
        }
    })
}

/// A page on which the shop takes the payment of an order itself.
fn checkout(
    request: &SandboxRequest<'_>,
    name: &str,
    script: PageScript<'_>,
    draw: impl FnOnce(&SessionId, Language) -> Markup,
) -> SandboxReply {
    let language = language(request);
    let Some(session_id) = request.query_value("session_id").and_then(|text| SessionId::parse(&text)) else {
        return see_other("/sandbox/shop/".into());
    };
    let path = format!("/sandbox/shop/{name}/?session_id={session_id}");
    let main = html! {
        h1 { (PAY.of(language)) }
        p { (PRODUCT.of(language)) " · " (price(language)) }
        (draw(&session_id, language))
        p { a.inline href=(page_of(&session_id)) { (HOSTED.of(language)) } }
    };
    Document { script: Some(script), ..document(language, PAY.of(language), &path, main) }.reply()
}

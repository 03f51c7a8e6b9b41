//! What the installation publishes for browsers, as this build knows it, for the check of what they get.

use checkout_core::checkout::page::{PageView, TransactionPage};
use checkout_core::checkout::sample::{Sample, Screen};
use checkout_core::flow::operator::page_check::ExpectedPage;
use checkout_core::route::Route;
use checkout_core::words::Language;
use sha2::{Digest, Sha256};

use super::{Nothing, PageReply, assets, render, render_nothing, render_problem};

/// The headers of the files that pages load.
const OF_FILES: [(&str, &str); 1] = [("x-content-type-options", "nosniff")];
/// The problem whose page is compared.
const PROBLEM: &str = "not_found";

/// The page that checks receipts, a file.
const RECEIPT: &str = "/receipt/verify.html";
/// The parameter of the checkout's address that asks for its sample.
pub(crate) const SAMPLE: &str = "sample";

/// The page on which a payer pays, of a payment that does not exist: everything but its data is what payers get, from the same
/// address. It never changes, and says that it is a test.
pub(crate) fn sample(origin: &str) -> PageReply {
    let sample = Sample::demo(Language::En);
    let page = Screen::named("payable_by_wallet").map(|screen| screen.page(&sample));
    let Some(page) = page else { return render(&PageView::NotFound { language: Language::En }, origin) };
    let page = TransactionPage { is_test: true, public_url: origin.into(), ..page };
    render(&PageView::Transaction(Box::new(page)), origin)
}

/// Every script of the inventory by its bytes, the page that checks receipts by its bytes and the headers of its folder, and
/// a page of each part of the Worker by its bytes and all of its headers: the checkout with its sample and without a
/// transaction, and the page of a problem. `origin` is that of the installation.
pub(crate) fn expected(origin: &str) -> Vec<ExpectedPage> {
    let files = assets::PUBLISHED.iter().map(|file| ExpectedPage {
        path: file.path.into(),
        status: 200,
        sha256: file.sha256,
        headers: OF_FILES.map(|(name, value)| (name, value.into())).into(),
    });
    let checkout =
        render_nothing(&Nothing { language: Language::En, status: 404, code: "not_found", has_link: true });
    let problem = checkout_core::rejection::PROBLEMS.iter().find(|problem| problem.code == PROBLEM);
    let receipt = ExpectedPage {
        path: RECEIPT.into(),
        status: 200,
        sha256: assets::RECEIPT_SHA256,
        headers: assets::RECEIPT_HEADERS.iter().map(|(name, value)| (*name, (*value).into())).collect(),
    };
    let pages = [
        (format!("{}?{SAMPLE}", Route::CheckoutPage.path()), sample(origin)),
        (Route::CheckoutPage.path(), checkout),
        (Route::Problem(PROBLEM.into()).path(), render_problem(problem)),
    ];
    files.chain([receipt]).chain(pages.into_iter().map(|(path, page)| as_rendered(path, page))).collect()
}

fn as_rendered(path: String, page: PageReply) -> ExpectedPage {
    let PageReply { status, headers, body } = page;
    ExpectedPage { path, status, sha256: Sha256::digest(body).into(), headers }
}

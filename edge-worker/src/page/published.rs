//! What the installation publishes for browsers, as this build knows it, for the check of what they get.

use checkout_core::flow::page_check::Expected;
use checkout_core::route::Route;
use checkout_core::words::Language;
use sha2::{Digest, Sha256};

use super::{Nothing, PageReply, assets, render_nothing, render_problem};

/// The headers of the files that pages load.
const OF_FILES: [(&str, &str); 1] = [("x-content-type-options", "nosniff")];
/// The problem whose page is compared.
const PROBLEM: &str = "not_found";

/// Every script of the inventory by its bytes, and a page of each part of the Worker by its bytes and all of its headers: the
/// checkout without a transaction, and the page of a problem.
pub(crate) fn expected() -> Vec<Expected> {
    let files = assets::PUBLISHED.iter().map(|file| Expected {
        path: file.path.into(),
        status: 200,
        sha256: file.sha256,
        headers: OF_FILES.map(|(name, value)| (name, value.into())).into(),
    });
    let checkout =
        render_nothing(&Nothing { language: Language::En, status: 404, code: "not_found", has_link: true });
    let problem = checkout_core::rejection::PROBLEMS.iter().find(|problem| problem.code == PROBLEM);
    let pages = [
        (Route::CheckoutPage.path(), checkout),
        (Route::Problem(PROBLEM.into()).path(), render_problem(problem)),
    ];
    files.chain(pages.into_iter().map(|(path, page)| as_rendered(path, page))).collect()
}

fn as_rendered(path: String, page: PageReply) -> Expected {
    let PageReply { status, headers, body } = page;
    Expected { path, status, sha256: Sha256::digest(body).into(), headers }
}

//! What belongs to payment transactions: uploads of merchants, downloads of payers, short addresses and QR
//! codes.

use checkout_core::flow::Failure;
use checkout_core::flow::merchant::upload;
use checkout_core::flow::payer::download::{self, DownloadOutcome};
use checkout_core::record::attachment::{AttachedFile, AttachmentName};
use checkout_core::record::short_link::ShortCode;
use checkout_core::rejection::Rejection;
use checkout_core::route::ImageFormat;
use checkout_core::value::id::SessionId;

use crate::call::Call;
use crate::handler::qr_code;
use crate::http::Reply;

/// For how many seconds a browser may keep a file.
const KEEP_FILE: &str = "private, max-age=300";
/// A QR code never changes, and anyone who has it can pay: the browser that asked for it may cache it, no
/// proxy may.
const KEEP_QR_CODE: &str = "private, max-age=31536000, immutable";
/// How many seconds later the bytes of a file are surely visible.
const VISIBLE_AFTER: &str = "60";

/// Takes a merchant's file.
pub(crate) async fn upload(call: &Call<'_>) -> Result<Reply, Failure> {
    let caller = call.caller()?;
    let body = call.body;
    let input = upload::UploadInput { caller, fields: &body.bytes, file: body.file(), wrong: &body.wrong };
    Ok(Reply::of_texts(&upload::upload(call.edge.as_ref(), input).await?))
}

/// Gives a file to anyone who has its name. The browser saves it and never shows it: it is the merchant's,
/// not ours.
pub(crate) async fn download(call: &Call<'_>, name: &AttachmentName) -> Result<Reply, Failure> {
    match download::download(call.edge.as_ref(), name).await? {
        DownloadOutcome::File { file, bytes } => Ok(Reply {
            status: 200,
            headers: vec![
                ("content-type", file.name.extension().media_type(&bytes).into()),
                ("content-disposition", disposition(&file)),
                ("content-security-policy", "sandbox; default-src 'none'".into()),
                ("x-content-type-options", "nosniff".into()),
                ("cache-control", KEEP_FILE.into()),
                ("referrer-policy", "no-referrer".into()),
                ("x-robots-tag", "noindex, nofollow".into()),
            ],
            body: bytes,
            rest: None,
        }),
        DownloadOutcome::NotYet => {
            let mut reply = Reply::problem(call.edge, Rejection::Unavailable, &call.head.request_id);
            reply.headers.retain(|(name, _)| *name != "retry-after");
            Ok(reply.with("retry-after", VISIBLE_AFTER))
        }
    }
}

/// `attachment` with the original name: whole for clients that read RFC 8187, and in plain ASCII for the
/// others.
fn disposition(file: &AttachedFile) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || " -_.".contains(character);
    let plain: String = file
        .original_name
        .chars()
        .map(|character| if is_plain(character) { character } else { '_' })
        .collect();
    let mut whole = String::new();
    for byte in file.original_name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.".contains(&byte) {
            whole.push(char::from(byte));
        } else {
            whole.push('%');
            whole.push_str(&hex::encode_upper([byte]));
        }
    }
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{whole}")
}

/// Redirects a short address to its target.
pub(crate) async fn follow(call: &Call<'_>, code: &ShortCode) -> Result<Reply, Failure> {
    let url = download::follow(call.edge.as_ref(), code).await?;
    Ok(Reply { status: 302, ..Reply::see_other(url) })
}

/// The QR code of a checkout page.
pub(crate) async fn qr_code(
    call: &Call<'_>,
    session_id: &SessionId,
    format: ImageFormat,
) -> Result<Reply, Failure> {
    let text = download::qr_text(call.edge.as_ref(), session_id).await?;
    // The address of a page always fits into a QR code.
    let code = qr_code::QrCode::of(&text).ok_or(Rejection::NotFound)?;
    let (media_type, body) = match format {
        ImageFormat::Svg => ("image/svg+xml", code.svg().into_bytes()),
        ImageFormat::Png => ("image/png", code.png()),
    };
    Ok(Reply::picture(media_type, body, KEEP_QR_CODE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use checkout_core::record::attachment::Extension;
    use checkout_core::value::slot::Slot;

    #[test]
    fn a_file_is_saved_under_its_own_name_and_breaks_out_of_no_header() {
        let named = |original_name: &str| {
            let name = AttachmentName::generate(Slot::FIRST, [1; 20], Extension::Pdf);
            disposition(&AttachedFile { name, original_name: original_name.into(), size: 1 })
        };
        assert_eq!(named("bill 1.pdf"), "attachment; filename=\"bill 1.pdf\"; filename*=UTF-8''bill%201.pdf");
        assert_eq!(
            named("a\"; x=\"é.pdf"),
            "attachment; filename=\"a__ x____.pdf\"; filename*=UTF-8''a%22%3B%20x%3D%22%C3%A9.pdf"
                .replace("x____", "x___")
        );
    }
}

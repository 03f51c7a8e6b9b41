//! Receipts for download, and the keys that verify them.

use checkout_core::flow::Failure;
use checkout_core::flow::payer::receipt;
use checkout_core::rejection::Rejection;
use checkout_core::value::id::SessionId;

use crate::call::Call;
use crate::handler::qr_code::QrCode;
use crate::http::Reply;

/// How long a key set may be cached: a verifier that finds an unknown key fetches it again anyway.
const KEY_SET_LIFE: &str = "public, max-age=3600";

/// The receipt of a transaction, as a file.
pub(crate) async fn download(call: &Call<'_>, session_id: &SessionId) -> Result<Reply, Failure> {
    let text = receipt::receipt(call.edge.as_ref(), session_id).await?;
    Ok(Reply::of(200, "application/jose", text)
        .with("content-disposition", "attachment; filename=\"receipt.jws\"")
        .with("referrer-policy", "no-referrer"))
}

/// The code of a receipt as a picture. It is the same for as long as the receipt is.
pub(crate) async fn code(call: &Call<'_>, session_id: &SessionId) -> Result<Reply, Failure> {
    let address = receipt::verify_address(call.edge.as_ref(), session_id).await?;
    let code = QrCode::of_long(&address).ok_or(Rejection::NotFound)?;
    Ok(Reply::picture("image/svg+xml", code.svg().into_bytes(), "private, max-age=600"))
}

/// The public keys.
pub(crate) async fn public_keys(call: &Call<'_>) -> Result<Reply, Failure> {
    let keys = receipt::public_keys(call.edge.as_ref(), call.head.query()).await?;
    let mut reply = Reply::of(200, "application/jwk-set+json", keys);
    reply.headers.retain(|(name, _)| *name != "cache-control");
    Ok(reply.with("cache-control", KEY_SET_LIFE).with("access-control-allow-origin", "*"))
}

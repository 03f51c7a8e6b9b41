//! The listed test tokens of device wallets (`docs/sandbox.md`): each names a test card, and carries a seal
//! over every other byte of the wallet's object. A token that was changed on the way, even by a space, is not
//! valid any more.

use alloc::borrow::Cow;
use alloc::string::String;

use checkout_core::wire::json;
use checkout_core::wire::members::Members;
use checkout_core::words::Wallet;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use crate::card::TestCard;

/// The wallet in a request to charge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token {
    /// It is unchanged, and names this card.
    Card(&'static TestCard),
    /// It is not a test token, or was changed.
    Altered,
}

/// Reads `{"kind": …, "payload": …}`; `None` if it does not have that form.
pub(crate) fn read_token(wallet: &RawValue) -> Option<Token> {
    let members = Members::of(wallet)?;
    let kind = Wallet::parse(&text(members.get("kind")?)?)?;
    let payload = members.get("payload")?;
    Some(card_of(kind, payload).map_or(Token::Altered, Token::Card))
}

fn card_of(kind: Wallet, payload: &RawValue) -> Option<&'static TestCard> {
    let (card, seal) = match kind {
        Wallet::ApplePay => {
            let token = Members::of(payload)?;
            (
                text(Members::of(token.get("paymentData")?)?.get("data")?)?,
                text(token.get("transactionIdentifier")?)?,
            )
        }
        Wallet::GooglePay => {
            let data = Members::of(Members::of(payload)?.get("paymentMethodData")?)?;
            let token = text(Members::of(data.get("tokenizationData")?)?.get("token")?)?;
            let token = Members::read(token.as_bytes()).ok()?;
            (text(token.get("signedMessage")?)?, text(token.get("signature")?)?)
        }
    };
    (seal_of(payload.get(), &seal)? == seal).then(|| TestCard::find(&card)).flatten()
}

/// SHA-256 of a text without the first occurrence of `seal`, 64 lower-case hexadecimal digits.
fn seal_of(payload: &str, seal: &str) -> Option<String> {
    if seal.len() != 64 {
        return None;
    }
    let (before, after) = payload.split_once(seal)?;
    Some(hex::encode(Sha256::new().chain_update(before).chain_update(after).finalize()))
}

fn text(raw: &RawValue) -> Option<String> {
    json::text_of(raw).map(Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sealed(template: &str) -> String {
        let seal = hex::encode(Sha256::digest(template.replace("SEAL", "")));
        template.replace("SEAL", &seal)
    }

    fn apple() -> String {
        sealed(
            r#"{ "paymentData":{"version":"EC_v1","data":"visa-approve","header":{"publicKeyHash":"a+/="}}, "transactionIdentifier":"SEAL"}"#,
        )
    }

    fn google() -> String {
        sealed(
            r#"{"apiVersion":2,"paymentMethodData":{"type":"CARD","tokenizationData":{"type":"PAYMENT_GATEWAY","token":"{\"signature\":\"SEAL\",\"signedMessage\":\"visa-approve\"}"}}}"#,
        )
    }

    fn card(kind: Wallet, payload: &str) -> Option<&'static TestCard> {
        card_of(kind, serde_json::from_str(payload).ok()?)
    }

    #[test]
    fn a_whole_token_stands_for_its_card() {
        assert_eq!(card(Wallet::ApplePay, &apple()), TestCard::find("visa-approve"));
        assert_eq!(card(Wallet::GooglePay, &google()), TestCard::find("visa-approve"));
    }

    #[test]
    fn the_token_of_the_guide_is_whole() {
        let guide = include_str!("../../../docs/sandbox.md");
        let (_, rest) = guide.split_once("<!-- wallet token -->\n```json\n").unwrap();
        let token = rest.lines().next().unwrap();
        assert_eq!(card(Wallet::ApplePay, token), TestCard::find("visa-approve"));
    }

    #[test]
    fn no_byte_of_a_token_can_be_altered() {
        for (kind, token) in [(Wallet::ApplePay, apple()), (Wallet::GooglePay, google())] {
            for place in 0..token.len() {
                for flip in [0x01, 0x02, 0x20] {
                    let mut bytes = token.clone().into_bytes();
                    bytes[place] ^= flip;
                    let Ok(altered) = String::from_utf8(bytes) else { continue };
                    assert_eq!(card(kind, &altered), None, "{kind:?} byte {place}: {altered}");
                }
            }
            assert_eq!(card(kind, &token.replacen(':', ": ", 1)), None, "one more space");
        }
    }

    #[test]
    fn a_token_of_an_unlisted_card_or_of_the_other_wallet_is_none() {
        assert_eq!(card(Wallet::ApplePay, &google()), None);
        assert_eq!(card(Wallet::GooglePay, &apple()), None);
        let unlisted =
            sealed(r#"{"paymentData":{"data":"4111111111111111"},"transactionIdentifier":"SEAL"}"#);
        assert_eq!(card(Wallet::ApplePay, &unlisted), None);
    }
}

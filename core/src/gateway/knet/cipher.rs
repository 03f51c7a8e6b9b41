//! The encryption of `trandata`: AES-128 in CBC mode with padding by PKCS #7, in hexadecimal digits. The initialisation
//! vector is the key itself, as every public integration has it.
//!
//! There is no signature. Without the key nobody makes a text of a chosen meaning, but a byte that is changed garbles one
//! block and flips one byte of the next, and one who knows an answer can so replace a block of it. A plaintext of which
//! any byte is not printable ASCII is not read at all: a garbled block passes that by chance once in ten million times.

use alloc::string::String;
use alloc::vec::Vec;

use aes::Aes128;
use cbc::cipher::block_padding::Pkcs7;
use cbc::cipher::{BlockDecryptMut, BlockEncryptMut, KeyIvInit};
use cbc::{Decryptor, Encryptor};

/// The bytes of a key and of a block.
const BLOCK: usize = 16;
/// The most hexadecimal digits that are decrypted.
const MAX_DIGITS: usize = 16_384;

/// Encrypts and decrypts for one terminal.
pub(super) struct Cipher {
    key: [u8; BLOCK],
}

impl Cipher {
    /// The cipher of a key; `None` for one that is not 16 bytes.
    pub(super) fn of(key: &str) -> Option<Self> {
        key.as_bytes().try_into().ok().map(|key| Self { key })
    }

    /// The text in lower-case digits.
    pub(super) fn encrypt(&self, text: &str) -> String {
        let encryptor = Encryptor::<Aes128>::new(&self.key.into(), &self.key.into());
        hex::encode(encryptor.encrypt_padded_vec_mut::<Pkcs7>(text.as_bytes()))
    }

    /// The text behind digits of either case; `None` unless all of it is whole blocks, padding and printable ASCII.
    pub(super) fn decrypt(&self, digits: &str) -> Option<String> {
        if digits.len() > MAX_DIGITS {
            return None;
        }
        let bytes: Vec<u8> = hex::decode(digits).ok()?;
        let decryptor = Decryptor::<Aes128>::new(&self.key.into(), &self.key.into());
        let text = decryptor.decrypt_padded_vec_mut::<Pkcs7>(&bytes).ok()?;
        let is_printable = text.iter().all(|byte| matches!(byte, b' '..=b'~'));
        String::from_utf8(text).ok().filter(|_| is_printable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made with three other implementations.
    const VECTORS: [(&str, &str); 4] = [
        ("amt=1.500", "4185ce05cbc15aad3aa7b2d4c47f7891"),
        ("0123456789abcdef", "2828c995d3c2f97f40de33a91d3d6be9af49b28b08dd8442664c9983c9d879ae"),
        (
            "id=900100200&password=Exm9pl&action=1&langid=EN&currencycode=414&amt=1.500&respo\
             nseURL=https://pay.example/r&errorURL=https://pay.example/e&trackid=T26A0001&udf\
             1=&udf2=&udf3=&udf4=&udf5=",
            "bb7f36860f1c5db4f1405ecf6fcdb959454c78cb56fb60a7b7ff1cccfcddae22201811a378e039bb\
             dc0b4f83e3e85df242643f612937ac87e201cbd09747c4788632a7ce724b14c60c91e421833bb529\
             a0fd907d18bfd2a4cb9e8f8ea872b3978bede3c641933b6bc4734d248aa92a6ba0e726a08b609ad8\
             9b188b1f5450425a777af6958b054a7a366f2edb204dc092a8aebdf922007ddc7f16d868225fdb60\
             ce3d1960b5954a04bb51eb237d0060e62aac4dedddd20fb861f8116b1db39a59",
        ),
        (
            "paymentid=100202632500099&result=NOT+CAPTURED&ref=632500000042&trackid=T26A0001&\
             amt=1.500&authRespCode=55",
            "6b32cd3e22bc18aee163f23ce23eefc5a1e27b41eabb6bc81137b608bf126f587d71bff0d4d028b3\
             c71aa15af11a3e3a10381038a31656db4497aae3f8bc115a663ba1f1b7f519796009f85013b48083\
             27f369a3fba877e57ea108b84038e402c5330db41736503b7af07b6f962394bf",
        ),
    ];

    fn cipher() -> Cipher {
        Cipher::of("Q7w2Er9TyU4iOp1Z").unwrap()
    }

    #[test]
    fn known_texts_have_their_digits_in_either_case() {
        for (text, digits) in VECTORS {
            assert_eq!(cipher().encrypt(text), digits);
            assert_eq!(cipher().decrypt(digits).as_deref(), Some(text));
            assert_eq!(cipher().decrypt(&digits.to_uppercase()).as_deref(), Some(text));
        }
    }

    #[test]
    fn what_is_not_whole_printable_and_padded_is_not_read() {
        for digits in ["", "4", "4185ce05cbc15aad3aa7b2d4c47f78", "zz85ce05cbc15aad3aa7b2d4c47f7891", "00"] {
            assert_eq!(cipher().decrypt(digits), None, "{digits}");
        }
        assert_eq!(cipher().decrypt(&cipher().encrypt("a\u{e9}")), None);
        assert_eq!(cipher().decrypt(&cipher().encrypt("a\nb")), None);
        assert!(Cipher::of("Q7w2Er9TyU4iOp1").is_none());
    }
}

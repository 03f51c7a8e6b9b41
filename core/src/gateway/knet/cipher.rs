//! The encryption of `trandata`: AES-128 in CBC mode with padding by PKCS #7, in hexadecimal digits. The initialisation
//! vector is the key itself, as every public integration has it.
//!
//! There is no signature. Without the key nobody makes a text of a chosen meaning, but a byte that is changed garbles one
//! block and flips one byte of the next, and whoever knows an answer can so replace a block of it. A plaintext of which
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

    /// Made with two other implementations.
    const VECTORS: [(&str, &str); 2] = [
        ("amt=1.500", "4185ce05cbc15aad3aa7b2d4c47f7891"),
        ("0123456789abcdef", "2828c995d3c2f97f40de33a91d3d6be9af49b28b08dd8442664c9983c9d879ae"),
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

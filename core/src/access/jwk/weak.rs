//! Recognises RSA keys of a generator that was broken (ROCA, CVE-2017-15361), which was built into many smart cards and TPMs:
//! the private key can be computed from the public one.
//!
//! The primes of such a key are powers of 65537 modulo every small prime, and so is their product. Of usual keys, one in more
//! than a hundred million is so by chance.

/// The odd primes up to 167, which divide the modulus of the flawed construction for keys of every length.
const PRIMES: [u32; 38] = [
    3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103,
    107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167,
];
const GENERATOR: u32 = 65_537;

/// Whether a modulus is one of the flawed generator.
pub(super) fn is_weak(modulus: &[u8]) -> bool {
    PRIMES.into_iter().all(|prime| {
        let rest = |number: u32| number.checked_rem(prime).unwrap_or(0);
        // Both factors are below the prime, or a byte: nothing overflows.
        let times = |one: u32, other: u32| rest(one.saturating_mul(other));
        let wanted =
            modulus.iter().fold(0, |sum, byte| rest(times(sum, 256).saturating_add(u32::from(*byte))));
        let mut power = 1;
        (0..prime).any(|_| {
            power = times(power, rest(GENERATOR));
            power == wanted
        })
    })
}

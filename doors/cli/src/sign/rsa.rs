//! Signatures by RSA keys in files, made by `ring`, which keeps their numbers from leaking through time.

use num_bigint::BigUint;
use ring::rand::SystemRandom;
use ring::rsa::{KeyPair, KeyPairComponents, PublicKeyComponents};
use ring::signature::RSA_PKCS1_SHA512;
use ssh_key::private::RsaKeypair;

use super::envelope::string;

/// The signature as SSH writes it; nothing when the numbers are no key that is used for signing.
pub(super) fn sign(key: &RsaKeypair, message: &[u8]) -> Option<Vec<u8>> {
    let [n, e] = [&key.public.n, &key.public.e].map(|number| number.as_positive_bytes());
    let [d, p, q, inverse] = [&key.private.d, &key.private.p, &key.private.q, &key.private.iqmp]
        .map(|number| number.as_positive_bytes());
    let (n, e, d, p, q, inverse) = (n?, e?, d?, p?, q?, inverse?);
    let exponent = |prime: &[u8]| {
        let below = BigUint::from_bytes_be(prime) - 1_u32;
        (below != BigUint::ZERO).then(|| (BigUint::from_bytes_be(d) % below).to_bytes_be())
    };
    let no_zero = |number: &[u8]| number.iter().any(|&byte| byte != 0);
    if !no_zero(p) || !no_zero(q) {
        return None;
    }
    let (d_p, d_q) = (exponent(p)?, exponent(q)?);
    let public_key = PublicKeyComponents { n, e };
    let components = KeyPairComponents { public_key, d, p, q, dP: &d_p[..], dQ: &d_q[..], qInv: inverse };
    let pair = KeyPair::from_components(&components).ok()?;
    let mut made = vec![0; pair.public().modulus_len()];
    pair.sign(&RSA_PKCS1_SHA512, &SystemRandom::new(), message, &mut made).ok()?;
    Some([string(b"rsa-sha2-512"), string(&made)].concat())
}

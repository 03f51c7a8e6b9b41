/** The check part of private keys. */
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The CRC-32 of a text (ISO 3309). */
function crc32(text) {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** A key with the same prefix as this one and another secret, in the form of a key. */
export function withAnotherSecret(key) {
  const text = `${key.slice(0, 9)}${"x".repeat(26)}`;
  let rest = crc32(text);
  let part = "";
  for (let place = 0; place < 6; place += 1) {
    part = DIGITS[rest % 62] + part;
    rest = Math.floor(rest / 62);
  }
  return `${text}${part}`;
}

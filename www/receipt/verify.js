/**
 * Checks a signed receipt in the browser: a compact JWS (RFC 7515) in the fragment of the address, which no server
 * receives, against the published keys of this installation (RFC 7517, RFC 8037). The signature is checked by the
 * browser's own cryptography.
 */
import { WORDS } from "./words.js";

/** The characters of base64url, without padding. */
const BASE64URL = /^[A-Za-z0-9_-]+$/;
/** The most characters of a receipt. */
const MOST = 8_192;
/** What changes the direction of text. */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The bytes of one part. A text with unused bits at its end is not the text that was signed. */
function bytes(part) {
  if (!BASE64URL.test(part)) throw new SyntaxError("not base64url");
  const text = atob(part.replaceAll("-", "+").replaceAll("_", "/"));
  const again = btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  if (again !== part) throw new SyntaxError("not canonical");
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

const read = (part) => JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes(part)));

/** The verdict on a text, and what it says. */
async function check(text) {
  if (text === "") return { verdict: "unreadable" };
  let header, claims, signature;
  const parts = text.split(".");
  try {
    if (text.length > MOST || parts.length !== 3) throw new SyntaxError("not three parts");
    [header, claims, signature] = [read(parts[0]), read(parts[1]), bytes(parts[2])];
    if (header.alg !== "EdDSA" || header.typ !== "receipt+jws" || signature.length !== 64) throw new SyntaxError("not a receipt");
  } catch {
    return { verdict: "altered" };
  }
  // The browser may have the keys of before a key was replaced.
  let known;
  for (const cache of ["default", "reload"]) {
    const answer = await fetch("/.well-known/jwks.json", { cache });
    if (!answer.ok) return { verdict: "unknown" };
    const { keys } = await answer.json();
    known ??= keys.find(({ kid, kty, crv }) => kid === header.kid && kty === "OKP" && crv === "Ed25519");
    if (known !== undefined) break;
  }
  if (known === undefined) return { verdict: "foreign" };
  const key = await crypto.subtle.importKey("jwk", { kty: known.kty, crv: known.crv, x: known.x }, "Ed25519", false, ["verify"]);
  const signed = new TextEncoder().encode(`${parts[0]}.${parts[1]}`);
  const isValid = await crypto.subtle.verify("Ed25519", key, signature, signed);
  if (!isValid) return { verdict: "altered" };
  return claims.iss === location.origin ? { verdict: "valid", claims } : { verdict: "foreign" };
}

/** What is shown of the claims: their names and values, in order. */
function linesOf(claims, language) {
  const { labels, states } = WORDS[language];
  const locale = language === "ar" ? "ar-u-ca-gregory-nu-latn" : "en-GB";
  const of = (amount, currency) => amount && `${currency} ${amount}`;
  const { amount_details: details } = claims;
  const values = {
    state: states[claims.state] ?? claims.state,
    merchant_name: claims.merchant_name,
    order_no: claims.order_no,
    amount: claims.amount !== claims.settled_amount && of(claims.amount, claims.currency_code),
    settled_amount: of(claims.settled_amount, claims.currency_code),
    total: details && of(details.total, details.currency_code),
    iat: new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "long" }).format(new Date(claims.iat * 1000)),
    pg_code: claims.pg_code,
    reference_number: claims.reference_number,
    session_id: claims.session_id,
    iss: claims.iss,
  };
  return Object.entries(values).filter(([, value]) => value).map(([name, value]) => [labels[name], String(value).replace(BIDI, "")]);
}

function show({ verdict, claims }, language) {
  const root = document.documentElement;
  [root.lang, root.dir] = [language, language === "ar" ? "rtl" : "ltr"];
  const [title, text] = WORDS[language][verdict];
  const words = claims?.is_sandbox ? `${text} ${WORDS[language].test}` : text;
  document.title = title;
  document.querySelector("h1").textContent = title;
  document.getElementById("words").textContent = words;
  document.getElementById("verdict").dataset.verdict = verdict;
  const list = document.getElementById("lines");
  list.hidden = claims === undefined;
  const rows = claims === undefined ? [] : linesOf(claims, language).map(([label, value]) => {
    const [row, name, shown, text] = ["div", "dt", "dd", "bdi"].map((tag) => document.createElement(tag));
    [name.textContent, text.textContent] = [label, value];
    shown.append(text);
    row.append(name, shown);
    return row;
  });
  list.replaceChildren(...rows);
  const other = document.getElementById("language");
  [other.hidden, other.textContent, other.lang] = [false, language === "ar" ? "English" : "العربية", language === "ar" ? "en" : "ar"];
}

let language = /^ar\b/i.test(navigator.language) ? "ar" : "en";
let found = { verdict: "unreadable" };

async function start() {
  // A browser without Ed25519 refuses the key; without a connection the keys are not loaded.
  found = await check(location.hash.slice(1)).catch(() => ({ verdict: "unknown" }));
  show(found, language);
}

document.getElementById("language").addEventListener("click", () => {
  language = language === "ar" ? "en" : "ar";
  show(found, language);
});
addEventListener("hashchange", start);
await start();

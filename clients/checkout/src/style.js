/**
 * The style sheet of the element. It is constructed, so that no policy has to allow inline styles. The rules for what the hosted page
 * has too, and its colours, are those of the page, which the build puts in. A page changes it by custom properties (`--till-accent` and
 * others) and by `::part()`.
 */
import { rules } from "./page-style.js";

const OWN = `
:host{display:block;color-scheme:light dark;--radius:var(--till-radius,1rem)}
[hidden],:host([hidden]),.notice:empty{display:none}
*{box-sizing:border-box}
.panel{container-type:inline-size;background:var(--panel);color:var(--ink);border:1px solid var(--rule);border-radius:var(--radius);padding:1.25rem min(1.25rem,5vw);font:var(--till-font,1rem/1.5 system-ui,"Noto Sans Arabic","Segoe UI",Tahoma,sans-serif)}
.panel:lang(ar){line-height:1.65}
p,h2{margin:0}
fieldset{padding:0}
h2{font-size:1.125rem;font-weight:600;line-height:1.35}
small{font-size:.875rem}
input{font:inherit}
.quiet,.keep small{color:var(--quiet)}
.test,.terms,.notice,.outcome:not(:empty,:last-child){margin-block-end:.75rem;text-align:center}
.methods,.button,.button:focus-visible,.wallet,.notice,.entry{border-radius:calc(var(--radius)*.75)}
.amount{display:block;font-weight:600}
.express{display:grid;gap:.5rem;margin-block:1rem;text-align:center}
.keep{display:flex;align-items:center;gap:.75rem;min-block-size:44px;margin-block-end:.5rem;cursor:pointer}
.keep small{display:block}
.keep input{inline-size:20px;block-size:20px;accent-color:var(--accent)}
.again{background:none;color:var(--accent)}
.notice{padding:.875rem 1rem;border:1px solid;color:var(--bad)}
.notice,.outcome{font-weight:600;text-align:start}
.good{color:var(--good)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
`;

/** @returns {CSSStyleSheet} */
export function styleSheet() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules + OWN);
  return sheet;
}

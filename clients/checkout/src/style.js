/**
 * The style sheet of the element. It is constructed, so that no policy has to allow inline styles. A page changes it by custom
 * properties (`--till-accent` and the others named here) and by `::part()`.
 */
const SHEET = `
:host{display:block;color-scheme:light dark;
--accent:var(--till-accent,light-dark(#2b55d9,#8fabff));--on-accent:var(--till-on-accent,light-dark(#fff,#0c1430));
--ink:var(--till-ink,light-dark(#15181e,#eceff4));--quiet:var(--till-quiet,light-dark(#5b6472,#a2acba));
--ground:var(--till-ground,light-dark(#fff,#171b22));--edge:var(--till-edge,light-dark(#878f9c,#6f7a8a));
--bad:var(--till-bad,light-dark(#b3261e,#ff9d94));--good:var(--till-good,light-dark(#0d7a4a,#5fd39a));
--warn:var(--till-warn,light-dark(#6b4700,#ffd98a));--radius:var(--till-radius,.75rem)}
:host([hidden]){display:none}
*{box-sizing:border-box}
.panel{background:var(--ground);color:var(--ink);border:1px solid var(--edge);border-radius:var(--radius);padding:1rem;
font:var(--till-font,1rem/1.5 system-ui,"Segoe UI","Noto Sans","Noto Sans Arabic",Tahoma,sans-serif)}
.panel:lang(ar){line-height:1.65}
p,fieldset,h2{margin:0;padding:0;border:0;min-inline-size:0}
h2,legend{font-size:1.125rem;font-weight:650;padding:0;margin-block-end:.5rem}
.test{color:var(--warn);font-weight:600;margin-block-end:.75rem}
.row{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem .75rem;min-block-size:48px;padding:.5rem .75rem;border:1px solid var(--edge);
border-radius:calc(var(--radius) * .66);margin-block-end:.5rem;cursor:pointer}
.row:has(:checked){border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}
.row input{inline-size:1.25rem;block-size:1.25rem;margin:0;accent-color:var(--accent);flex:none}
.row img{inline-size:2.5rem;block-size:1.625rem;object-fit:contain;flex:none}
.name{flex:1 1 5rem;font-weight:600;overflow-wrap:break-word;min-inline-size:0}
.cost{white-space:nowrap}
.row>.cost{margin-inline-start:auto}
.quiet{color:var(--quiet);font-size:.9375rem;flex-basis:100%;padding-inline-start:2rem}
.row .quiet{text-align:end}
.field{display:grid;gap:.25rem;margin-block-end:.75rem}
.field input{font:inherit;min-block-size:48px;padding-inline:.75rem;border:1px solid var(--edge);border-radius:calc(var(--radius) * .66);background:transparent;color:inherit;inline-size:100%}
button{font:inherit;font-weight:650;inline-size:100%;min-block-size:48px;padding:.5rem 1rem;border-radius:calc(var(--radius) * .66);
border:1px solid var(--accent);background:var(--accent);color:var(--on-accent);cursor:pointer}
button[aria-disabled=true]{opacity:.65;cursor:default}
button.wallet{background:light-dark(#000,#fff);color:light-dark(#fff,#000);border-color:currentColor;margin-block-end:.25rem}
.express{margin-block-end:.75rem}
.express .quiet{padding:0;text-align:center}
.terms{margin-block-end:.75rem}
button.again{background:transparent;color:var(--accent);margin-block-start:.75rem}
.notice{border:2px solid var(--bad);color:var(--bad);border-radius:calc(var(--radius) * .66);padding:.5rem .75rem;margin-block-end:.75rem}
.notice:empty{display:none}
.outcome{font-weight:600}
.outcome:not(:empty,:last-child){margin-block-end:.75rem}
.about{display:block;font-weight:400;font-size:.9375rem;color:var(--quiet)}
.outcome.good{color:var(--good)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media(forced-colors:active){.row:has(:checked){outline:2px solid Highlight}}
`;

/** @returns {CSSStyleSheet} */
export function styleSheet() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(SHEET);
  return sheet;
}

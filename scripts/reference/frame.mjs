/** What both pages of the reference have around their content. */
import { html } from "./html.mjs";

const PAGES = [["/docs/start.html", "Getting started"], ["/docs/", "Reference"]];

/** A whole document. `here` is its address, `tools` what its head has, `body` all below. */
export const frame = ({ title, version, here, tools, body }) => html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${title}</title><link rel="icon" href="/icons/till.svg"><link rel="stylesheet" href="/docs/reference.css"><script src="/docs/reference.js" defer></script></head>
<body><a class="skip" href="#content">Skip to the content</a>
<header><p class="name"><img src="/icons/till.svg" alt="" width="28" height="28"><a href="/docs/">Till</a> <span class="kind">${version}</span></p>
<p class="pages">${PAGES.map(([path, name]) => html`<a href="${path}"${path === here && html` aria-current="page"`}>${name}</a>`)}</p>
${tools}</header>
${body}</body></html>
`;

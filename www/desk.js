/**
 * What the desk does with a script: filters and pages of a list change the screen in place, what is copied often has a button, the
 * search has a key, rows are walked with arrows, and moments say how long ago they were. Every screen is complete without it.
 */
import { Idiomorph } from "idiomorph";

/** The words that the script says, in the language of the page. */
const words = document.currentScript.dataset;
const main = document.getElementById("content");
/** What a screen reader says of a change. */
const said = document.body.appendChild(Object.assign(document.createElement("p"), { className: "unseen" }));
said.setAttribute("role", "status");

const NOW_AND_THEN = 30_000;
/** How long an answer may take before the browser is left to ask as it would without a script. */
const PATIENCE = 10_000;
const COPIED_FOR = 2_000;

/** Changes what differs; what is unfolded stays so, and what someone is typing in. */
const morph = (old, next) =>
  Idiomorph.morph(old, next, {
    ignoreActiveValue: true,
    callbacks: { beforeAttributeUpdated: (name, node) => !(name === "open" && node.localName === "details") },
  });

/** The request whose answer is awaited: a later one takes its place. */
let request;
/** The address of what is shown. */
const address = () => location.pathname + location.search;
let shown = address();

/** Shows an address in place. Another screen is left to the browser, like that of a session that has ended or of another language. */
function show(url, { isNew = true } = {}) {
  request?.abort();
  const asked = (request = new XMLHttpRequest());
  const leave = () => isNew ? location.assign(url) : location.reload();
  main.setAttribute("aria-busy", "true");
  asked.open("GET", url);
  asked.responseType = "document";
  asked.timeout = PATIENCE;
  asked.onerror = asked.ontimeout = leave;
  asked.onload = () => {
    const page = asked.response;
    const isAlike = page?.documentElement.lang === document.documentElement.lang && page.querySelector("header");
    if (!isAlike || new URL(asked.responseURL).pathname !== new URL(url).pathname) return leave();
    const hadFocus = document.activeElement;
    morph(document.querySelector("header"), page.querySelector("header"));
    morph(main, page.getElementById("content"));
    document.title = page.title;
    if (isNew) history.pushState(null, "", url);
    shown = address();
    if (hadFocus !== document.body && document.activeElement === document.body) main.focus();
    enhance();
    said.textContent = words.rows.replace("{count}", main.querySelectorAll("tbody tr").length);
  };
  asked.send();
}

/** Whether a click means the page that is shown, not another tab or a file. */
const isPlain = (event) => event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);

document.addEventListener("click", (event) => {
  const link = event.target.closest("main a[href]");
  if (!link || !isPlain(event) || link.download || link.target || link.hash || link.origin !== location.origin || link.pathname !== location.pathname) return;
  event.preventDefault();
  show(link.href);
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "get" || event.defaultPrevented) return;
  event.preventDefault();
  const url = new URL(form.action);
  url.search = new URLSearchParams(new FormData(form, event.submitter));
  show(url.href);
});

document.addEventListener("change", ({ target }) => {
  if (target.localName === "select" && target.form?.method === "get") target.form.requestSubmit();
});

addEventListener("popstate", () => {
  if (address() !== shown) show(location.href, { isNew: false });
});

document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
    event.preventDefault();
    const search = document.getElementById("search");
    if (search) search.select();
    else location.assign("/payments/");
    return;
  }
  const row = { ArrowDown: 1, ArrowUp: -1 }[event.key] && event.target.closest?.("tbody a") && event.target.closest("tr");
  if (!row || event.target.closest("details")) return;
  const next = event.key === "ArrowDown" ? row.nextElementSibling : row.previousElementSibling;
  const link = next?.querySelector("a");
  if (!link) return;
  event.preventDefault();
  link.focus();
});

/** A button that copies what an element says. */
function copyButton(element) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "link", textContent: words.copy });
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(element.value ?? element.textContent);
    button.textContent = said.textContent = words.copied;
    setTimeout(() => (button.textContent = words.copy), COPIED_FOR);
  });
  return button;
}

const ago = new Intl.RelativeTimeFormat(`${document.documentElement.lang}-u-nu-latn`, { numeric: "auto", style: "short" });
const UNITS = [["hour", 3600], ["minute", 60]];

/** Says of the moments of this day how long ago they were, or how soon they are. */
function sayMoments() {
  for (const time of main.querySelectorAll("time[datetime*=T]")) {
    const seconds = (Date.parse(time.dateTime) - Date.now()) / 1000;
    delete time.dataset.ago;
    if (!(Math.abs(seconds) < 86_400)) continue;
    const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ["minute", 60];
    time.dataset.ago = ago.format(Math.trunc(seconds / length), unit);
  }
}

/** Adds what a screen has only with a script. */
function enhance() {
  document.getElementById("search")?.setAttribute("aria-keyshortcuts", "Control+K Meta+K");
  for (const element of navigator.clipboard ? main.querySelectorAll("[data-copy]") : []) element.after(" ", copyButton(element));
  sayMoments();
}

enhance();
setInterval(sayMoments, NOW_AND_THEN);

/**
 * The style sheet of the element. It is constructed, so that no policy has to allow inline styles. The build puts its rules in: those of
 * the hosted page for what both have, with its colours, and those of element.css. A page changes it by custom properties (`--till-accent` and
 * others) and by `::part()`.
 */
import { rules } from "./page-style.js";

/** @returns {CSSStyleSheet} */
export function styleSheet() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  return sheet;
}

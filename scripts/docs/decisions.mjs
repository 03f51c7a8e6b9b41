/** The decisions in docs/decisions: a heading of the second level is one, and its anchor is how it is cited. */
import { anchorOf, headings } from "./links.mjs";

/** The most words of a decision, its heading among them, and the most decisions. */
export const MOST_WORDS = 80;
export const MOST_DECISIONS = 120;

const INDEX = "docs/decisions/README.md";

const words = (text) => text.split(/\s+/).filter((word) => word !== "").length;

/** The decisions of a page, each with its file, heading and number of words. */
const decisionsOf = ({ name, text }) =>
  text
    .split(/^(?=## )/m)
    .filter((part) => part.startsWith("## "))
    .map((part) => ({ name, heading: headings(part, "##")[0], words: words(part.slice(2)) }));

/** What is wrong with the decisions of `pages`, each `{ name, text }`, the index among them. */
export function faultsOfDecisions(pages) {
  const index = pages.find(({ name }) => name === INDEX)?.text ?? "";
  const files = pages.filter(({ name }) => name !== INDEX);
  const decisions = files.flatMap(decisionsOf);
  const places = decisions.map(({ heading }) => anchorOf(heading));
  return [
    ...files
      .filter(({ name }) => !index.includes(`(${name.slice("docs/decisions/".length)})`))
      .map(({ name }) => `${INDEX} does not list ${name}`),
    ...decisions
      .filter((decision) => decision.words > MOST_WORDS)
      .map(({ name, heading, words: count }) => `${name} has ${count} words in "${heading}", at most ${MOST_WORDS} are allowed`),
    ...decisions
      .filter((_, place) => places.indexOf(places[place]) !== place)
      .map(({ name, heading }) => `${name} has the heading "${heading}", which another decision has`),
    ...[decisions.length]
      .filter((count) => count > MOST_DECISIONS)
      .map((count) => `docs/decisions has ${count} decisions, at most ${MOST_DECISIONS} are allowed`),
  ];
}

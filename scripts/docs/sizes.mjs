/** How much there is to read: a stranger reads README.md in some minutes, and finds what they need in the rest. */
import { prose } from "./links.mjs";

/** Words, as `wc -w` counts them: marks of tables and the commands are among them. */
export const MOST = { readme: 1_000, all: 52_000 };
/** Columns of a line of prose. Tables, code, links and pictures cannot be broken. */
const WIDTH = 110;

export const wordsOf = (text) => text.split(/\s+/).filter((word) => word !== "").length;

/** What is too long in the pages of strangers: `{ name, text }` each, without those about tests. */
export function faultsOfSizes(pages) {
  const readme = pages.find(({ name }) => name === "README.md");
  const ofReadme = wordsOf(readme?.text ?? "");
  const ofAll = pages.reduce((sum, { text }) => sum + wordsOf(text), 0);
  return [
    ...(ofReadme > MOST.readme ? [`README.md has ${ofReadme} words, at most ${MOST.readme} are allowed`] : []),
    ...(ofAll > MOST.all ? [`all pages together have ${ofAll} words, at most ${MOST.all} are allowed`] : []),
    ...pages.flatMap(({ name, text }) => wideLinesOf(text).map((line) => `${name} has a line of ${line.length} columns, at most ${WIDTH} are allowed: ${line.slice(0, 40)}…`)),
  ];
}

/** The lines of prose that are too wide and could be broken. */
function wideLinesOf(text) {
  return prose(text).split("\n").filter((line) => line.length > WIDTH && !/^\s*(?:\||<|!\[)/.test(line) && /\S\s+\S/.test(line.trim().slice(2)));
}

/**
 * The fenced blocks of a page, and how each is run.
 *
 * The words after the language of a block of shell are the statuses with which its lines of `curl` are answered, one by one;
 * without them every answer is a success. A comment before the block names an exception and its reason:
 *
 * | Comment | The block |
 * |---|---|
 * | `<!-- commands: dry; reason -->` | is run with programs that only check what they are asked to do |
 * | `<!-- commands: parsed; reason -->` | is only parsed |
 * | `<!-- commands: background until "text"; reason -->` | goes on until the page ends; the next block waits for the text |
 * | `<!-- commands: file name; reason -->` | is a file that a later block runs |
 */

const FENCE = /^([ \t]*)```([^\n`]*)\n([\s\S]*?)^[ \t]*```[ \t]*$/gm;
const COMMENT = /<!-- commands: ([^>]*?) -->\s*$/;
const MODE = /^(dry|parsed|background until "([^"]+)"|file (\S+)); (.+)$/;

/** Languages whose blocks are commands or programs; all others are read, not run. */
export const SHELLS = ["sh", "bash", "console"];
export const PROGRAMS = { js: "mjs", python: "py", php: "php", ts: "ts" };

/** @returns {{ page, line, language, statuses: string[], mode, until?, file?, reason?, text }[]} */
export function blocksOf(page, text) {
  return [...text.matchAll(FENCE)].map(({ 1: indent, 2: info, 3: body, index }) => {
    const before = text.slice(0, index);
    const [language = "", ...statuses] = info.trim().split(/\s+/);
    const line = before.split("\n").length;
    const lines = body.split("\n").map((one) => (one.startsWith(indent) ? one.slice(indent.length) : one));
    return { page, line, language, statuses, text: lines.join("\n"), ...modeOf(COMMENT.exec(before)?.[1], `${page}:${line}`) };
  });
}

function modeOf(comment, where) {
  if (comment === undefined) return { mode: "run" };
  const found = MODE.exec(comment);
  if (found === null) throw new Error(`${where} has the comment "${comment}": write dry, parsed, background until "…" or file …, a semicolon and the reason`);
  const [, words, until, file, reason] = found;
  return { mode: words.split(" ")[0], until, file, reason };
}

/** The links of Markdown pages, and the anchors to which they may lead. */
import { posix } from "node:path";

const FENCED = /^[ \t]*(```+|~~~+)[^\n]*\n[\s\S]*?^[ \t]*\1[ \t]*$/gm;

/** The text without its code, in which nothing is a heading or a link. */
export const prose = (text) => text.replace(FENCED, "").replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()]/g, ""));

/** The headings of a page that have `marks` (`##`), or of every level. */
export const headings = (text, marks = "#{1,6}") =>
  [...text.replace(FENCED, "").matchAll(new RegExp(`^${marks} +(.+?) *#*$`, "gm"))].map(([, heading]) => heading);

/** The anchor of a heading, as GitHub makes it. */
export const anchorOf = (heading) =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");

/** Every anchor of a page: a heading that occurs again gets a number. */
export function anchors(text) {
  const times = new Map();
  return new Set(
    headings(text).map((heading) => {
      const anchor = anchorOf(heading);
      const before = times.get(anchor) ?? 0;
      times.set(anchor, before + 1);
      return before === 0 ? anchor : `${anchor}-${before}`;
    }),
  );
}

/** The links of a page to files and anchors of the project. */
const linksOf = (text) =>
  [...prose(text).matchAll(/\]\(([^)\s]+)[^)]*\)/g)].map(([, link]) => link).filter((link) => !/^[a-z]+:/.test(link));

/**
 * The links of a page that lead nowhere. `find` has the text of a page by its name, `undefined` for what does not
 * exist; only pages have anchors.
 */
export function faultsOfLinks(name, text, find) {
  return linksOf(text).flatMap((link) => {
    const [path, anchor] = link.split("#");
    const target = path === "" ? name : posix.join(posix.dirname(name), path);
    const found = find(target);
    if (found === undefined) return [`${name} links to ${link}, which does not exist`];
    const isLost = anchor !== undefined && target.endsWith(".md") && !anchors(found).has(anchor);
    return isLost ? [`${name} links to ${link}, but ${target} has no such heading`] : [];
  });
}

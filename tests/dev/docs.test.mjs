/** The checks of the documents themselves: each finds its fault, and nothing in a page that is right. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { blocksOf } from "../../scripts/docs/blocks.mjs";
import { faultsOfDecisions } from "../../scripts/docs/decisions.mjs";
import { faultsOfLinks } from "../../scripts/docs/links.mjs";
import { MOST, faultsOfSizes, wordsOf } from "../../scripts/docs/sizes.mjs";

/** A decision of so many words, three of them in its heading. */
const decision = (number, words = 10) => `## Question number ${number}?\n\n${"word ".repeat(words - 3)}\n\n`;
const index = { name: "docs/decisions/README.md", text: "# Decisions\n\n[money](money.md)\n" };
const page = (text, name = "docs/decisions/money.md") => ({ name, text: `# Decisions about money\n\n${text}` });

test("a decision has at most eighty words, its heading among them", () => {
  assert.deepEqual(faultsOfDecisions([index, page(decision(1, 80) + decision(2))]), []);
  assert.deepEqual(faultsOfDecisions([index, page(decision(1) + decision(2, 81))]), [
    'docs/decisions/money.md has 81 words in "Question number 2?", at most 80 are allowed',
  ]);
});

test("there are at most a hundred and twenty decisions", () => {
  const many = (count) => page(Array.from({ length: count }, (_, number) => decision(number)).join(""));
  assert.deepEqual(faultsOfDecisions([index, many(120)]), []);
  assert.deepEqual(faultsOfDecisions([index, many(121)]), ["docs/decisions has 121 decisions, at most 120 are allowed"]);
});

test("no two decisions have one heading, in whatever files and letters", () => {
  const both = { ...index, text: "[money](money.md) [cards](cards.md)" };
  const other = page("## QUESTION `number` 1\n\nText.\n", "docs/decisions/cards.md");
  assert.deepEqual(faultsOfDecisions([both, page(decision(1)), other]), [
    'docs/decisions/cards.md has the heading "QUESTION `number` 1", which another decision has',
  ]);
});

test("the index lists every file of decisions", () => {
  assert.deepEqual(faultsOfDecisions([index, page(decision(1)), page(decision(2), "docs/decisions/cards.md")]), [
    "docs/decisions/README.md does not list docs/decisions/cards.md",
  ]);
});

const TARGET = `# The \`If-Match\` of a [page](x.md): why, and *how*?
## Again
## Again
\`\`\`sh
## a comment
\`\`\`
## Money – 100 % of \`paid_amount\`
### ما هو؟
`;
const files = { "docs/target.md": TARGET, "docs/here.md": "# Here\n", "core/a.rs": "", "docs/folder": "" };
const find = (name) => files[name];
const faults = (text) => faultsOfLinks("docs/here.md", text, find);

test("links lead to files and headings that exist", () => {
  const right = [
    "target.md", "../core/a.rs", "folder", "#here", "target.md#the-if-match-of-a-page-why-and-how",
    "target.md#again", "target.md#again-1", "target.md#money--100--of-paid_amount", "target.md#ما-هو",
    "https://example.com/#any", "mailto:a@example.com",
  ];
  for (const link of right) assert.deepEqual(faults(`# Here\n\n[text](${link}) and [\`code\`](${link} "title")\n`), [], link);
});

test("a link to nothing is a fault", () => {
  assert.deepEqual(faults("[a](lost.md) [a\nb](../lost.rs)"), [
    "docs/here.md links to lost.md, which does not exist", "docs/here.md links to ../lost.rs, which does not exist",
  ]);
  for (const anchor of ["again-2", "a-comment", "Again", "money-100-of-paid_amount", ""]) {
    const fault = `docs/here.md links to target.md#${anchor}, but docs/target.md has no such heading`;
    assert.deepEqual(faults(`[text](target.md#${anchor})`), [fault]);
  }
  assert.equal(faults("# Here\n\n[text](#there)").length, 1);
});

test("what is in code is no link", () => {
  assert.deepEqual(faults("`list[0](lost)`\n\n```js\nlist[0](lost);\n```\n\n1. step\n\n   ```sh\n   [a](lost)\n   ```\n"), []);
});

const block = (before, info = "sh") => `text\n\n${before}\`\`\`${info}\necho 1\n\`\`\`\n`;

test("a block is run, unless a comment before it names how and why not", () => {
  const [run] = blocksOf("a.md", block("", "sh 201 404"));
  assert.deepEqual([run.mode, run.language, run.statuses, run.line, run.text], ["run", "sh", ["201", "404"], 3, "echo 1\n"]);
  const of = (words) => blocksOf("a.md", block(`<!-- commands: ${words} -->\n`))[0];
  assert.deepEqual([of("dry; it takes hours").mode, of("dry; it takes hours").reason], ["dry", "it takes hours"]);
  const background = of('background until "A page:"; it serves');
  assert.deepEqual([background.mode, background.until], ["background", "A page:"]);
  assert.equal(of("file shop.mjs; a test runs it").file, "shop.mjs");
});

test("an exception without a reason, or of another kind, is refused", () => {
  for (const words of ["dry", "dry;", "skipped; no", "background; why", "file; why"]) {
    assert.throws(() => blocksOf("a.md", block(`<!-- commands: ${words} -->\n`)), /a\.md:4 has the comment/, words);
  }
});

test("a block in a list loses its indentation", () => {
  assert.equal(blocksOf("a.md", "1. a\n\n   ```sh\n   a\n     b\n   ```\n")[0].text, "a\n  b\n");
});

const words = (count, name = "README.md") => ({ name, text: "word ".repeat(count).replace(/(?:word ){10}/g, "$&\n") });

test("README.md has at most a thousand words, and all pages together fifty-two thousand", () => {
  assert.deepEqual(faultsOfSizes([words(MOST.readme), words(MOST.all - MOST.readme, "docs/a.md")]), []);
  assert.deepEqual(faultsOfSizes([words(1001)]), ["README.md has 1001 words, at most 1000 are allowed"]);
  assert.deepEqual(faultsOfSizes([words(1000), words(20_000, "docs/a.md"), words(31_001, "docs/b.md")]), [
    "all pages together have 52001 words, at most 52000 are allowed",
  ]);
  assert.equal(wordsOf("| a | b |\n\n```sh\nls -l\n```\n"), 9);
});

test("a line of prose has at most 110 columns; what cannot be broken may have more", () => {
  const long = "x".repeat(108);
  const of = (text) => faultsOfSizes([{ name: "docs/a.md", text }]).length;
  assert.equal(of(`${long} a\n`), 0);
  assert.equal(of(`${long} ab\n`), 1);
  assert.equal(of(`- ${long} ab\n`), 1);
  for (const text of [`| ${long} | b |`, `\`\`\`sh\n${long} ab\n\`\`\``, `https://example.com/${long}`, `<!-- ${long} ab -->`, `![${long}](a.png) a`]) assert.equal(of(text), 0, text);
});

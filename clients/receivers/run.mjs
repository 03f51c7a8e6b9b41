/**
 * Runs the receivers of this folder over `tests/vectors/webhook-conformance.json`: every language whose tools are on this
 * machine. One that is not there is named and skipped; a wrong verdict is a failure. Arguments choose languages.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const VECTORS = new URL("../../tests/vectors/webhook-conformance.json", import.meta.url);
/** How long one program may take, building it included, in milliseconds. */
const LIMIT = 180_000;

/** Jackson, which Java needs to read JSON: where Debian has it, or in the folder `JACKSON`. */
const JACKSON = ["core", "annotations", "databind"].map((part) => join(process.env.JACKSON ?? "/usr/share/java", `jackson-${part}.jar`));
const CLASSPATH = [...JACKSON, "."].join(delimiter);

/** The languages: the tools and files that are needed, how the program is built in a folder of its own, and how it is run there. */
export const LANGUAGES = {
  javascript: { tools: ["node"], run: [process.execPath, "conformance.mjs"] },
  python: { tools: ["python3"], run: ["python3", "conformance.py"] },
  php: { tools: ["php"], run: ["php", "conformance.php"] },
  java: {
    tools: ["javac", "java"], files: JACKSON,
    build: ["javac", "-encoding", "UTF-8", "-classpath", CLASSPATH, "Conformance.java", "Verify.java"], run: ["java", "-classpath", CLASSPATH, "Conformance"],
  },
  go: { tools: ["go"], build: ["go", "build", "-o", "conformance", "."], run: ["./conformance"] },
  csharp: { tools: ["dotnet"], build: ["dotnet", "build", "--nologo", "-v", "quiet", "-o", "out"], run: ["dotnet", "out/receiver.dll"] },
};

/** The cases, each with its body in base64, as the programs read them. */
export const cases = () => JSON.parse(readFileSync(VECTORS, "utf8")).cases.map(({ body, body_base64, ...one }) => ({
  ...one, body: body_base64 ?? Buffer.from(body, "utf8").toString("base64"),
}));

const isThere = (tool) => spawnSync("sh", ["-c", 'command -v "$1"', "sh", tool], { stdio: "ignore" }).status === 0;

/** The tools and files of a language that are not on this machine. */
export const missing = (language) => {
  const { tools, files = [] } = LANGUAGES[language];
  return [...tools.filter((tool) => !isThere(tool)), ...files.filter((file) => !existsSync(file))];
};

/** What a program says about each case: `ok` or `refused`. */
export function verdicts(language, given) {
  const { build, run } = LANGUAGES[language];
  const folder = mkdtempSync(join(tmpdir(), `receiver-${language}-`));
  try {
    cpSync(join(HERE, language), folder, { recursive: true });
    const options = { cwd: folder, timeout: LIMIT, encoding: "utf8", maxBuffer: 1 << 24 };
    if (build) execFileSync(build[0], build.slice(1), { ...options, stdio: ["ignore", "ignore", "inherit"] });
    const input = given.map(({ name, expected, ...one }) => `${JSON.stringify(one)}\n`).join("");
    return execFileSync(run[0], run.slice(1), { ...options, input }).trim().split(/\r?\n/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The cases of which a program says something else than expected, as texts. */
export function faults(language, given) {
  const found = verdicts(language, given);
  if (found.length !== given.length) return [`${found.length} verdicts about ${given.length} cases`];
  return given.flatMap(({ name, expected }, place) => (found[place] === expected ? [] : [`${name}: ${found[place]}, not ${expected}`]));
}

function main(chosen) {
  const given = cases();
  for (const language of chosen.length > 0 ? chosen : Object.keys(LANGUAGES)) {
    const absent = missing(language);
    if (absent.length > 0) {
      console.log(`${language}: skipped, ${absent.join(" and ")} not found`);
      continue;
    }
    const wrong = faults(language, given);
    console.log(`${language}: ${given.length - wrong.length} of ${given.length} right`);
    for (const fault of wrong) console.log(`  ${fault}`);
    if (wrong.length > 0) process.exitCode = 1;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) main(process.argv.slice(2));

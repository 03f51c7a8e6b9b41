/**
 * Runs test files one after another in this process, each as a suite, as its parent names them (`files.mjs`): what takes long to
 * start, the modules and a Worker, is there for all of them.
 */
import { describe } from "node:test";
import { relative } from "node:path";
import { pathToFileURL } from "node:url";
import { endAll, endLeft } from "../../tests/worker/harness.mjs";
import { ROOT } from "../project.mjs";

// Nothing goes on without the parent.
process.once("disconnect", () => process.exit());

const next = () => new Promise((resolve) => process.once("message", resolve));

for (let { file } = await next(); file !== undefined; { file } = await next()) {
  await describe(relative(ROOT, file), () => import(pathToFileURL(file)));
  await endLeft();
  // The reporters get the last events later.
  await new Promise((resolve) => setTimeout(resolve, 20));
  // The runner of tests sets it for an error that belongs to no test.
  const isUnclean = Boolean(process.exitCode);
  process.exitCode = undefined;
  process.send({ ended: file, isUnclean });
}
await endAll();
process.exit();

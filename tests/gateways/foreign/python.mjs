// Scripts with the clients of PyPI.

import { spawn } from "node:child_process";
import { CLIENTS } from "../../../scripts/foreign/clients.mjs";
import { at } from "../../../scripts/project.mjs";

/** Runs a script of this folder with the client of a gateway; the last line that it prints is JSON. */
export function python(gateway, script, ...given) {
  return new Promise((resolve, reject) => {
    const child = spawn(CLIENTS[gateway].pypi.python, [at("tests", "gateways", "foreign", script), ...given], { stdio: ["ignore", "pipe", "pipe"] });
    const output = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"]) child[name].setEncoding("utf8").on("data", (text) => (output[name] += text));
    child.once("error", reject).once("close", (code) => (code === 0 ? resolve(JSON.parse(output.stdout.trim().split("\n").at(-1))) : reject(new Error(output.stderr))));
  });
}

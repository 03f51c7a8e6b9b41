/**
 * In the place of a wrangler that needs an account: asks the real one whether it knows the command and every option, notes the
 * call, and answers as Cloudflare would. A deployment needs the secrets that the Worker reads.
 */
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";

const args = process.argv.slice(2);
const fail = (message) => { console.error(message); process.exit(1); };
const valueOf = (name) => args.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1) ?? args[args.indexOf(name) + 1];

const words = args.slice(0, args.findIndex((arg) => arg.startsWith("-")) >>> 0);
let help;
try {
  help = execFileSync(process.execPath, ["node_modules/wrangler/bin/wrangler.js", ...words, "--help"], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
} catch (error) {
  fail(`wrangler has no command ${words.join(" ")}: ${error.stderr}`);
}
const said = help.split("\n").find((line) => line.startsWith("wrangler "));
const known = said.split(" ").slice(1).filter((word) => /^[a-z]/.test(word));
if (known.length === 0 || !known.every((word, place) => words[place] === word)) fail(`wrangler has no command ${words.join(" ")}: its help is that of ${said}`);
const unknown = args.filter((arg) => arg.startsWith("--")).map((arg) => arg.split("=")[0]).find((option) => !help.includes(option));
if (unknown) fail(`wrangler ${words.join(" ")} has no option ${unknown}`);
appendFileSync(process.env.TILL_CALLS, `${JSON.stringify(args)}\n`);

const command = known.join(" ");
if (command === "deploy" && args.includes("--secrets-file")) {
  const secrets = readFileSync(valueOf("--secrets-file"), "utf8");
  for (const name of ["OPERATOR_TOKEN", "SEAL_KEY", "RECEIPT_KEY"]) {
    if (!new RegExp(`^${name}=\\S{32,}$`, "m").test(secrets)) fail(`the secrets lack ${name}`);
  }
}
if (args.includes("--file") && !existsSync(valueOf("--file"))) fail(`there is no file ${valueOf("--file")}`);
if (args.includes("--output")) writeFileSync(valueOf("--output"), "-- a backup\n");
if (command === "d1 create") console.log('database_id = "0123abcd-0000-4000-8000-000000000000"');
if (command === "kv namespace create") console.log('id = "0123abcd000000000000000000000000"');
if (command === "d1 time-travel info") console.log("The current bookmark is '00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683'");

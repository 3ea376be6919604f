// Runs the checks of `npm run check`, two at a time, and prints what the failing ones say.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const AT_ONCE = 2;
const root = resolve(import.meta.dirname, "..");
const { scripts } = JSON.parse(readFileSync(resolve(root, "package.json"), "utf8"));
const rest = Object.keys(scripts).filter((name) => name.startsWith("check:"));

/** Runs one check and returns whether it passed. */
async function passes(name) {
  const said = [];
  const check = spawn("npm", ["run", "--silent", name], { cwd: root, shell: process.platform === "win32" });
  for (const stream of [check.stdout, check.stderr]) stream.on("data", (chunk) => said.push(chunk));
  const code = await new Promise((done) => check.on("close", done).on("error", () => done(1)));
  if (code !== 0) process.stderr.write(`${name} failed:\n${Buffer.concat(said).toString()}\n`);
  return code === 0;
}

async function lane() {
  for (let name = rest.shift(); name !== undefined; name = rest.shift())
    if (!(await passes(name))) process.exitCode = 1;
}

await Promise.all(Array.from({ length: AT_ONCE }, lane));

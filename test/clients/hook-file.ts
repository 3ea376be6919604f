import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "vitest";
import { quoteWord } from "../../src/shell/quote-word.ts";
import { BINARY } from "../support/client.ts";

/** Sets up a client's hooks as a user would, with the built binary. */
export function initHooks(id: string, cwd: string, env: Readonly<Record<string, string>>): void {
  const init = [BINARY, "init", id, "--with-hooks", "--yes", "--", process.execPath, BINARY, "serve"];
  expect(spawnSync(process.execPath, init, { cwd, env, encoding: "utf8" })).toMatchObject({ status: 0 });
}

/** Replaces the command of the hooks that `pith init` wrote, and on request their time limit; all that stands around them stays. */
export function replaceHook(file: string, hook: string, seconds?: number): void {
  const text = readFileSync(file, "utf8");
  const after = text
    .replaceAll(
      /"command": "[^"]* hook[^"|]*( \|\| true)?"/g,
      (_, tail = "") => `"command": ${JSON.stringify(`sh -c ${quoteWord(hook)}${tail}`)}`,
    )
    .replace(/ARGS\] = \[.*\];/, `ARGS] = ${JSON.stringify(["sh", "-c", hook])};`);
  expect(after).not.toBe(text);
  writeFileSync(
    file,
    seconds === undefined ? after : after.replaceAll(/"timeout": \d+/g, `"timeout": ${seconds}`),
  );
}

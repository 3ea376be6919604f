import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { ATTACKS } from "./registry.ts";

const SCRIPT = resolve(import.meta.dirname, "../../scripts/torture.mjs");

async function torture(...args: string[]): Promise<{ code: unknown; said: string }> {
  const child = spawn(process.execPath, [SCRIPT, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const [code] = await once(child, "close");
  return { code, said };
}

// The attacks need a POSIX shell and signals.
const isPosix = process.platform !== "win32";

it.runIf(isPosix)("finds nothing in a short round of every attack", { timeout: 600_000 }, async () => {
  const { code, said } = await torture("--seconds", "1", "--seed", "1", "--short");
  expect(code, said).toBe(0);
  for (const { name } of ATTACKS) expect(said).toMatch(new RegExp(`^${name} +1 `, "m"));
});

it("lists the attacks when an unknown one is requested", async () => {
  const { code, said } = await torture("--only", "nope");
  expect(code).toBe(2);
  for (const { name } of ATTACKS) expect(said).toContain(name);
});

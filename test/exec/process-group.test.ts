import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { endTreeOnWindows, signalGroup } from "../../src/exec/process-group.ts";
import { makeFolder } from "../support/folder.ts";

const path = process.env["PATH"] ?? "";
afterEach(() => {
  process.env["PATH"] = path;
});

it.skipIf(process.platform === "win32")(
  "asks taskkill for the whole tree where there are no groups",
  async () => {
    const folder = makeFolder();
    const said = join(folder, "said.txt");
    // This stand-in for taskkill of Windows writes down its arguments.
    writeFileSync(
      join(folder, "taskkill"),
      `#!/bin/sh\necho "$@" > "${said}.new" && mv "${said}.new" "${said}"\n`,
    );
    chmodSync(join(folder, "taskkill"), 0o755);
    process.env["PATH"] = `${folder}${delimiter}${path}`;
    expect(endTreeOnWindows(4711)).toBe(true);
    await expect.poll(() => existsSync(said), { timeout: 20_000 }).toBe(true);
    expect(readFileSync(said, "utf8")).toBe("/pid 4711 /T /F\n");
  },
);

it("survives a system without taskkill", async () => {
  process.env["PATH"] = makeFolder();
  expect(endTreeOnWindows(4711)).toBe(true);
  // The start error arrives in a later turn of the event loop and must not be thrown there.
  await new Promise((resolve) => setTimeout(resolve, 50));
});

it.skipIf(process.platform === "win32")("reports when no process of a group is left", async () => {
  const child = spawn("sleep", ["300"], { detached: true, stdio: "ignore" });
  const exited = once(child, "exit");
  expect(signalGroup(child.pid ?? 0, "SIGKILL")).toBe(true);
  await exited;
  expect(signalGroup(child.pid ?? 0, "SIGKILL")).toBe(false);
});

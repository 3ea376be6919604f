import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { placeOf } from "../../src/runs/plan/permission-place.ts";
import { planLine } from "../../src/runs/plan/plan.ts";
import { checkPermission, type PermissionRules } from "../../src/security/permissions.ts";
import { makeFolder } from "../support/folder.ts";

/** The forbidden program leaves a trace: its arguments, which are those of one line only. */
export const PROGRAM = "forbidden";

export interface Sandbox {
  readonly workspace: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly trace: string;
}

export function createSandbox(): Sandbox {
  const outside = makeFolder();
  const workspace = makeFolder({
    file: "text\n",
    empty: "",
    bigfile: "some line\n".repeat(20_000),
    "s.sh": "true\n",
    "a.py": "",
    "a.js": "",
    Makefile: "all:\n\ttrue\n",
  });
  const trace = join(outside, "trace");
  mkdirSync(join(outside, "bin"));
  const program = join(outside, "bin", PROGRAM);
  writeFileSync(program, `#!/bin/sh\necho "$*" >> ${trace}\n`);
  chmodSync(program, 0o755);
  for (const folder of ["link", "evil"]) mkdirSync(join(workspace, folder));
  for (const name of [PROGRAM, "other"]) symlinkSync(program, join(workspace, "link", name));
  for (const name of ["sh", "timeout", "env"])
    symlinkSync(`/usr/bin/${name}`, join(workspace, "link", name === "sh" ? "shell" : name));
  symlinkSync("/usr/bin/bash", join(workspace, "link", "quiet"));
  for (const name of ["ls", "echo", "true", "cat", "npm"])
    writeFileSync(join(workspace, "evil", name), `#!/bin/sh\nexec ${program} "$@"\n`, { mode: 0o755 });
  const PATH = `${join(outside, "bin")}:${process.env["PATH"] ?? ""}`;
  return { workspace, trace, environment: { PATH, HOME: outside, LC_ALL: "C.UTF-8" } };
}

export function isAccepted(
  line: string,
  rules: PermissionRules,
  { workspace, environment }: Sandbox,
): boolean {
  const place = () => placeOf({ workspace, cwd: workspace }, environment);
  try {
    checkPermission({ argv: planLine(line).argv, place }, rules);
    return true;
  } catch {
    // The line is refused, asked about, or not even a command line.
    return false;
  }
}

/** Runs command lines one after another in the sandbox, from one process, and returns the traces that they left. */
export function run(lines: readonly string[], { workspace, environment, trace }: Sandbox): Set<string> {
  const driver = join(environment["HOME"] ?? "", "driver.sh");
  const quoted = lines.map((line) => `'${line.replaceAll("'", String.raw`'\''`)}'`);
  writeFileSync(driver, quoted.map((line) => `timeout 3 bash -c ${line}`).join("\n"));
  writeFileSync(trace, "");
  spawnSync("bash", [driver], { cwd: workspace, env: environment, stdio: "ignore" });
  return new Set(readFileSync(trace, "utf8").split("\n").filter(Boolean));
}

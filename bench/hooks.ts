/** Measures what Pith's hooks cost, beside the start of Node itself, in a repository of 1,000 files. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { report, sampleOf, type Sample } from "./report/section.ts";

const FILES = 1_000;
const ROUNDS = 40;
const WARM_UP = 3;
const binary = join(import.meta.dirname, "../dist/pith.js");
const folder = mkdtempSync(join(tmpdir(), "pith-bench-hooks-"));
const cwd = join(folder, "repository");
const env = { ...process.env, PITH_DATA_DIR: join(folder, "data") };

try {
  makeRepository();
  spawnSync(process.execPath, [binary, "index"], { cwd, env });
  const server = spawn(process.execPath, [binary, "serve"], {
    cwd,
    env,
    stdio: ["pipe", "ignore", "inherit"],
  });
  const sockets = join(folder, "data/hooks");
  while (!existsSync(sockets) || readdirSync(sockets).length === 0) await delay(50);
  await delay(2_000);
  const times: Record<"node" | "idle" | "body" | "signature", number[]> = {
    node: [],
    idle: [],
    body: [],
    signature: [],
  };
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const one = {
      node: processorTimeOf(["-e", "process.stdin.resume()"], {}),
      idle: processorTimeOf([binary, "hook"], bashEvent()),
      body: timeOf([binary, "hook"], editEvent("return value;", `return value + ${round};`)),
      signature: timeOf([binary, "hook"], editEvent("f500(value)", `f500(value, more${round + WARM_UP})`)),
    };
    if (round >= 0)
      for (const name of ["node", "idle", "body", "signature"] as const) times[name].push(one[name]);
  }
  server.stdin.end();
  const node = sampleOf(times.node);
  const figure = (what: string, pith: Sample, atMost: number) => ({
    what,
    unit: "ms" as const,
    pith,
    other: { name: "node alone", sample: node },
    atMost,
  });
  const p95 = (values: readonly number[]) =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0;
  console.log(
    `p95: ${Object.entries(times)
      .map(([name, values]) => `${name} ${p95(values).toFixed(0)} ms`)
      .join(", ")}`,
  );
  report({
    title: "Hooks",
    about:
      "With a server that runs for the folder: the processor time of a hook with nothing to do, and the time from the start to the end of one after an edit.",
    figures: [
      figure("nothing to do", sampleOf(times.idle), node.median + 60),
      figure("after an edit of a body", sampleOf(times.body), 300),
      figure("after an edit of a signature", sampleOf(times.signature), 300),
    ],
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function makeRepository(): void {
  mkdirSync(cwd);
  for (let at = 0; at < FILES; at++)
    writeFileSync(
      join(cwd, `m${at}.ts`),
      `import { f${(at + 1) % FILES} } from "./m${(at + 1) % FILES}.ts";\n\nexport function f${at}(value) {\n  f${(at + 1) % FILES}(1);\n  return value;\n}\n`,
    );
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
    ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"],
  ])
    spawnSync("git", args, { cwd });
}

/** The processor time of a process, which other programs on the machine do not change; bash prints it in milliseconds. */
function processorTimeOf(args: readonly string[], event: object): number {
  const script = 'TIMEFORMAT="%U %S"; time "$0" "$@" >/dev/null 2>&1';
  const { stderr } = spawnSync("bash", ["-c", script, process.execPath, ...args], {
    cwd,
    env: { ...env, LC_ALL: "C" },
    input: JSON.stringify(event),
    encoding: "utf8",
  });
  const [user = Number.NaN, system = Number.NaN] = stderr.trim().split(" ").map(Number);
  return (user + system) * 1_000;
}

function timeOf(args: readonly string[], event: object): number {
  const start = performance.now();
  spawnSync(process.execPath, args, { cwd, env, input: JSON.stringify(event) });
  return performance.now() - start;
}

function bashEvent(): object {
  const tool_response = { stdout: "short\n", stderr: "", interrupted: false };
  return {
    hook_event_name: "PostToolUse",
    cwd,
    tool_name: "Bash",
    tool_input: { command: "ls" },
    tool_response,
  };
}

function editEvent(old_string: string, new_string: string): object {
  const file = join(cwd, "m500.ts");
  const text = `import { f501 } from "./m501.ts";\n\nexport function f500(value) {\n  f501(1);\n  return value;\n}\n`;
  writeFileSync(file, text.replace(old_string, new_string));
  const tool_input = { file_path: file, old_string, new_string };
  return {
    hook_event_name: "PostToolBatch",
    cwd,
    tool_calls: [{ tool_name: "Edit", tool_input, tool_response: "The file has been updated." }],
  };
}

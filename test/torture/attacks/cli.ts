import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { oddText } from "../arguments.ts";
import type { Attack, Trial } from "../attack.ts";
import { BINARY, serverEnvironment } from "../peer.ts";
import type { Random } from "../random.ts";

const CALLS = 5;

/** Checks that the command line returns a meaningful exit code and never a stack trace. */
export const cli: Attack = {
  name: "cli",
  about: "verbs of the command line with random options, arguments and input",
  async round(trial) {
    const work = join(trial.folder, "work");
    mkdirSync(join(work, "src"));
    writeFileSync(join(work, "src", "a.py"), "def one():\n    return 1\n");
    for (let i = 0; i < trial.times(CALLS); i++) await tryVerb(trial, work);
    trial.tried("command lines", trial.times(CALLS));
  },
};

const VERBS = [
  "search",
  "symbol",
  "changes",
  "test",
  "uses",
  "callers",
  "outline",
  "read",
  "grep",
  "parse",
  "ci",
  "logs",
  "runs",
  "stats",
  "config",
  "tools",
  "doctor",
  "sync",
  "exec",
  "help",
];
const OPTIONS = [
  "--json",
  "--help",
  "--focus",
  "--limit",
  "--kind",
  "--nope",
  "--detail",
  "-n",
  "--lines",
  "--days",
  "--",
  "-",
];

async function tryVerb(trial: Trial, work: string): Promise<void> {
  const { random } = trial;
  const args = [random.chance(0.95) ? random.pick(VERBS) : random.word(), ...randomWords(random)];
  // Only this harmless command is ever run.
  if (args[0] === "exec") args.splice(1, args.length, "--", "echo", "x");
  if (args[0] === "test") args.splice(1, 0, "--changed", "--dry-run");
  if (args.some((one) => one.includes("\0"))) return;
  const child = spawn(process.execPath, [BINARY, ...args], {
    cwd: work,
    env: serverEnvironment(trial.folder),
    stdio: ["pipe", "pipe", "pipe"],
  });
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString("latin1")));
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString("latin1")));
  child.stdin.on("error", () => undefined);
  child.stdin.end(randomInput(random));
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  const line = `pith ${args.map((one) => JSON.stringify(one.slice(0, 100))).join(" ")}`;
  if (signal !== null) trial.found("crash", `${line} ended by ${signal}: ${said.slice(-300)}`);
  if (/internal_error|^\s+at .*:\d+:\d+\)?$|^Node\.js v/m.test(said))
    trial.found("internal error", `${line} (${code}): ${said.slice(-600)}`);
}

function randomWords(random: Random): string[] {
  return Array.from({ length: random.int(0, 4) }, () =>
    random.pick([
      () => random.pick(OPTIONS),
      () => random.pick(["src/a.py", "one", "src", ".", "1", "-1", "r000000", "../nothing", "*"]),
      () => oddText(random).slice(0, 10_000),
    ])(),
  );
}

function randomInput(random: Random): Buffer {
  return random.pick([
    () => Buffer.alloc(0),
    () => random.bytes(random.size(20_000)),
    () => Buffer.from("src/a.py(1,2): error TS2322: bad\n".repeat(random.size(3_000))),
    () => Buffer.from(`<testsuite>${"<testcase>".repeat(random.size(5_000))}`),
    () => Buffer.from("{".repeat(random.size(50_000))),
    () => Buffer.from("\u001b[31mFAIL\u001b[0m x\r".repeat(random.size(5_000))),
  ])();
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { openIndexStore } from "../../src/storage/sqlite/index-store.ts";
import { openDatabase } from "../../src/storage/sqlite/driver.ts";
import { BINARY, serverEnvironment } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { processesNaming, untilNoneNames } from "../support/processes.ts";

/** No command here ends by itself, so one that ignores Ctrl-C runs into the timeout of the test. */
const LONG_MS = 60_000;

interface Started {
  readonly child: ChildProcess;
  readonly dataFolder: string;
  /** Identifies every process that the command starts, and no other. */
  readonly mark: string;
  output(): string;
  /** Sends the signal and returns the exit code. */
  interrupt(signal?: NodeJS.Signals): Promise<number | null>;
}

interface StartOptions {
  readonly cwd?: string;
  readonly dataFolder?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly command?: readonly [string, ...string[]];
}

/** Starts the built command line and waits until it handles signals. */
async function start(args: readonly string[], options: StartOptions = {}): Promise<Started> {
  const dataFolder = options.dataFolder ?? makeFolder();
  const mark = `TEST_MARK=${dataFolder}`;
  const [program, ...before] = options.command ?? [process.execPath, BINARY];
  const child = spawn(program, [...before, ...args], {
    cwd: options.cwd ?? makeFolder(),
    env: { ...serverEnvironment({ dataFolder }), TEST_MARK: dataFolder, ...options.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
    for (const { pid } of processesNaming(mark)) process.kill(pid, "SIGKILL");
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += String(text)));
  if (options.command === undefined) await until(() => catchesInterrupt(child.pid ?? 0));
  return {
    child,
    dataFolder,
    mark,
    output: () => output,
    async interrupt(signal = "SIGINT") {
      child.kill(signal);
      const [code] = await ended;
      return typeof code === "number" ? code : null;
    },
  };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await delay(20);
}

/**
 * Linux shows which signals a process has handlers for. Node itself handles SIGINT from the start, so the test waits for the handler of
 * SIGHUP (the first bit), which is installed together with ours for SIGINT.
 */
function catchesInterrupt(pid: number): boolean {
  const mask = /^SigCgt:\s*([0-9a-f]+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "0";
  return (BigInt(`0x${mask}`) & 1n) !== 0n;
}

function manyFiles(count: number): string {
  const files = Array.from({ length: count }, (_, i) => [
    `pkg${i % 20}/m${i}.py`,
    `class Thing${i}:\n    def run_${i}(self):\n        return ${i}\n`,
  ]);
  return makeFolder(Object.fromEntries(files));
}

/** A data folder whose index is locked for writing by another process. */
async function lockedIndex(): Promise<string> {
  const dataFolder = makeFolder();
  const path = join(dataFolder, "data", "index.db");
  await (await openIndexStore(path)).close();
  const lock = await openDatabase(path);
  lock.exec("BEGIN IMMEDIATE");
  onTestFinished(() => lock.close());
  return dataFolder;
}

describe.runIf(process.platform === "linux")(
  "Ctrl-C ends a command at once with exit code 130 and leaves nothing behind",
  () => {
    it.each([
      ["parse", []],
      ["grep", ["no such text anywhere", "/"]],
      ["serve", []],
      ["serve", ["--http", "0"]],
      ["worker", ["--store", "postgres://127.0.0.1:1/none"]],
      ["doctor", []],
      ["run", ["--", "sleep", "600"]],
    ])(
      "%s %j as soon as it listens",
      async (verb, args) => {
        const pith = await start([verb, ...args]);
        expect(await pith.interrupt()).toBe(130);
        await untilNoneNames(pith.mark);
      },
      LONG_MS,
    );

    it.each(["search", "symbol", "outline", "index", "sync"])(
      "%s while it waits for another process's lock",
      async (verb) => {
        const cwd = makeFolder({ "a.py": "def one():\n    pass\n" });
        const args = verb === "index" || verb === "sync" ? [] : [verb === "outline" ? "a.py" : "one"];
        const pith = await start([verb, ...args], { cwd, dataFolder: await lockedIndex() });
        await delay(500);
        expect(await pith.interrupt()).toBe(130);
        expect(pith.output()).not.toMatch(/locked|Cancelled/);
      },
      LONG_MS,
    );

    it.each(["search", "index"])(
      "%s during a first index, which stays whole and is resumed",
      async (verb) => {
        const cwd = manyFiles(800);
        const pith = await start(verb === "search" ? ["search", "run_1"] : ["index"], { cwd });
        const database = join(pith.dataFolder, "data", "index.db");
        // Indexing is under way only after something was published.
        await until(() => existsSync(`${database}-wal`) && statSync(`${database}-wal`).size > 200_000);
        expect(await pith.interrupt()).toBe(130);
        await untilNoneNames(pith.mark);
        const db = await openDatabase(database);
        onTestFinished(() => db.close());
        expect(db.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
        const again = await start(["search", "run_799"], { cwd, dataFolder: pith.dataFolder });
        await once(again.child, "exit");
        expect(again.output()).toContain("pkg19/m799.py:2-3 def run_799(self)");
        expect(again.output()).not.toContain("partial");
      },
      LONG_MS,
    );

    it.each([
      ["a program", "sleep 600"],
      ["a program that is deaf to it", "trap '' INT TERM; while true; do sleep 1; done"],
    ])(
      "exec, and with it %s",
      async (_name, script) => {
        const pith = await start(["exec", "--", "bash", "-c", script]);
        await until(() => processesNaming(pith.mark).some(({ command }) => command.startsWith("sleep")));
        expect(await pith.interrupt()).toBe(130);
        await untilNoneNames(pith.mark);
      },
      LONG_MS,
    );

    it(
      "run, and with it the agent, unless the agent handles Ctrl-C itself",
      async () => {
        const agent = await start(["run", "--", "sleep", "600"]);
        await until(() => processesNaming(agent.mark).some(({ command }) => command.startsWith("sleep")));
        expect(await agent.interrupt()).toBe(130);
        await untilNoneNames(agent.mark);

        const script =
          "process.on('SIGINT', () => process.exit(7)); setInterval(() => {}, 1e6); console.log('up')";
        const busy = await start(["run", "--", process.execPath, "-e", script]);
        await until(() => busy.output().includes("up"));
        expect(await busy.interrupt()).toBe(7);
      },
      LONG_MS,
    );

    it(
      "logs --wait, but not the run it waits for",
      async () => {
        const pith = await start(["exec", "--", "sleep", "600"]);
        const runs = join(pith.dataFolder, "data", "runs");
        await until(() => processesNaming(pith.mark).some(({ command }) => command.startsWith("sleep")));
        const [log] = readdirSync(runs, { recursive: true, encoding: "utf8" }).flatMap(
          (name) => /\b(r\d{6})\b/.exec(name) ?? [],
        );
        const waiting = await start(["logs", log ?? "", "--wait", "600"], { dataFolder: pith.dataFolder });
        await delay(300);
        expect(await waiting.interrupt()).toBe(130);
        expect(processesNaming(pith.mark).some(({ command }) => command.startsWith("sleep"))).toBe(true);
        expect(await pith.interrupt()).toBe(130);
      },
      LONG_MS,
    );

    it(
      "on a terminal: a search, and the question of init",
      async () => {
        const quoted = (...words: string[]): string => words.map((word) => `'${word}'`).join(" ");
        const terminal = (...args: string[]): [string, ...string[]] => [
          "script",
          "-qec",
          quoted(process.execPath, BINARY, ...args),
          "/dev/null",
        ];
        const dataFolder = await lockedIndex();
        const cwd = makeFolder({ "a.py": "def one():\n    pass\n" });
        const search = await start([], { cwd, dataFolder, command: terminal("search", "one") });
        const ended = once(search.child, "exit");
        await until(() =>
          processesNaming(search.mark).some(
            ({ pid, command }) => command.startsWith(process.execPath) && catchesInterrupt(pid),
          ),
        );
        search.child.stdin?.write("\u0003");
        expect(await ended).toEqual([130, null]);

        const init = await start([], { cwd, command: terminal("init", "claude-code") });
        const answered = once(init.child, "exit");
        await until(() => init.output().includes("[y/N]"));
        init.child.stdin?.write("\u0003");
        expect(await answered).toEqual([130, null]);
        expect(readdirSync(cwd)).toEqual(["a.py"]);
      },
      LONG_MS,
    );

    it(
      "SIGTERM ends a server with exit code 0",
      async () => {
        const pith = await start(["serve"]);
        expect(await pith.interrupt("SIGTERM")).toBe(0);
      },
      LONG_MS,
    );

    it(
      "SIGTERM ends a server that is still starting",
      async () => {
        // The signal comes as soon as Pith handles signals, which is before it listens to its client.
        const early = `process.on("newListener", function kill(name) {
          if (name === "SIGHUP") process.off("newListener", kill).kill(process.pid, "SIGTERM");
        })`;
        const preload = `data:text/javascript,${encodeURIComponent(early)}`;
        const pith = await start([], { command: [process.execPath, "--import", preload, BINARY, "serve"] });
        const [code] = await once(pith.child, "exit");
        expect(code).toBe(0);
      },
      LONG_MS,
    );
  },
);

import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { findMarked, markerName } from "../../../src/exec/sweep.ts";
import { type LineEffect, lineRunner, type RecordedLine } from "../../support/shell-lines.ts";

const SHELLS = ["bash", "dash"].filter(
  (shell) => existsSync(`/usr/bin/${shell}`) || existsSync(`/bin/${shell}`),
);

/** A line and its expected exit code: `open` for the line's own, `unread` if no other is known. */
const LINES: readonly (readonly [line: string, counts: number | "open" | "unread"])[] = [
  ["tool 3", "open"],
  ["tool 0 && echo ok", "open"],
  ["cd . && tool 3", "open"],
  ["! tool 3; echo $?", "open"],
  ["tool 3 # | tail -1", "open"],
  ["tool 3 || tool 0", "open"],
  ["printf 'a\\nb' | tail -1", "open"],
  ["tool 0 | tail -1", 0],
  ["tool 3 | tail -2", 3],
  ["tool 3 2>&1 | tail -2; echo $?", 3],
  ["tool 3 | grep 2 | wc -l", 3],
  ["tool 3 | tr a-z A-Z | sort | uniq -c | cut -c1-9 | tail -1", 3],
  ["tool 3 | { grep 2 || true; }", 3],
  ["tool 3 | awk '{ print $1; exit 5 }'; echo $?", 3],
  ["tool 0 | grep nothing", 0],
  ["false | cat", 1],
  ["nosuch 2>&1 | tail -1", 127],
  ["tool 3 |\n tail -1\necho $? $LINENO", 3],
  ["tool 3 \\\n  | tail -1", 3],
  ["X=5 tool 3 | tail -1; echo [$X]", 3],
  ["X=5; tool $X | tail -1; echo $X $?", 5],
  ["tool 3 <<'EOF' | tail -1\na | b\nEOF\necho $?", 3],
  ["tool 3 | tee copy.txt | tail -1; wc -l copy.txt", 3],
  ["tool 3 > out.log 2>&1; tail -1 out.log", 3],
  ['tool 3 > "a b.log"; cat "a b.log" | wc -l', 3],
  ["tool 3 >> f.txt; tool 2 >> f.txt; cat f.txt", 3],
  ["tool 3 2> err.log >/dev/null; cat err.log; echo $?", 3],
  ["tool 3 >/dev/null 2>&1; echo $?", 3],
  ["tool 3 2>&1 >/dev/null | tail -1", 3],
  ["tool 3 || true", 3],
  ["tool 3 && echo ok || echo no", 3],
  ["tool 3; true", 3],
  ["tool 3 | tail -1; exit 4", 3],
  ["(tool 3; echo inner $?) 2>&1 | tail -2", 3],
  ["(cd / && tool 3) | tail -1; pwd", 3],
  ["{ tool 0; tool 2; } | tail -1", 2],
  ["( tool 3 | tail -1 ); echo $?", 3],
  ["cd / ; tool 2 | tail -1; pwd", 2],
  ["set -e; tool 3 | tail -1; echo next; tool 4; echo never", 3],
  ["set -eu; tool 3 || echo no; tool 0 | cat", 3],
  ["IFS=,; tool 3 | tail -1", 3],
  ["PATH=/nowhere /bin/sh -c 'echo hi; exit 3' | /usr/bin/tail -1", 3],
  ["sh -c 'tool 3 | tail -1; exit 7'", 3],
  ["timeout 5 sh -c 'tool 3 | tail -1'; echo $?", 3],
  ["eval 'tool 3 | tail -1'; echo $?", 3],
  ["tool 3 | python3 -c 'import sys; print(len(sys.stdin.read()))'", 3],
  ["tool 3 | xargs echo", 3],
  ["cat nofile | head -1", 0],
  ["cat nofile 2>/dev/null | head -1; echo $?", "open"],
  ["grep -r nothing . | head -1", 0],
  ["seq 1 200000 | head -3", 0],
  ["cat | tail -1", 0],
  ["ls /proc/self/fd | cat", 0],
  ["sh -c 'ls /proc/self/fd; exit 2' | cat; ls /proc/self/fd", 2],
  ["sh -c 'printf \"\\377\\000x\"; exit 2' | cat", 2],
  ["for i in 1 2; do tool $i | tail -1; done", "unread"],
  ["x=$(tool 3 | tail -1); echo $x", "unread"],
  ["trap 'echo bye' EXIT; tool 3 | tail -1", "unread"],
  ["tool 3 | tail -1 & wait", "unread"],
  ["tool 3 3>&1 | tail -1", "unread"],
  ["set -x; tool 3 | tail -1", "unread"],
];
const BASH_LINES: typeof LINES = [
  ["tool 3 > nowhere/x | tail -1; echo $?", 1],
  ["set -o pipefail; tool 3 | tail -1; echo $?", 3],
  ["set -euo pipefail; tool 3 | tail -1; echo never", 3],
  ['tool 3 | tail -1; echo "${PIPESTATUS[*]}"', 3],
  ['tool 3 | tail -1 | cat; echo "${PIPESTATUS[@]}" ${PIPESTATUS[0]}', 3],
  ["tool 3 |& tail -1", 3],
  ["tool 3 &> all.log || echo failed", 3],
  ["[[ -f f.txt && 1 < 2 ]] && tool 3 | cat", 3],
  ["shopt -s nullglob; tool 3 *.zz | tail -1", 3],
  ["tool 3 <(echo x) | cat", "unread"],
];

/** PITH_TEST_FULL=1 tries every line in every shell, and more random lines. */
const isFull = process.env["PITH_TEST_FULL"] === "1";
/** The number of random lines; somewhat more than half of them can be recorded. */
const RANDOM_LINES = isFull ? 80 : 40;

/** All lines are tried in bash, and every third one in other shells. */
function linesFor(shell: string): typeof LINES {
  if (shell === "bash") return [...LINES, ...BASH_LINES];
  return isFull ? LINES : LINES.filter((_, at) => at % 3 === 0);
}

/** Stages and filters also race in a plain shell, so a comparison of two runs may sometimes differ. */
const RETRIES = 4;

describe.each(SHELLS)("a line recorded in %s", (shell) => {
  it(
    "does what it would do without, and its stage's exit code counts",
    { timeout: 120_000, retry: RETRIES },
    async () => {
      const run = lineRunner(shell);
      await inTurns(linesFor(shell), async ([line, counts]) => {
        const recorded = await run.recorded(line);
        const plain = await run.plain(line);
        expect({ line, ...effectOf(recorded) }).toEqual({ line, ...plain });
        const { exitCode, unread, lineExitCode = exitCode } = recorded.end;
        expect({ line, exitCode: lineExitCode }).toEqual({ line, exitCode: plain.exitCode });
        if (typeof counts === "number") expect({ line, counts: exitCode }).toEqual({ line, counts });
        expect({ line, unread: unread !== undefined }).toEqual({ line, unread: counts === "unread" });
        expect({ line, isRecorded: recorded.isRecorded }).toEqual({
          line,
          isRecorded: typeof counts === "number",
        });
      });
    },
  );

  it(
    "does what it would do without, however it is put together",
    { timeout: 120_000, retry: RETRIES },
    async () => {
      const run = lineRunner(shell);
      const lines = Array.from({ length: RANDOM_LINES }, (_, seed) =>
        randomLine(random(seed), shell === "bash"),
      );
      let count = 0;
      await inTurns(lines, async (line) => {
        const recorded = await run.recorded(line);
        if (!recorded.isRecorded) return;
        count++;
        expect({ line, ...effectOf(recorded) }).toEqual({ line, ...(await run.plain(line)) });
      });
      expect(count).toBeGreaterThan(RANDOM_LINES * 0.375);
    },
  );

  it("records what its filters remove, but not what they show", { retry: RETRIES }, async () => {
    const run = lineRunner(shell);
    const record = async (line: string): Promise<string> => (await run.recorded(line)).record;
    expect(await record("tool 2 2>&1 | tail -1")).toBe("line 1\nline 2\nerr of 2\n");
    expect(await record("echo a; tool 2 2>&1 | wc -l; echo b; tool 1 2>&1 | wc -l; echo c")).toBe(
      "a\nline 1\nline 2\nerr of 2\nb\nline 1\nerr of 1\nc\n",
    );
    expect(await record("tool 2 > o 2>&1; tail -1 o; tool 1 >> o 2>&1; cat o | wc -l")).toBe(
      "line 1\nline 2\nerr of 2\nline 1\nerr of 1\n",
    );
    // Output for /dev/null is read when its stage has ended, which may be before or after output in the pipe.
    const silenced = await record("tool 1 >/dev/null 2>&1; tool 2 2>/dev/null | cat");
    expect(silenced.split("\n").sort()).toEqual(["", "err of 1", "err of 2", "line 1", "line 1", "line 2"]);
  });
});

describe("a stage whose filter has read enough", () => {
  it("gets SIGPIPE, which does not count as a failure", { retry: RETRIES }, async () => {
    const run = lineRunner("bash");
    const { stdout, end } = await run.recorded("yes | head -1; sh -c 'while :; do echo y; done' | head -1");
    expect(stdout).toBe("y\ny\n");
    expect(end).toMatchObject({ exitCode: 0, hidden: [{ kind: "cut", behind: "| head -1" }] });
  });

  it("has no further effect than without Pith", { retry: RETRIES }, async () => {
    const run = lineRunner("bash");
    const line = "sh -c 'echo a; sleep 0.8; echo b; touch late; echo c' | head -1";
    expect((await run.plain(line)).files).not.toHaveProperty("late");
    expect((await run.recorded(line)).files).not.toHaveProperty("late");
  });

  it("is recorded to the end of its output", { retry: RETRIES }, async () => {
    const run = lineRunner("bash");
    const { record, end, stdout } = await run.recorded(
      "sh -c 'seq 1 9; sleep 0.05; seq 10 20; exit 3' | head -2",
    );
    expect(stdout).toBe("1\n2\n");
    expect(record.trim().split("\n")).toHaveLength(20);
    expect(end).toMatchObject({ exitCode: 3, lineExitCode: 0, hidden: [{ kind: "failed" }] });
  });
});

it("is ended with all its stages, and leaves no copying process behind", { retry: RETRIES }, async () => {
  const run = lineRunner("bash");
  const abort = new AbortController();
  const ended = run.recorded("sh -c 'echo begun; sleep 60; echo never' | tail -1; sleep 60", abort.signal);
  await delay(400);
  abort.abort();
  expect((await ended).end).toMatchObject({ cause: "cancelled" });
  expect(await findMarked(markerName("line1"))).toEqual([]);
});

it("does not wait for background processes of a stage", { retry: RETRIES }, async () => {
  const run = lineRunner("bash");
  const begun = Date.now();
  const { end } = await run.recorded("sh -c 'sleep 20 >/dev/null 2>&1 & echo hi; exit 3' | cat; echo done");
  expect(end).toMatchObject({ exitCode: 3, lineExitCode: 0 });
  expect(Date.now() - begun).toBeLessThan(15_000);
});

it("limits the recorded size of a huge output", { timeout: 60_000, retry: RETRIES }, async () => {
  const run = lineRunner("bash");
  const { stdout, record } = await run.recorded(
    "node -e 'for (let i = 0; i < 2e5; i++) console.log(\"x\".repeat(99))' | tail -1",
  );
  expect(stdout).toBe(`${"x".repeat(99)}\n`);
  expect(record).toHaveLength(20_000_000);
});

/** The comparable effect of a line, without the shell's own message about a signal, which differs. */
function effectOf({ stdout, stderr, exitCode, files }: RecordedLine): LineEffect {
  return { stdout, stderr, exitCode, files };
}

async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items];
  const next = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: 4 }, next));
}

function random(start: number): <T>(items: readonly T[]) => T {
  let state = start;
  return (items) => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    const item = items[((bits ^ (bits >>> 14)) >>> 0) % items.length];
    if (item === undefined) throw new Error("nothing to choose from");
    return item;
  };
}

const REDIRECTIONS = [
  "",
  "",
  "",
  "",
  " 2>&1",
  " > o.txt",
  " >> o.txt",
  " 2>/dev/null",
  " >/dev/null 2>&1",
  " 2> e.txt",
];
const FILTERS = [
  "tail -1",
  "head -99",
  "grep 2",
  "wc -l",
  "cat",
  "sed -n 1p",
  "tee t.txt",
  "sort | uniq -c",
  "{ grep 3 || true; }",
];
const OTHERS = [
  "true",
  "echo hi",
  "echo $?",
  "cat f.txt",
  "nosuch",
  "X=1 tool 2",
  "sh -c 'tool 2 | tail -1; exit 1'",
  "eval 'tool 1'",
  "exit 3",
];

/** Creates a random line of stages, filters, redirections and groups without two stages that write the same file. */
function randomLine(pick: <T>(items: readonly T[]) => T, isBash: boolean): string {
  const times = (most: number, make: () => string): string[] =>
    Array.from({ length: pick([...Array(most + 1).keys()]) }, make);
  const stage = (depth: number): string => {
    const kind = pick(["tool", "tool", "tool", "other", "group", "subshell"]);
    if (kind === "tool" || depth > 1) return `tool ${pick([0, 1, 2, 3])}${pick(REDIRECTIONS)}`;
    if (kind === "other") return pick(OTHERS);
    return kind === "group"
      ? `{ ${list(depth + 1)}; }${pick(REDIRECTIONS)}`
      : `(${list(depth + 1)})${pick(REDIRECTIONS)}`;
  };
  const pipeline = (depth: number): string => [stage(depth), ...times(2, () => pick(FILTERS))].join(" | ");
  const list = (depth: number): string =>
    [
      pipeline(depth),
      ...times(2, () => pick(["&& ", "|| ", "; "]) + pick([pipeline(depth), "true", "echo no"])),
    ].join(" ");
  const begin = pick(["", "", "set -e; ", "cd .; ", ...(isBash ? ["set -o pipefail; "] : [])]);
  return `${begin}${list(0)}${pick(["", "; echo $?", "; true", "\necho end $?", ...(isBash ? ["; echo ${PIPESTATUS[*]}"] : [])])}`;
}

import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { RunReport } from "../../../src/model/run-report.ts";
import { planLine, planShell } from "../../../src/runs/plan/plan.ts";
import type { Reuse, RunSettings } from "../../../src/runs/plan/request.ts";
import { isWorthIt } from "../../../src/runs/reuse/last-answer.ts";
import type { RunService } from "../../../src/runs/service.ts";
import { checkVariables, makeCheckedRepository } from "../../support/checked-repository.ts";
import type { GitFolder } from "../../support/git-folder.ts";
import { makeRunService, shown } from "../../support/run-service.ts";

const CHECK = "tsc --noEmit";
let repository: GitFolder;
let service: RunService;
let home: string;

function makeService(reuse: Reuse = "checks", settings: Partial<RunSettings> = {}): RunService {
  const variables = checkVariables();
  home = variables["HOME"] ?? "";
  return makeRunService({ treeTimeoutMs: 60_000, freeCheckMs: 60_000, reuse, ...settings }, variables);
}

interface Options {
  readonly env?: Record<string, string>;
  readonly isForced?: boolean;
  readonly timeoutMs?: number;
}

function run(line = CHECK, options: Options = {}): Promise<RunReport> {
  const plan = /[|&;]/.test(line) ? planShell(line) : planLine(line);
  const { root } = repository;
  return service.exec({ workspace: root, cwd: root, plan, ...options }, { verbosity: "minimal" });
}

/** Runs a line twice and returns whether the second answer is that of the first run. */
async function isReused(line = CHECK): Promise<boolean> {
  const first = await run(line);
  expect(first.reused).toBeUndefined();
  const next = await run(line);
  expect(next.run.id === first.run.id).toBe(next.reused !== undefined);
  return next.reused !== undefined;
}

const path = (name: string): string => join(repository.root, name);

/** Puts a script in the place of the compiler. */
function replaceCompiler(script: string): void {
  rmSync(path("node_modules/.bin/tsc"));
  writeFileSync(path("node_modules/.bin/tsc"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

// The compiler is large, so that all tests share one copy of it.
beforeAll(() => {
  repository = makeCheckedRepository();
});

afterAll(() => repository.dispose());

beforeEach(() => {
  service = makeService();
});

afterEach(() => {
  for (const name of ["../tsconfig.json", "../node_modules", "node_modules/linked", "node_modules/.bin"])
    rmSync(path(name), { recursive: true, force: true });
  mkdirSync(path("node_modules/.bin"));
  symlinkSync("../typescript/bin/tsc", path("node_modules/.bin/tsc"));
  repository.git("update-index", "--no-assume-unchanged", "src/b.ts");
  repository.git("switch", "-q", "-f", "main");
  repository.git("reset", "-q", "--hard");
  repository.git("clean", "-q", "-fd");
  rmSync(path("generated/fail"), { force: true });
  repository.write("generated/c.ts", "export const c: number = 1;\n");
});

describe("a check of files that nothing has changed", () => {
  it("is answered from the last run, which the reply names", async () => {
    repository.write("src/b.ts", 'export const b = "one";\n');
    const first = await run();
    expect(shown(first)).not.toContain("same tree");
    const again = await run();
    expect(again).toMatchObject({
      run: { id: first.run.id },
      success: false,
      reused: { ageMs: expect.any(Number) },
    });
    const [note, ...answer] = shown(again).split("\n");
    expect(note).toMatch(
      new RegExp(`^same tree as run ${first.run.id} \\d+ s ago: its answer; force=true runs again$`),
    );
    expect(answer.join("\n")).toBe(shown(first));
    expect(JSON.parse(shown(again, "json"))).toMatchObject({
      success: false,
      runId: first.run.id,
      reused: { run: first.run.id, seconds_ago: expect.any(Number) },
    });
    const forced = await run(CHECK, { isForced: true });
    expect(forced.reused).toBeUndefined();
    expect(forced.run.id).not.toBe(first.run.id);
    // An edit that is undone brings the older answer back, without what was new in it then.
    repository.write("src/b.ts", "export const b = 1;\n");
    expect((await run()).passed).toBe(true);
    repository.write("src/b.ts", 'export const b = "one";\n');
    const back = await run();
    expect(back.run.id).toBe(forced.run.id);
    expect(back.delta).toBeUndefined();
  });

  it("is answered after what changes no content", async () => {
    const first = await run();
    for (const [name, change] of NO_CHANGES) {
      change();
      const next = await run();
      expect(next.run.id, name).toBe(first.run.id);
      expect(next.reused, name).toBeDefined();
    }
  });

  it.each(["cd src && tsc --noEmit -p ..", "tsc --noEmit 2>&1 | head -20", "npm run -s lint"])(
    "is answered if the line is %s",
    async (line) => {
      expect(await isReused(line)).toBe(true);
    },
  );
});

const NO_CHANGES: readonly (readonly [string, () => void])[] = [
  ["touched files", () => utimesSync(path("src/a.ts"), new Date(), new Date())],
  ["files written with the same content", () => repository.write("src/b.ts", "export const b = 1;\n")],
  ["a commit of what was there", () => repository.git("commit", "-q", "--allow-empty", "-m", "second")],
  [
    "another branch and back",
    () => {
      repository.git("switch", "-q", "-C", "other");
      repository.write("src/b.ts", 'export const b = "other";\n');
      repository.git("commit", "-q", "-a", "-m", "other");
      repository.git("switch", "-q", "main");
    },
  ],
  ["a cache of the test runner", () => repository.write("node_modules/.vite/vitest/results.json", "{}")],
];

const CHANGES: readonly (readonly [string, () => void])[] = [
  ["an edit", () => repository.write("src/b.ts", 'export const b = "x";\n')],
  ["a new file", () => repository.write("src/new.ts", "export const d: string = 1;\n")],
  ["a deleted file", () => repository.remove("src/b.ts")],
  ["an ignored file", () => repository.write("generated/c.ts", 'export const c: number = "x";\n')],
  [
    "an edit that git was told to overlook",
    () => {
      repository.git("update-index", "--assume-unchanged", "src/b.ts");
      repository.write("src/b.ts", "export const b = 3;\n");
    },
  ],
  ["an edited package", () => appendFileSync(path("node_modules/typescript/lib/tsc.js"), "\n// patched\n")],
  ["an installed package", () => repository.write("node_modules/.package-lock.json", String(Math.random()))],
  [
    "another version of the tool",
    () => {
      const program = path("node_modules/typescript/bin/tsc");
      const text = readFileSync(program);
      rmSync(program);
      writeFileSync(program, text, { mode: 0o755 });
    },
  ],
  ["settings above the repository", () => writeFileSync(path("../tsconfig.json"), "{}")],
  ["settings in the home folder", () => writeFileSync(join(home, ".npmrc"), "color=false\n")],
  [
    "another branch",
    () => {
      repository.git("switch", "-q", "-C", "other");
      repository.write("src/a.ts", "export const a = 5;\n");
      repository.git("commit", "-q", "-a", "-m", "other");
    },
  ],
  ["rules for ignored files", () => appendFileSync(path(".git/info/exclude"), "extra\n")],
];

describe("a check runs again", () => {
  it("after each change that its answer may depend on", async () => {
    const first = await run();
    let last = first;
    for (const [name, change] of CHANGES) {
      // Without the change there is no reason to run, so the change is the reason.
      expect((await run()).run.id, `before ${name}`).toBe(last.run.id);
      change();
      const next = await run();
      expect(next.reused, name).toBeUndefined();
      last = next;
    }
  });

  it("with other variables, and with variables that load code", async () => {
    replaceCompiler("exit 0");
    const first = await run(CHECK, { env: { LANG: "C" } });
    expect((await run(CHECK, { env: { LANG: "C" } })).run.id).toBe(first.run.id);
    expect((await run(CHECK, { env: { LANG: "de_DE.UTF-8" } })).reused).toBeUndefined();
    const open = { env: { NODE_PATH: "/elsewhere" } };
    await run(CHECK, open);
    expect((await run(CHECK, open)).reused).toBeUndefined();
  });

  it("after a run during which a file changed, even if it has the old content again", async () => {
    replaceCompiler(
      'cp src/b.ts kept; echo "oops" > src/b.ts; cat kept > src/b.ts; rm kept; exec node node_modules/typescript/bin/tsc "$@"',
    );
    expect((await run()).passed).toBe(true);
    expect((await run()).reused).toBeUndefined();
  });

  it("after a run that was stopped", async () => {
    replaceCompiler("sleep 30");
    const slow = { timeoutMs: 200 };
    expect((await run(CHECK, slow)).run.end?.cause).toBe("timed_out");
    const next = await run(CHECK, slow);
    expect(next.reused).toBeUndefined();
    expect(next.run.end?.cause).toBe("timed_out");
  });

  it("after a run whose exit code its output does not explain", async () => {
    replaceCompiler("echo cannot load; exit 1");
    expect(await isReused()).toBe(false);
  });

  it("every time if files elsewhere may matter", async () => {
    replaceCompiler("exit 0");
    expect(await isReused()).toBe(true);
    for (const [name, change] of ELSEWHERE) {
      change();
      expect((await run()).reused, name).toBeUndefined();
      expect((await run()).reused, name).toBeUndefined();
    }
  });

  it("every time if the settings turn it off, and outside of git", async () => {
    replaceCompiler("exit 0");
    service = makeService("off");
    expect(await isReused()).toBe(false);
    service = makeService();
    renameSync(path(".git"), path("../moved"));
    try {
      expect(await isReused()).toBe(false);
    } finally {
      renameSync(path("../moved"), path(".git"));
    }
  });

  it("if that takes much less time than looking at the files did", () => {
    const inputs = { outside: "", strict: "", caches: "", content: "" };
    const took = (ms: number, costMs: number) =>
      [{ startedAt: 0, endedAt: ms, end: { cause: "exit", inputs: { ...inputs, costMs } } }] as const;
    expect(isWorthIt([])).toBe(true);
    expect(isWorthIt(took(3_000, 900))).toBe(true);
    expect(isWorthIt(took(700, 900))).toBe(true);
    expect(isWorthIt(took(300, 900))).toBe(false);
    // A short delay does not matter.
    expect(isWorthIt(took(20, 100))).toBe(true);
    expect(isWorthIt([{ startedAt: 0, endedAt: 5, end: { cause: "exit" } }, ...took(300, 900)])).toBe(false);
  });

  it("if runs that read the same ended differently", async () => {
    replaceCompiler("exit 0");
    expect(await isReused()).toBe(true);
    // Its state is outside of the repository, where nobody looks.
    const flip = join(home, "flip");
    replaceCompiler(`test -e ${flip} || exit 0; echo "src/a.ts(1,1): error TS1: no"; exit 1`);
    expect((await run()).passed).toBe(true);
    writeFileSync(flip, "");
    expect((await run()).passed).toBe(true);
    expect((await run(CHECK, { isForced: true })).passed).toBe(false);
    expect((await run()).reused).toBeUndefined();
  });
});

const ELSEWHERE: readonly (readonly [string, () => void])[] = [
  ["a file imports from elsewhere", () => repository.write("src/d.ts", 'export * from "../../e.ts";\n')],
  [
    "the settings name files elsewhere",
    () => {
      repository.remove("src/d.ts");
      repository.write("tsconfig.json", '{ "extends": "../base.json", "include": ["src"] }\n');
    },
  ],
  [
    "a folder is linked from elsewhere",
    () => {
      repository.git("checkout", "-q", "tsconfig.json");
      symlinkSync("/usr", path("node_modules/linked"));
    },
  ],
  [
    "there are packages above the repository",
    () => {
      rmSync(path("node_modules/linked"));
      mkdirSync(path("../node_modules"));
    },
  ],
];

it("tests are answered from the last run only if the settings say so, and only if they passed", async () => {
  const runner =
    '#!/bin/sh\necho "  1 passing (5ms)"\ntest ! -e generated/fail || { echo "  1 failing"; exit 1; }\n';
  repository.write("node_modules/.bin/mocha", runner);
  chmodSync(path("node_modules/.bin/mocha"), 0o755);
  expect(await isReused("mocha")).toBe(false);
  service = makeService("tests");
  expect(await isReused("mocha")).toBe(true);
  repository.write("generated/fail", "");
  expect(await isReused("mocha")).toBe(false);
});

import { describe, expect, it } from "vitest";
import { call, textOf } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { connect } from "../support/inside.ts";

const FILES = {
  "src/a.ts": "export const alpha = 1;\nexport const beta = 2;\nalpha();\n",
  "src/b.py": "alpha = 1\n",
  "lib/c.ts": "const gamma = alpha;\n",
  "long.txt": Array.from({ length: 40 }, (_, i) => `line ${i + 1}\n`).join(""),
};

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, i) => `${from + i}| line ${from + i}\n`).join("");

/** Calls in the form of other agents' own tools. */
const READS: readonly (readonly [args: Record<string, unknown>, expected: string])[] = [
  [{ file_path: "long.txt", offset: 5, limit: 2 }, `${lines(5, 6)}[of 40 lines]`],
  [{ file_path: "long.txt", limit: 2 }, `${lines(1, 2)}[of 40 lines]`],
  [{ file_path: "long.txt", offset: 39 }, `${lines(39, 40)}[of 40 lines]`],
  [{ path: "long.txt", view_range: [3, 4] }, `${lines(3, 4)}[of 40 lines]`],
  [{ path: "long.txt", view_range: [39, -1] }, `${lines(39, 40)}[of 40 lines]`],
  [{ filePath: "long.txt", startLine: 3, endLine: 4 }, `${lines(3, 4)}[of 40 lines]`],
  [{ absolute_path: "long.txt", offset: 0, limit: 1 }, `${lines(1, 1)}[of 40 lines]`],
  [
    {
      target_file: "long.txt",
      start_line_one_indexed: 3,
      end_line_one_indexed_inclusive: 4,
      should_read_entire_file: false,
      explanation: "to see it",
    },
    `${lines(3, 4)}[of 40 lines]`,
  ],
  [{ file_path: "long.txt:1-30", offset: 5, limit: 1 }, `${lines(5, 5)}[of 40 lines]`],
];

const GREPS: readonly (readonly [args: Record<string, unknown>, expected: string])[] = [
  [{ pattern: "alpha", output_mode: "files_with_matches", path: "src" }, "src/a.ts\nsrc/b.py"],
  [{ pattern: "alpha", output_mode: "count", type: "ts" }, "lib/c.ts: 1\nsrc/a.ts: 2"],
  [{ pattern: "alpha", output_mode: "content", "-n": true, "-i": true, type: "py" }, "src/b.py:1: alpha = 1"],
  [
    { pattern: "beta", output_mode: "content", "-A": 1, glob: "*.ts" },
    "src/a.ts\n 2: export const beta = 2;\n 3- alpha();",
  ],
  [{ pattern: "alpha", "-l": true, "-w": true, include: "*.py" }, "src/b.py"],
  [{ pattern: "alpha()", "-F": true }, "src/a.ts:3: alpha();"],
  [{ query: "alpha()", isRegexp: false, includePattern: "src/**" }, "src/a.ts:3: alpha();"],
  [{ pattern: "1;\\nexport", multiline: true, "-l": true }, "src/a.ts"],
  [{ pattern: "ALPHA", case_sensitive: false, dir_path: "lib" }, "lib/c.ts:1: const gamma = alpha;"],
  [{ pattern: "alpha", paths: ["lib", "src/b.py"], "-c": true }, "lib/c.ts: 1\nsrc/b.py: 1"],
  [{ pattern: "alpha", path: '["lib","src/b.py"]', "-c": true }, "lib/c.ts: 1\nsrc/b.py: 1"],
  [{ pattern: "alpha", exclude: "*.ts" }, "src/b.py:1: alpha = 1"],
  [{ pattern: "alpha", head_limit: 0, offset: 3, description: "rest" }, "src/b.py:1: alpha = 1"],
];

describe("tools accept the arguments of other agents' tools", () => {
  it("read: offset and limit, view_range, and the names of other clients", async () => {
    const client = await connect(makeFolder(FILES), { args: ["--toolsets", "files"] });
    for (const [args, expected] of READS)
      expect([args, await call(client, "read", args)]).toEqual([args, expected]);
    expect(await call(client, "read", { file_path: "long.txt", offset: 5, start_line: 5 })).toContain(
      "give start_line and end_line, or offset and limit",
    );
  });

  it("grep: output_mode, ripgrep's flags, several paths, and the names of other clients", async () => {
    const client = await connect(makeFolder(FILES), { args: ["--toolsets", "files"] });
    for (const [args, expected] of GREPS)
      expect([args, await call(client, "grep", args)]).toEqual([args, expected]);
    const limited = await call(client, "grep", { pattern: "alpha", head_limit: 1 });
    expect(limited).toMatch(
      /^lib\/c\.ts:1: .*\n\[matches 1-1 of (?:at least )?\d; more: cursor=\S+, or narrow path or glob\]$/,
    );
  });

  it("bash: extra arguments of other shell tools, and runs in the background", async () => {
    const client = await connect(makeFolder({ ...FILES, "deep/x.txt": "" }), {
      args: ["--toolsets", "files"],
    });
    const plain = [
      { command: "ls", cwd: "deep", description: "list files" },
      { cmd: "ls", workdir: "deep", yield_time_ms: 1_000, login: true },
      { command: "ls", dir_path: "deep", explanation: "look", is_background: false },
      { command: "ls", directory: "deep", timeout: 60_000, dangerouslyDisableSandbox: true },
    ];
    for (const args of plain) expect(await call(client, "bash", args)).toMatch(/^ok exit 0 .*\nx\.txt$/);
    const started = await call(client, "bash", {
      command: "echo one; sleep 1; echo two",
      run_in_background: true,
    });
    const [, id = ""] = /^running, run (\w+)/.exec(started) ?? [];
    expect(await call(client, "bash", { command: "wait", run_id: id })).toMatch(/^ok exit 0 .*\none\ntwo$/);
    const long = await call(client, "bash", { command: "sleep 600", isBackground: true });
    const [, other = ""] = /^running, run (\w+)/.exec(long) ?? [];
    const stopped = await client.callTool({ name: "bash", arguments: { command: "stop", run_id: other } });
    expect(stopped.isError).not.toBe(true);
    expect(textOf(stopped)).toMatch(/^FAIL stopped after/);
    const wrong = await call(client, "bash", { command: "kill", run_id: other });
    expect(wrong).toContain('command is wait or stop, not \\"kill\\"');
  });

  it("and still suggest the nearest argument for an unknown one, and what is allowed for a wrong type", async () => {
    const client = await connect(makeFolder(FILES), { args: ["--toolsets", "files"] });
    expect(await call(client, "grep", { pattern: "x", "ignore-case": true })).toContain(
      "did you mean ignore_case",
    );
    expect(await call(client, "read", { file_path: "long.txt", ofset: 3 })).toContain(
      "ofset is no argument; did you mean offset",
    );
    expect(await call(client, "grep", { pattern: "x", "-A": "many" })).toContain('-A is \\"many\\"; allowed');
    expect(await call(client, "grep", { pattern: "x", output_mode: "lines" })).toContain(
      "content, files_with_matches, count",
    );
    expect(await call(client, "read", { file_path: "long.txt", view_range: [1] })).toContain(
      "a list of two whole numbers",
    );
    expect(await call(client, "bash", { command: "ls", run_in_background: "later" })).toContain(
      "true or false",
    );
  });
});

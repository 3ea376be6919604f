import { execFileSync, spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../../src/kernel/tokens.ts";
import type { LogLine } from "../../../src/model/run.ts";
import { callsOf } from "../../../src/render/run/run-calls.ts";
import { outputText } from "../../../src/render/run/run-output.ts";
import { makeFolder } from "../../support/folder.ts";
import { runIn, shown } from "../../support/run-service.ts";

function shownOf(texts: readonly string[], tokens: number): string[] {
  const first = texts.map((text, index): LogLine => ({ number: index + 1, stream: "stdout", text }));
  const limits = { calls: callsOf("r1"), tokens, lines: Number.POSITIVE_INFINITY, isWhole: true };
  const text = outputText({ total: texts.length, first, last: [] }, limits);
  return text.split("\n");
}

/** The rows of an output that is shown by its structure, which stays within its tokens with all its marks. */
function fittedRows(texts: readonly string[], tokens: number): string[] {
  const rows = shownOf(texts, tokens);
  expect(estimateTokens(rows.join("\n"))).toBeLessThanOrEqual(tokens);
  return rows;
}

/** Counts the lines that the marks of a reply leave out, and checks that with the shown lines they are all. */
function expectAllCounted(rows: readonly string[], total: number, shownLines: number): void {
  const left = rows.flatMap((row) => {
    const [, from, to = from] = /… .*: lines? (\d+)(?:-(\d+))?$/.exec(row) ?? [];
    return from === undefined ? [] : [Number(to) - Number(from) + 1];
  });
  expect(left.reduce((sum, one) => sum + one, 0) + shownLines).toBe(total);
}

const NOTE = "[to see lines A-B: build action=log runId=r1 startLine=A endLine=B]";
const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

describe("a table that does not fit", () => {
  const columns = (...cells: string[]): string =>
    cells.map((cell, i) => cell.padEnd([30, 8, 19, 11][i] ?? 0)).join("");
  const HEADER = columns("NAME", "READY", "STATUS", "RESTARTS", "AGE");
  const row = (i: number, status = "Running"): string =>
    columns(`web-${String(i).padStart(5, "0")}-5d8f7c9b6d`, "1/1", status, "0", `${i % 9}d`);

  it("keeps its header, its first rows and its last, and counts the others", () => {
    const texts = [HEADER, ...numbers(300).map((i) => row(i))];
    const rows = fittedRows(texts, 400);
    expect(rows.slice(0, 3)).toEqual(texts.slice(0, 3));
    expect(rows.slice(-2)).toEqual([texts.at(-1), NOTE]);
    expect(rows.filter((one) => one.startsWith("…"))).toEqual([
      expect.stringMatching(/^… \d+ of 300 rows left out: lines \d+-300$/),
    ]);
    expectAllCounted(rows, 301, rows.length - 2);
  });

  it("shows rows that look like failures, wherever they are", () => {
    const texts = [HEADER, ...numbers(300).map((i) => row(i, i === 150 ? "Error" : "Running"))];
    const rows = fittedRows(texts, 400);
    expect(rows).toContain(row(150, "Error"));
    expectAllCounted(rows, 301, rows.filter((one) => one.startsWith("web") || one === HEADER).length);
  });

  it("keeps the header of each of several tables", () => {
    const other = "CONTAINER ID   IMAGE          STATUS";
    const texts = [
      HEADER,
      ...numbers(100).map((i) => row(i)),
      "",
      other,
      ...numbers(100).map((i) => `${String(i).padStart(12, "a")}   nginx:latest   Up ${i} hours`),
    ];
    const rows = fittedRows(texts, 500);
    expect(rows).toContain(HEADER);
    expect(rows).toContain(other);
    expect(rows.filter((one) => one.startsWith("…"))).toHaveLength(2);
  });

  it("is recognised in the output of a real tool", async () => {
    const folder = makeFolder({
      "ps.sh": 'ps -eo pid,ppid,stat,comm; for i in $(seq 400); do echo "    $i       1 S    sleep"; done',
    });
    const text = shown(await runIn(folder, "sh ps.sh", { verbosity: "full" }), "text", 400);
    expect(text).toMatch(/^ *PID +PPID STAT COMMAND$/m);
    expect(text).toMatch(/… \d+ of \d+ rows left out: lines \d+-\d+/);
  });
});

describe("titles with items below them", () => {
  it("are all kept, with the numbers of items left out", () => {
    const files = Object.fromEntries(numbers(120).map((i) => [`name${i}.txt`, "x\n"]));
    const folder = makeFolder(files);
    const git = (...args: string[]): string =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
        cwd: folder,
        encoding: "utf8",
      });
    git("init", "-q");
    git("add", ...numbers(40).map((i) => `name${i}.txt`));
    const texts = git("-c", "advice.statusHints=true", "status").trimEnd().split("\n");
    const rows = fittedRows(texts, 300);
    for (const title of ["Changes to be committed:", "Untracked files:"]) expect(rows).toContain(title);
    expect(rows).toContainEqual(expect.stringMatching(/^… \d+ of 40 lines left out/));
    expect(rows).toContainEqual(expect.stringMatching(/^… \d+ of 80 lines left out/));
    expectAllCounted(rows, texts.length, rows.filter((one) => !/^(?:…|\[to see)/.test(one)).length);
  });

  it("are left out from the end if there are too many of them", () => {
    const texts = numbers(200).flatMap((i) => [
      `./folder${i}/with/a/long/name:`,
      ...numbers(9).map((j) => `f${j}`),
      "",
    ]);
    const rows = fittedRows(texts, 300);
    expect(rows[0]).toBe(texts[0]);
    expectAllCounted(rows, texts.length, rows.filter((one) => !/^(?:…|\[to see)/.test(one)).length);
  });
});

describe("an output that only begins like a list", () => {
  it.each([
    ["a line with a colon", ["Starting:", ...numbers(300).map((i) => `step ${i} of the work is done now`)]],
    [
      "a line in capitals",
      ["BUILD  STARTED", ...numbers(300).map((i) => `step ${i} of the work is done now`)],
    ],
    [
      "an indented part",
      ["Options:", "  a: 1", "  b: 2", ...numbers(300).map((i) => `the value ${i} of a log`)],
    ],
  ])("after %s keeps its end", (_, texts) => {
    const rows = shownOf(texts, 300);
    expect(rows.at(-1)).toBe(texts.at(-1));
    expect(rows.at(-4)).toBe(texts.at(-4));
  });
});

describe("a tree that does not fit", () => {
  const texts = [
    "app@1.0.0 /app",
    ...numbers(20).flatMap((i) => [
      `├─┬ package-${i}@1.0.${i}`,
      ...numbers(30).map((j) => `│ ${j === 29 ? "└──" : "├──"} dependency-${i}-${j}@2.0.0`),
    ]),
    "└── last@1.0.0",
  ];

  it("keeps the parents of what it shows and counts the children left out", () => {
    const rows = fittedRows(texts, 900);
    expect(rows[0]).toBe(texts[0]);
    for (const i of numbers(20)) expect(rows).toContain(`├─┬ package-${i}@1.0.${i}`);
    expect(rows).toContain("└── last@1.0.0");
    expect(rows.filter((one) => /^ {6}… 30 children: lines \d+-\d+$/.test(one)).length).toBeGreaterThan(10);
    expectAllCounted(rows, texts.length, rows.filter((one) => !/…|^\[to see/.test(one)).length);
  });

  it("shows the first children of a node with too many", () => {
    const rows = fittedRows(texts, 200);
    expect(rows[1]).toBe(texts[1]);
    expect(rows).toContainEqual(
      expect.stringMatching(/^ *… \d+ more children with \d+ below: lines \d+-622$/),
    );
  });

  it("is recognised in the output of a real tool", () => {
    // npm exits with an error if versions do not fit together, and prints the tree nevertheless.
    const { stdout: printed } = spawnSync("npm", ["ls", "--all"], {
      encoding: "utf8",
      shell: process.platform === "win32",
    });
    const lines = printed.trimEnd().split("\n");
    const rows = fittedRows(lines, 500);
    expect(rows[0]).toBe(lines[0]);
    expectAllCounted(rows, lines.length, rows.filter((one) => !/…|^\[to see/.test(one)).length);
  });
});

describe("a list of variables that does not fit", () => {
  it("keeps all names and cuts the longest values", () => {
    const texts = numbers(30).map((i) => `NAME_${i}=${i === 7 ? "x y ".repeat(900) : `value ${i}`}`);
    expect(fittedRows(texts, 500)).toEqual([
      ...texts.map((text) =>
        text.length > 100 ? expect.stringMatching(/^NAME_7=x y .*… \(\+\d+ characters\)$/) : text,
      ),
      NOTE,
    ]);
  });

  it("keeps short values and the names of long ones, or the names alone", () => {
    const long = numbers(60).map((i) => `LONG_${i}=${"x y ".repeat(300)}`);
    const texts = [...numbers(40).map((i) => `SHORT_${i}=${i}`), ...long];
    const rows = fittedRows(texts, 800);
    expect(rows.slice(0, 40)).toEqual(texts.slice(0, 40));
    expect(rows[40]).toMatch(/^LONG_0, LONG_1, .*, LONG_59 … values left out: lines 41-100$/);
    expect(fittedRows(texts, 520)[0]).toMatch(/^SHORT_0, .*LONG_59 … values left out: lines 1-100$/);
  });

  it("is recognised in the output of a real tool", async () => {
    const script = `i=0; while [ $i -lt 40 ]; do export "PADDED_$i=$(printf '%600s' $i | tr ' ' -)"; i=$((i+1)); done; env | grep ^PADDED_`;
    const folder = makeFolder({ "env.sh": script });
    const text = shown(await runIn(folder, "sh env.sh", { verbosity: "full" }), "text", 600);
    for (const i of numbers(40)) expect(text).toContain(`PADDED_${i}`);
  });
});

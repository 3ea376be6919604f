import { describe, expect, it } from "vitest";
import { PrefixUnwrapper } from "../../../src/diagnostics/clean/prefixes.ts";
import { createEngine, parseText } from "../../../src/diagnostics/engine/engine.ts";
import { buildTools } from "../../../src/diagnostics/registry/build-tools.ts";
import { fixturesOf, readFixture } from "../fixtures.ts";

const TWO = [
  "src/a.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.",
  "  Types of property 'id' are incompatible.",
  "src/b.ts(2,3): error TS2304: Cannot find name 'x'.",
];

/** Wraps the two errors and expects the same findings as without the wrapper. */
function checkWrapped(wrap: (line: string) => string, introduction: readonly string[] = []): void {
  const plain = parseText(TWO.join("\n"));
  const wrapped = parseText([...introduction, ...TWO.map(wrap)].join("\n"));
  expect(plain.diagnostics).toHaveLength(2);
  expect(wrapped.diagnostics).toEqual(plain.diagnostics);
}

describe("prefixes that are removed", () => {
  const cases: Record<string, (line: string) => string> = {
    "GitHub timestamps": (line) => `2024-01-02T03:04:05.1234567Z ${line}`,
    "GitHub timestamps and error marks": (line) => `2024-01-02T03:04:05.1234567Z ##[error]${line}`,
    "gh run view --log": (line) => `build (20.x)\tRun npm run build\t2024-01-02T03:04:05.1234567Z ${line}`,
    "Azure with an offset": (line) => `2024-01-02T03:04:05.1234567+02:00 ${line}`,
    "GitLab timestamps": (line) => `2024-01-02T03:04:05.123456Z 01O ${line}`,
    "Jenkins clock": (line) => `[12:00:01] ${line}`,
    "Jenkins full time": (line) => `[2024-01-02T03:04:05.123Z] ${line}`,
    "TeamCity steps": (line) => `[12:00:01]W:\t [Step 1/3] ${line}`,
    buildkit: (line) => `#12 3.456 ${line}`,
    "docker compose 2": (line) => `web-1  | ${line}`,
    "docker compose 1": (line) => `my_app_web_1   | ${line}`,
    "yarn workspaces": (line) => `[@scope/web]: ${line}`,
    "yarn berry workspaces": (line) => `➤ YN0000: [@scope/web]: ${line}`,
    concurrently: (line) => `[0] ${line}`,
    "several at once": (line) => `2024-01-02T03:04:05.1234567Z #7 12.5 ${line}`,
  };
  for (const [name, wrap] of Object.entries(cases)) it(name, () => checkWrapped(wrap));

  it("of turbo, once a line shows the prefix", () => {
    checkWrapped((line) => `web:build: ${line}`, ["web:build: cache miss, executing 0123456789abcdef"]);
    checkWrapped(
      (line) => `@acme/web:type-check: ${line}`,
      ["@acme/web:type-check: cache hit, replaying logs 0123456789abcdef"],
    );
  });

  it("of lerna, once npm's banner shows the prefix", () =>
    checkWrapped((line) => `@acme/web: ${line}`, ["@acme/web: > @acme/web@1.0.0 build /repo/packages/web"]));

  it("of pnpm -r, as a prefix and as a vertical bar", () => {
    checkWrapped((line) => `packages/web build: ${line}`, ["packages/web build$ tsc -b"]);
    checkWrapped((line) => `│ ${line}`, ["packages/web build$ tsc -b"]);
  });

  it("of a time with which nearly all lines start", () => {
    const noise = Array.from({ length: 6 }, (_, i) => `12:00:0${i} building part ${i}`);
    checkWrapped((line) => `12:00:09 ${line}`, noise);
  });

  it("do not mix up interleaved packages", () => {
    const lines = [
      "web:build: cache miss, executing 0123456789abcdef",
      "api:build: cache miss, executing 0123456789abcdef",
      `web:build: ${TWO[0]}`,
      `api:build: ${TWO[2]}`,
      `web:build: ${TWO[1]}`,
    ];
    const { diagnostics } = parseText(lines.join("\n"));
    expect(diagnostics.map((one) => one.message)).toContain(
      "Type 'string' is not assignable to type 'number'.\n  Types of property 'id' are incompatible.",
    );
    expect(diagnostics).toHaveLength(2);
  });

  it("of docker, whose repetition of a failed step is dropped", () => {
    const lines = [
      `#9 1.5 ${TWO[0]}`,
      "------",
      " > [build 4/5] RUN npm run build:",
      `1.5 ${TWO[2]}`,
      "------",
    ];
    expect(parseText(lines.join("\n")).diagnostics).toHaveLength(1);
    expect(parseText(lines.slice(1).join("\n")).diagnostics).toHaveLength(1);
  });
});

describe("every fixture", () => {
  const isFull = process.env["PITH_TEST_FULL"] === "1";
  const wraps: Record<string, (line: string, index: number) => string> = {
    "in a CI log with CRLF": (line) =>
      `build (20.x)\tRun\t2024-01-02T03:04:05.1234567Z ${line.replace(/\r$/, "")}\r`,
    "in docker compose, under turbo": (line, index) =>
      `web-1  | ${index === 0 ? "web:test: cache miss, executing 0123456789abcdef\nweb-1  | " : ""}web:test: ${line}`,
  };
  it(`gives the same findings ${Object.keys(wraps).join(", or ")}`, () => {
    for (const tool of buildTools)
      for (const [at, fixture] of fixturesOf(tool.id).entries()) {
        const { raw } = fixture;
        if (raw[0] === 0xff) continue;
        const lines = raw.toString("utf8").replace(/\n$/, "").split("\n");
        const { diagnostics, tests } = readFixture(fixture);
        for (const [turn, [name, wrap]] of Object.entries(wraps).entries()) {
          // The fixtures of a tool meet the wrappers in turn.
          if (!isFull && at % 2 !== turn) continue;
          const wrapped = parseText(`${lines.map(wrap).join("\n")}\n`);
          const found = { diagnostics: wrapped.diagnostics, tests: wrapped.tests };
          expect(found, `${tool.id} ${fixture.name} ${name}`).toEqual({ diagnostics, tests });
        }
      }
  });
});

describe("text that only looks like a prefix", () => {
  const kept = [
    "12 | const x = 1;",
    "> 12 | const x = 1;",
    "error: expected one of `|` or `,`",
    "src/a.c:12:5: error: expected ';'",
    "make: *** [Makefile:3: all] Error 1",
    "[ERROR] /src/Main.java:[3,5] cannot find symbol",
    "[INFO] BUILD FAILURE",
    "# tests 12",
    "#include <stdio.h>",
    "ok 3 - name",
    "12:00:01 PM - File change detected.",
    "| File | % Stmts |",
    "    [tsl] ERROR in src/a.ts",
    "2024 was a good year",
  ];
  for (const line of kept)
    it(line, () => {
      const unwrapper = new PrefixUnwrapper();
      unwrapper.observe([`${line}\n`]);
      expect(unwrapper.unwrap(line)).toEqual({ rest: line, channel: "" });
    });
});

describe("decoding", () => {
  const text = TWO.join("\r\n");
  it("handles CRLF, a byte order mark and colors", () => {
    const plain = parseText(TWO.join("\n")).diagnostics;
    expect(parseText(`\uFEFF${text}`).diagnostics).toEqual(plain);
    expect(parseText(Buffer.from(`\uFEFF${text}`, "utf16le")).diagnostics).toEqual(plain);
    expect(parseText(TWO.map((line) => `\u001B[31m${line}\u001B[0m`).join("\n")).diagnostics).toEqual(plain);
    expect(
      parseText(TWO.map((line) => `\u001B]8;;file:///x\u001B\\${line}\u001B]8;;\u0007`).join("\n"))
        .diagnostics,
    ).toEqual(plain);
    expect(parseText(TWO.join("\r")).diagnostics).toEqual(plain);
  });

  it("reads the text that overwrote a progress bar", () => {
    const line = `[1/9] building\r[2/9] building\r\u001B[K${TWO[2]}`;
    expect(parseText(`${line}\n`).diagnostics).toHaveLength(1);
  });

  it("does not depend on how the input is split into chunks", () => {
    const bytes = Buffer.from(`ü${text}\nΩ ${TWO[2]}\n`);
    const whole = parseText(bytes);
    for (const size of [1, 2, 3, 7, 64]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      );
      expect(parsePieces(pieces)).toEqual(whole);
    }
  });
});

function parsePieces(pieces: readonly Uint8Array[]): unknown {
  const engine = createEngine();
  for (const piece of pieces) engine.write(piece);
  return engine.end();
}

import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { parseText } from "../../../src/diagnostics/engine/engine.ts";
import type { EngineResult } from "../../../src/diagnostics/engine/engine.ts";
import { buildTools } from "../../../src/diagnostics/registry/build-tools.ts";
import { fixturesOf } from "../fixtures.ts";

type Wrap = (line: string, index: number) => string;

const two = (number: number): string => String(number).padStart(2, "0");
const clock = (index: number): string =>
  `${two(10 + (Math.floor(index / 3_600) % 10))}:${two(Math.floor(index / 60) % 60)}:${two(index % 60)}`;
const iso = (index: number): string => `2026-11-16T${clock(index)}`;
const record = (line: string): string =>
  [
    String.raw`.\prog.exe : ${line}`,
    "At line:1 char:1",
    String.raw`+ .\prog.exe 2>&1`,
    "+ ~~~~~~~~~~~~~~~",
    "    + CategoryInfo          : NotSpecified: (:String) [], RemoteException",
    "    + FullyQualifiedErrorId : NativeCommandError",
    " ",
  ].join("\r\n");

/** PITH_TEST_FULL=1 puts each prefix before twice as many fixtures. */
const SPARE = process.env["PITH_TEST_FULL"] === "1" ? 1 : 2;

/** Each of these is put before a quarter of the fixtures. */
const FREQUENT: Record<string, Wrap> = {
  syslog: (line, i) => `Nov 16 ${clock(i)} build-7 runner[4121]: ${line}`,
  "a clock": (line, i) => `${clock(i)} ${line}`,
  "a quote of Markdown": (line) => `> ${line}`,
  "four blanks": (line) => `    ${line}`,
};

/** Each of these is put before a twentieth of the fixtures, which differ from prefix to prefix. */
const OTHERS: Record<string, Wrap> = {
  "journald, ISO": (line, i) => `${iso(i)}+0000 build-7 runner[4121]: ${line}`,
  "journald, precise": (line, i) => `Nov 16 ${clock(i)}.123456 build-7 npm[99]: ${line}`,
  "syslog of RFC 5424": (line, i) => `<14>1 ${iso(i)}.003Z build-7 runner 4121 - - ${line}`,
  "a clock in brackets": (line, i) => `[${clock(i)}] ${line}`,
  "a clock with milliseconds": (line, i) => `${clock(i)}.${100 + (i % 900)} ${line}`,
  "a date and a clock": (line, i) => `2026-11-16 ${clock(i)},${100 + (i % 900)} ${line}`,
  "a time without a zone": (line, i) => `${iso(i)} ${line}`,
  Netlify: (line, i) => `${clock(i)} PM: ${line}`,
  "a bar": (line) => `| ${line}`,
  "a tight quote": (line) => `>${line}`,
  "one blank": (line) => ` ${line}`,
  "two blanks": (line) => `  ${line}`,
  "eight blanks": (line) => `        ${line}`,
  "a tab": (line) => `\t${line}`,
  "kubectl logs --prefix": (line) => `[pod/web-5d4f7c9b-abcde/app] ${line}`,
  stern: (line) => `web-5d4f7c9b-abcde app ${line}`,
  "docker compose": (line) => `web-1  | ${line}`,
  "docker compose without a number": (line) => `web  | ${line}`,
  "docker logs -t": (line, i) => `${iso(i)}.123456789Z ${line}`,
  foreman: (line, i) => `${clock(i)} web.1  | ${line}`,
  pm2: (line) => `0|web  | ${line}`,
  concurrently: (line) => `[web] ${line}`,
  "GitHub Actions": (line, i) => `${iso(i)}.1234567Z ${line}`,
  "gh run view --log": (line, i) => `test (20)\tRun npm test\t${iso(i)}.1234567Z ${line}`,
  "GitLab CI": (line, i) => `${iso(i)}.123456Z 01O ${line}`,
  Jenkins: (line, i) => `[${iso(i)}.123Z] ${line}`,
  "Jenkins with a plain clock": (line, i) => `${clock(i)}  ${line}`,
  "a parallel branch of Jenkins": (line) => `[linux] ${line}`,
  TeamCity: (line, i) => `[${clock(i)}]W:\t [Step 1/3] ${line}`,
  Buildkite: (line, i) => `\u001B_bk;t=17317584${10_000 + i}\u0007${line}`,
  Drone: (line, i) => `[test:${i}] ${line}`,
  "Cloud Build": (line) => `Step #0 - "test": ${line}`,
  "Heroku's build": (line) => `remote:        ${line}`,
  "Heroku's log": (line, i) => `${iso(i)}.000000+00:00 app[web.1]: ${line}`,
  act: (line) => `[CI/test]   | ${line}`,
  buildkit: (line, i) => `#12 ${i}.456 ${line}`,
  vagrant: (line) => `    default: ${line}`,
  terraform: (line) => `null_resource.build (local-exec): ${line}`,
  log4j: (line, i) => `2026-11-16 ${clock(i)} INFO  Runner - ${line}`,
  "cat -n": (line, i) => `${String(i + 1).padStart(6)}\t${line}`,
  "a container's name behind a CI system's time": (line, i) => `${iso(i)}.1234567Z web-1  | ${line}`,
  "a record of PowerShell": (line, i) => (i === 0 ? record(line) : `${line}\r`),
};

interface Log {
  readonly lines: readonly string[];
  readonly findings: readonly string[];
  /** A number that depends only on the fixture's name, so that new fixtures do not change which prefixes the others get. */
  readonly lot: number;
}

/** Returns the findings with their locations as text. */
function findingsOf({ diagnostics, tests }: EngineResult): string[] {
  return [
    ...diagnostics.map((one) => [one.severity, one.file, one.line, one.code, one.message].join("|")),
    ...tests.flatMap((test) => [
      [test.runner, test.passed, test.failed, test.skipped].join("|"),
      ...test.failures.map(({ name, file, line }) => [name, file, line].join("|")),
    ]),
  ];
}

/** The prefix is learned from the first lines of a log, so the rest of a long fixture would only cost time. */
const MAX_LINES_PER_LOG = 120;

const logs: readonly Log[] = buildTools
  .flatMap((tool) => fixturesOf(tool.id))
  .filter(({ raw }) => raw[0] !== 0xff)
  .map(({ raw, tool, name }) => {
    const lot = createHash("sha1").update(`${tool}/${name}`).digest().readUInt16BE();
    const lines = raw
      .toString("utf8")
      .replace(/\n$/, "")
      .split("\n", MAX_LINES_PER_LOG)
      .map((line) => line.replace(/\r$/, ""));
    return { lines, lot, findings: findingsOf(parseText(`${lines.join("\n")}\n`)) };
  })
  .filter(({ findings }) => findings.length > 0);

/** Returns the share of a log's findings that are also found with the prefix, as the mean of the logs: one long log must not decide. */
function keptShare(some: readonly Log[], wrap: Wrap): number {
  const shares = some.map(({ lines, findings }) => {
    const left = findingsOf(parseText(`${lines.map((line, i) => wrap(line, i)).join("\n")}\n`));
    const kept = findings.filter((finding) => {
      const at = left.indexOf(finding);
      if (at >= 0) left.splice(at, 1);
      return at >= 0;
    });
    return kept.length / findings.length;
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

describe("a prefix before every line of a log", () => {
  for (const [index, [name, wrap]] of Object.entries(FREQUENT).entries())
    it(`keeps the findings of the fixtures: ${name}`, () => {
      const some = logs.filter(({ lot }) => lot % (2 * SPARE) === index % (2 * SPARE));
      expect(keptShare(some, wrap)).toBeGreaterThanOrEqual(0.98);
    });

  for (const [index, [name, wrap]] of Object.entries(OTHERS).entries())
    it(`keeps the findings of some of the fixtures: ${name}`, () => {
      const some = logs.filter(({ lot }) => lot % (10 * SPARE) === index % (10 * SPARE));
      expect(keptShare(some, wrap)).toBeGreaterThanOrEqual(0.95);
    });
});

describe("a common beginning of all lines of a tool", () => {
  const own: Record<string, string[]> = {
    "npm's mark": [
      "npm error code 128",
      "npm error An unknown git error occurred",
      "npm error fatal: not a repository",
    ],
    "Maven's mark": ["[ERROR] COMPILATION ERROR :", "[ERROR] /src/Main.java:[3,5] cannot find symbol"],
  };
  for (const [name, lines] of Object.entries(own))
    it(`${name} is not mistaken for a prefix`, () => {
      const text = `${lines.join("\n")}\n`;
      expect(findingsOf(parseText(text))).toEqual(findingsOf(parseText(text, { learnsPrefixes: false })));
    });
});

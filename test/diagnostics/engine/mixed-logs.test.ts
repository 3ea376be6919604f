import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type EngineResult, parseText } from "../../../src/diagnostics/engine/engine.ts";
import { buildTools } from "../../../src/diagnostics/registry/build-tools.ts";
import { type Fixture, fixturesOf } from "../fixtures.ts";

/**
 * Score of logs of two tools, one directly after the other: what each alone reports must be found in the log of both, and nothing else. The file
 * lists what does not work yet; `PITH_WRITE_SNAPSHOTS=all` rewrites it.
 */
const SCORE = join(import.meta.dirname, "mixed-logs.json");

/** Each of these tools comes before or after every other tool. */
const EVERYDAY = [
  ["npm", "pnpm", "yarn", "tsc", "eslint", "vitest", "jest", "node-test", "pytest"],
  ["cargo", "cargo-test", "go", "go-test", "gcc", "make"],
].flat();

/** Ways to wrap a log: not at all, by a task runner that prefixes each package, with the timestamps of a CI system, by containers. */
const WRAPPERS: Readonly<Record<string, (first: string, second: string) => string>> = {
  plain: (first, second) => first + second,
  turbo: (first, second) =>
    `api:build: cache miss, executing 01\nweb:test: cache miss, executing 02\n${prefixed(first, "api:build: ")}${prefixed(second, "web:test: ")}`,
  interleaved: (first, second) =>
    `api:build: cache miss, executing 01\nweb:test: cache miss, executing 02\n${interleaved(
      prefixed(first, "api:build: "),
      prefixed(second, "web:test: "),
    )}`,
  actions: (first, second) =>
    prefixed(`##[group]Run a\n##[endgroup]\n${first}##[group]Run b\n##[endgroup]\n${second}`, CLOCK),
  compose: (first, second) => prefixed(first, "api-1  | ") + prefixed(second, "web-1  | "),
  buildkit: (first, second) =>
    `#11 [api 4/5] RUN make api\n${prefixed(first, "#11 1.234 ")}#11 DONE 2.1s\n\n#12 [web 4/5] RUN make web\n${prefixed(second, "#12 4.305 ")}#12 ERROR: process "/bin/sh -c make web" did not complete successfully: exit code: 2\n`,
  azure: (first, second) =>
    prefixed(
      `##[section]Starting: a\n##[command]make a\n${first}##[section]Finishing: a\n##[section]Starting: b\n${second}`,
      CLOCK,
    ),
  gitlab: (first, second) =>
    `section_start:1700000000:api[collapsed=true]\r\u001B[0K\u001B[36;1m$ make api\u001B[0;m\n${first}section_end:1700000009:api\r\u001B[0K\nsection_start:1700000010:web\r\u001B[0K$ make web\n${second}section_end:1700000019:web\r\u001B[0K\n`,
  jenkins: (first, second) =>
    prefixed(
      `[Pipeline] { (api)\n[Pipeline] sh\n+ make api\n${first}[Pipeline] sh\n+ make web\n${second}[Pipeline] }\n`,
      "07:08:09  ",
    ),
  buildkite: (first, second) =>
    `~~~ Running api\n\u001B[90m$\u001B[0m make api\n${prefixed(first, "\u001B_bk;t=1700000000000\u0007")}--- Running web\n${prefixed(second, "\u001B_bk;t=1700000001000\u0007")}^^^ +++\n`,
  concurrently: (first, second) =>
    interleaved(prefixed(`> shop@1.0.0 a\n${first}`, "[0] "), prefixed(`> shop@1.0.0 b\n${second}`, "[1] ")),
  "pnpm -r": (first, second) =>
    `packages/api build$ make\npackages/web test$ make\n${interleaved(
      prefixed(first, "packages/api build: "),
      prefixed(second, "packages/web test: "),
    )}packages/api build: Failed\n`,
  yarn: (first, second) =>
    interleaved(prefixed(first, "[@shop/api]: "), prefixed(second, "[@shop/web]: ")) +
    "The command failed for workspaces that are depended upon by other workspaces; can't satisfy the dependency graph\n",
  lerna: (first, second) =>
    `lerna notice cli v8.1.2\n@shop/api: > @shop/api@1.0.0 build\n@shop/api: > make\n@shop/web: > @shop/web@1.0.0 build\n@shop/web: > make\n${interleaved(
      prefixed(first, "@shop/api: "),
      prefixed(second, "@shop/web: "),
    )}`,
  nx: (first, second) =>
    `\n> nx run @shop/api:build\n\n> @shop/api@1.0.0 build\n> make\n\n${first}\n> nx run @shop/web:build\n\n> @shop/web@1.0.0 build\n> make\n\n${second}\n\n`,
  "npm -ws": (first, second) =>
    `\n> @shop/api@1.0.0 build\n> make\n\n${first}npm error Lifecycle script \`build\` failed with error:\nnpm error code 2\nnpm error path /shop/packages/api\nnpm error workspace @shop/api@1.0.0\nnpm error location /shop/packages/api\nnpm error command failed\nnpm error command sh -c make\n\n> @shop/web@1.0.0 build\n> make\n\n${second}`,
  "make -j": (first, second) =>
    `make[1]: Entering directory '/shop/api'\n${first}make[1]: Leaving directory '/shop/api'\nmake[1]: Entering directory '/shop/web'\n${second}make[1]: Leaving directory '/shop/web'\n`,
  "ninja -v": (first, second) =>
    `[1/9] cd /shop && /usr/bin/make api\n${first}[2/9] cd /shop && /usr/bin/make web\n${second}`,
  script: (first, second) =>
    `Script started on 2024-05-06 07:08:09+00:00 [TERM="xterm" TTY="/dev/pts/1" COLUMNS="80" LINES="24"]\n${(first + second).replaceAll("\n", "\r\n")}\r\nScript done on 2024-05-06 07:08:10+00:00 [COMMAND_EXIT_CODE="1"]\n`,
};
const CLOCK = "2024-05-06T07:08:09.1234567Z ";

/** Timeout; thousands of logs are parsed in one test case, and a busy machine gives it only a small share of its time. */
const LONG = 300_000;

const write = process.env["PITH_WRITE_SNAPSHOTS"] === "all";
const isFull = write || process.env["PITH_TEST_FULL"] === "1";

interface Found {
  pairs: number;
  items: number;
  wrong: Record<string, string>;
}

type Score = Readonly<Record<string, Found>> & { readonly samples?: readonly string[] };

function readScore(): Score {
  return JSON.parse(readFileSync(SCORE, "utf8"));
}

interface Sample {
  readonly tool: string;
  readonly name: string;
  readonly text: string;
  readonly items: ReadonlySet<string>;
}

it.each(Object.keys(WRAPPERS))(
  "finds exactly the diagnostics of both tools in a joined log: %s",
  (way) => {
    const wrap = WRAPPERS[way] ?? ((first, second) => first + second);
    const found: Found = { pairs: 0, items: 0, wrong: {} };
    // The wrapper itself reports that a package or a step failed.
    const wrapper = itemsOf(parseText(wrap("\n", "\n")));
    for (const [first, second] of pairsOf(way)) {
      const got = itemsOf(parseText(wrap(first.text, second.text)));
      const wanted = new Set([...first.items, ...second.items, ...wrapper]);
      const lost = [...wanted].filter((item) => !got.has(item) && !wrapper.has(item)).length;
      const invented = [...got].filter((item) => !wanted.has(item)).length;
      found.pairs++;
      found.items += wanted.size;
      if (lost + invented > 0)
        found.wrong[`${first.name} + ${second.name}`] = `${lost} lost, ${invented} invented`;
    }
    if (write) {
      const names = samples().map(({ name }) => name);
      writeFileSync(SCORE, `${JSON.stringify({ ...readScore(), samples: names, [way]: found }, null, 2)}\n`);
      return;
    }
    const allowed = Object.keys(readScore()[way]?.wrong ?? {});
    for (const [pair, what] of Object.entries(found.wrong)) expect(allowed, what).toContain(pair);
  },
  LONG,
);

/**
 * Yields the pairs to test: in a plain log all tools with the everyday ones, half of them in either order, in each wrapped log another
 * quarter of the everyday ones among themselves. PITH_TEST_FULL=1 tests both orders.
 */
function* pairsOf(way: string): Generator<readonly [Sample, Sample]> {
  const all = samples();
  let number = Object.keys(WRAPPERS).indexOf(way);
  const isEveryday = ({ tool }: Sample): boolean => EVERYDAY.includes(tool);
  for (const [at, first] of all.entries())
    for (const [to, second] of all.entries()) {
      if (first.tool === second.tool) continue;
      const count = Number(isEveryday(first)) + Number(isEveryday(second));
      const isInTurn = isFull || at < to === ((at + to) % 2 === 0);
      if (way === "plain" ? count > 0 && isInTurn : count === 2 && ++number % 4 === 0) yield [first, second];
    }
}

let known: readonly Sample[] | undefined;

/** Picks, for each tool, the fixture with the most findings within a size limit, or the one recorded in the score unless that is being rewritten. */
function samples(): readonly Sample[] {
  const chosen = write ? undefined : readScore().samples;
  known ??= buildTools.flatMap(({ id }) => {
    const [best] = fixturesOf(id)
      .filter(({ name }) => chosen === undefined || chosen.includes(`${id}/${name}`))
      .filter(({ raw }) => raw[0] !== 0xff && raw.length < 12_000)
      .map((fixture) => ({ fixture, size: sizeOf(fixture) }))
      .filter(({ size }) => size > 0 && size < 60)
      .sort((a, b) => b.size - a.size);
    if (best === undefined) return [];
    const { name, raw } = best.fixture;
    const text = `${raw.toString("utf8").trimEnd()}\n`;
    return [{ tool: id, name: `${id}/${name}`, text, items: itemsOf(parseText(text)) }];
  });
  return known;
}

/** Counts the findings of a fixture that come from its own tool. */
function sizeOf({ tool, case: { snapshot } }: Fixture): number {
  const own = snapshot?.diagnostics.filter((one) => one.tool === tool) ?? [];
  const runs = snapshot?.tests.filter((one) => one.runner === tool) ?? [];
  return runs.reduce((size, { failures }) => size + failures.length, own.length);
}

/** Returns the findings as text. Those of the fallback matcher and of annotations count only if no tool reports anything. */
function itemsOf({ diagnostics, tests }: EngineResult): Set<string> {
  const items = new Set<string>();
  for (const { tool, severity, file, line, column, code, message } of diagnostics)
    if (tool !== "general") items.add([tool, severity, file, line, column, code, message].join("|"));
  for (const { runner, failures } of tests)
    if (runner !== "github-annotations")
      for (const { kind, name, file, line, message } of failures)
        items.add([runner, kind, name, file, line, message].join("|"));
  return items;
}

function prefixed(text: string, prefix: string): string {
  return text.replaceAll(/^/gm, prefix).slice(0, -prefix.length);
}

/** Alternates three lines of the one log with three of the other. */
function interleaved(first: string, second: string): string {
  const [one, two] = [first, second].map((text) => text.match(/(?:.*\n){1,3}/g) ?? []);
  const mixed: string[] = [];
  for (let at = 0; at < Math.max(one?.length ?? 0, two?.length ?? 0); at++)
    mixed.push(one?.[at] ?? "", two?.[at] ?? "");
  return mixed.join("");
}

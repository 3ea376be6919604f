/** Compares what an agent reads of a failing build or test: with Pith, as raw output, in the runner's own agent mode, and with peers. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { NOT_INSTALLED, peerProgram, peerTitle, pithServer, textOf, withServer } from "./report/peers.ts";
import type { PeerName } from "./report/peers.ts";
import { report, sampleOf } from "./report/section.ts";
import type { Figure } from "./report/section.ts";

/** The folder is inside the checkout, so that the programs of node_modules are found. */
const folder = join(process.cwd(), ".cache/bench-output");
const bin = (name: string): string => join(process.cwd(), "node_modules/.bin", name);

/** The numbers of the tests that fail. */
const FAILING = new Set([2, 7, 11, 13, 19, 23, 28, 31, 37]);

/** A test file that cannot be loaded. */
const BROKEN = "./late.test.js";

interface Case {
  readonly name: string;
  readonly cwd: string;
  readonly command: readonly string[];
  /** The runner's own mode for agents. */
  readonly own?: { readonly name: string; readonly command: readonly string[] };
  readonly peers: readonly PeerName[];
  /** The texts that an answer must contain for each diagnostic. */
  readonly needed: (raw: string) => readonly (readonly string[])[];
  readonly allowed?: number;
}

rmSync(folder, { recursive: true, force: true });
try {
  const cases = [typeErrors(), failingTests(), brokenSuite(), passingTests()];
  const figures: Figure[] = [];
  for (const one of cases) figures.push(...(await compare(one)));
  report({
    title: "What an agent reads of a build",
    about:
      "Tokens (o200k) of one answer, and how many of the diagnostics are in it with their file or test, line and code or message. Raw is what a shell shows, without colour. The runs are real: TypeScript with three stricter flags over zod's sources, and Vitest over 40 tests of which nine, or none, fail.",
    figures,
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function typeErrors(): Case {
  const cwd = join(folder, "types");
  cpSync("node_modules/zod/src", join(cwd, "src"), {
    recursive: true,
    filter: (path) => !/[/\\](?:tests|benchmarks)$/.test(path),
  });
  const compilerOptions = {
    noEmit: true,
    strict: true,
    target: "es2022",
    module: "nodenext",
    skipLibCheck: true,
    types: [],
    allowImportingTsExtensions: true,
    // Options that the project itself does not set, to provoke errors.
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
  };
  writeFileSync(join(cwd, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["src"] }));
  return {
    name: "tsc",
    cwd,
    command: [bin("tsc"), "-p", ".", "--pretty", "false"],
    peers: ["tokenjuice", "context-mode", "mcp-server-commands"],
    needed: (raw) =>
      [...raw.matchAll(/^(.+?)\((\d+),\d+\): error (TS\d+)/gm)].map(([, file = "", line = "", code = ""]) => [
        file.split("/").at(-1) ?? "",
        line,
        code,
      ]),
  };
}

function tests(cwd: string, fails: (i: number) => boolean): void {
  mkdirSync(cwd, { recursive: true });
  const body = Array.from({ length: 40 }, (_, i) => {
    const wanted = fails(i) ? i + 1 : i;
    return `  it("adds up order ${i}", () => {\n    const order = { id: ${i}, lines: [{ sku: "a${i}", price: ${i} }] };\n    expect(total(order)).toEqual({ id: ${i}, sum: ${wanted} });\n  });`;
  });
  const total =
    "export function total(order) {\n  return { id: order.id, sum: order.lines.reduce((sum, line) => sum + line.price, 0) };\n}\n";
  writeFileSync(join(cwd, "total.js"), total);
  writeFileSync(
    join(cwd, "total.test.js"),
    `import { describe, expect, it } from "vitest";\nimport { total } from "./total.js";\n\ndescribe("orders", () => {\n${body.join("\n")}\n});\n`,
  );
  writeFileSync(
    join(cwd, "package.json"),
    JSON.stringify({ type: "module", scripts: { test: "vitest run" } }),
  );
  writeFileSync(join(cwd, "vitest.config.js"), "export default {};\n");
}

function vitestCase(name: string, cwd: string, failing: readonly number[]): Case {
  return {
    name,
    cwd,
    command: [bin("vitest"), "run"],
    own: { name: "vitest's agent reporter", command: [bin("vitest"), "run", "--reporter=agent"] },
    peers: ["vitest-mcp", "tokenjuice", "context-mode", "mcp-server-commands"],
    // An answer must contain the test's name, the line of the assertion, and the expected number.
    needed: () => failing.map((i) => [`adds up order ${i}`, String(i * 4 + 7), String(i + 1)]),
  };
}

function failingTests(): Case {
  const cwd = join(folder, "failing");
  tests(cwd, (i) => FAILING.has(i));
  return vitestCase("vitest, nine fail", cwd, [...FAILING]);
}

/** All tests that run pass, and one file cannot be loaded; an answer must name the missing module. */
function brokenSuite(): Case {
  const cwd = join(folder, "broken");
  tests(cwd, () => false);
  writeFileSync(join(cwd, BROKEN), 'import "./not-there.js";\n');
  const { own, ...one } = vitestCase("vitest, a suite will not load", cwd, []);
  return { ...one, ...(own === undefined ? {} : { own }), needed: () => [["not-there.js"]] };
}

function passingTests(): Case {
  const cwd = join(folder, "passing");
  tests(cwd, () => false);
  return vitestCase("vitest, all pass", cwd, []);
}

async function compare(one: Case): Promise<Figure[]> {
  const raw = shell(one.command, one.cwd);
  const needed = one.needed(raw);
  const tool = one.command.join(" ");
  const reply = await withServer(pithServer(one.cwd), (client) =>
    textOf(client, "build", { action: "exec", tool, max_tokens: 9_000 }),
  );
  const kept = (text: string): string =>
    needed.length === 0 ? "" : `, ${countKept(text, needed)} of ${needed.length} kept`;
  const pith = sampleOf([encode(reply).length]);
  const against = (name: string, text: string | undefined): Figure => ({
    what: `${one.name}${kept(reply)}`,
    unit: "tokens",
    pith,
    other:
      text === undefined
        ? { name, missing: NOT_INSTALLED }
        : { name: `${name}${kept(text)}`, sample: sampleOf([encode(text).length]) },
  });
  const figures = [
    {
      ...against("raw", raw),
      ...(needed.length >= 50 ? { allowed: 0.3 } : {}),
    },
  ];
  if (one.own !== undefined) figures.push(against(one.own.name, shell(one.own.command, one.cwd)));
  for (const peer of one.peers) figures.push(against(peerTitle(peer), await askPeer(peer, one)));
  return figures;
}

function shell([program = "", ...args]: readonly string[], cwd: string): string {
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder, NO_COLOR: "1", CI: "1" };
  const { stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: "utf8", maxBuffer: 1e9 });
  return `${stdout}${stderr}`;
}

async function askPeer(peer: PeerName, { command, cwd }: Case): Promise<string | undefined> {
  const program = peerProgram(peer);
  if (program === undefined) return undefined;
  if (peer === "tokenjuice") return shell([program, "wrap", "--", ...command], cwd);
  return withServer({ command: program, args: [], cwd }, async (client) => {
    const line = command.join(" ");
    if (peer === "vitest-mcp") {
      await textOf(client, "set_project_root", { path: cwd });
      return textOf(client, "run_tests", {
        target: existsSync(join(cwd, BROKEN)) ? BROKEN : "./total.test.js",
      });
    }
    return peer === "context-mode"
      ? textOf(client, "ctx_execute", { language: "shell", code: `cd '${cwd}' && ${line}` })
      : textOf(client, "run_command", { command: line, workdir: cwd });
  });
}

/** Counts the diagnostics of which every part occurs in the answer as a separate word. */
function countKept(text: string, needed: readonly (readonly string[])[]): number {
  const has = (part: string): boolean =>
    new RegExp(`(?<![\\w])${part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w])`).test(text);
  return needed.filter((parts) => parts.every(has)).length;
}

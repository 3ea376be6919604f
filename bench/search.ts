/** Measures tokens and time for finding a definition by name and a location by question, compared with rg, ctags and CodeGraph. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { NOT_INSTALLED, peerProgram, peerTitle, pithServer, textOf, withServer } from "./report/peers.ts";
import { report, sampleOf } from "./report/section.ts";
import type { Figure } from "./report/section.ts";

/** Definitions in zod's sources that are used in many places, and their files. */
const NAMES: readonly (readonly [string, string])[] = [
  ["ParseContext", "schemas.ts"],
  ["flattenError", "errors.ts"],
  ["toJSONSchema", "json-schema"],
  ["safeParseAsync", "parse.ts"],
  ["ZodRealError", "errors.ts"],
  ["$ZodRegistry", "registries.ts"],
  ["cleanRegex", "util.ts"],
  ["finalizeIssue", "util.ts"],
];
/** Questions that contain no identifier, and the file that answers each. */
const QUESTIONS: readonly (readonly [string, string])[] = [
  ["how are errors turned into a nested tree", "errors.ts"],
  ["regular expression for an email address", "regexes.ts"],
  ["convert a schema to JSON schema", "json-schema"],
  ["German translation of error messages", "de.ts"],
  ["keep metadata of schemas in a registry", "registries.ts"],
];

interface Asked {
  readonly ms: number[];
  readonly tokens: number[];
  /** How often the expected file is in the first line that names a file. */
  first: number;
}

const folder = mkdtempSync(join(tmpdir(), "pith-bench-search-"));
const root = join(folder, "zod");
try {
  cpSync("node_modules/zod/src", root, { recursive: true });
  execFileSync("git", ["init", "-q"], { cwd: root });
  report({
    title: "Finding code",
    about:
      "zod's sources: eight names that are used in many places, five questions in words. Tokens (o200k) of what an agent reads, and how often the first place named is the right file. `rg` gets the name with `-w`; `ctags` its own index; CodeGraph its own tool, which answers with source rather than places.",
    figures: await measure(),
  });
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

async function measure(): Promise<Figure[]> {
  const pith = await withServer(pithServer(root), async (client) => {
    await textOf(client, "index_repository", {});
    return {
      names: await ask(NAMES, (name) => textOf(client, "locate_symbol", { name })),
      questions: await ask(QUESTIONS, (query) => textOf(client, "search_code", { query })),
    };
  });
  const rg = await ask(NAMES, (name) =>
    execFileSync(rgPath, ["-n", "-w", "-F", name, "."], { cwd: root, encoding: "utf8" }),
  );
  const graph = await askCodeGraph();
  return [
    ...figures("a name", pith.names, NAMES.length, "rg -n -w", rg),
    ...figures("a name", pith.names, NAMES.length, "ctags -R, then grep", await askCtags()),
    ...figures("a name", pith.names, NAMES.length, peerTitle("codegraph"), graph?.names),
    ...figures("a question", pith.questions, QUESTIONS.length, peerTitle("codegraph"), graph?.questions),
  ];
}

async function askCodeGraph(): Promise<{ names: Asked; questions: Asked } | undefined> {
  const program = peerProgram("codegraph");
  if (program === undefined) return undefined;
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder };
  spawnSync(program, ["init", root], { cwd: root, env, stdio: "ignore" });
  return withServer({ command: program, args: ["serve", "--mcp"], cwd: root }, async (client) => {
    const explore = (query: string) => textOf(client, "codegraph_explore", { query });
    return { names: await ask(NAMES, explore), questions: await ask(QUESTIONS, explore) };
  });
}

async function askCtags(): Promise<Asked | undefined> {
  const tags = join(folder, "tags");
  if (spawnSync("ctags", ["-R", "-n", "-f", tags, "."], { cwd: root }).status !== 0) return undefined;
  return ask(NAMES, (name) => {
    const lines = readFileSync(tags, "utf8").split("\n");
    return lines.filter((line) => line.startsWith(`${name}\t`)).join("\n");
  });
}

async function ask(
  questions: readonly (readonly [string, string])[],
  answer: (question: string) => string | Promise<string>,
): Promise<Asked> {
  const asked: Asked = { ms: [], tokens: [], first: 0 };
  // The first round is a warm-up.
  for (const round of [0, 1, 2])
    for (const [question, file] of questions) {
      const start = performance.now();
      const text = await answer(question);
      if (round === 0) continue;
      asked.ms.push(performance.now() - start);
      if (round > 1) continue;
      asked.tokens.push(encode(text).length);
      const named = /[\w./-]+\.(?:ts|md|json)\b/.exec(text)?.[0] ?? "";
      if (named.includes(file)) asked.first++;
    }
  return asked;
}

function figures(what: string, pith: Asked, count: number, name: string, other: Asked | undefined): Figure[] {
  const missing = name.startsWith("codegraph") ? NOT_INSTALLED : "not on this machine";
  const right = (asked: Asked): string => `first place right ${asked.first} of ${count}`;
  const note = other === undefined ? right(pith) : `Pith: ${right(pith)}; ${name}: ${right(other)}`;
  return [
    {
      what: `${what}: tokens`,
      unit: "tokens",
      pith: sampleOf(pith.tokens),
      other: other === undefined ? { name, missing } : { name, sample: sampleOf(other.tokens) },
      note,
    },
    {
      what: `${what}: time`,
      unit: "ms",
      pith: sampleOf(pith.ms),
      other: other === undefined ? { name, missing } : { name, sample: sampleOf(other.ms) },
    },
  ];
}

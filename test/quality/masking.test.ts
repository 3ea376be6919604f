import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { Redactor } from "../../src/security/redactor.ts";
import { LineMasker, maskText } from "../../src/security/secrets/mask.ts";
import { Random } from "../torture/random.ts";
import { maskFolder } from "./masking/changed-lines.ts";
import { isShown, SAMPLE_KINDS, type Sample } from "./masking/secret-samples.ts";

/** Number of generated secrets per kind: many for the patterns themselves, fewer for each way to reach them. */
const SECRETS_PER_KIND: Readonly<Record<string, number>> = { "plain text": 30, "a long line": 1 };
const DEFAULT_SECRETS_PER_KIND = 10;

/** Ways in which a line with a secret reaches Pith; each returns the masked text. */
const WAYS: Readonly<Record<string, (sample: Sample, random: Random) => string>> = {
  "plain text": ({ line }) => maskText(line),
  "a JSON string": ({ line }) => maskText(JSON.stringify({ message: `first\n${line}\nlast` })),
  "JSON in JSON": ({ line }) => maskText(JSON.stringify(JSON.stringify({ log: line }))),
  "an attribute in XML": ({ line }) => maskText(`<case message="${inXml(line)}">`),
  "XML in HTML": ({ line }) => maskText(`<pre>\n${inXml(inXml(line))}\n</pre>`),
  "a quoted word of a shell": ({ line }) => maskText(`echo '${line.replaceAll("'", "'\\''")}'`),
  "a file of variables": ({ secret }) => inVariablesFile(`MY_SECRET="${secret}"`),
  "a coloured log": ({ line, secret }, random) => through(coloured(line, secret, random), 4_096),
  "chunks of one byte": ({ line }) => through(`before\n${line}\nafter\n`, 1),
  "chunks that split it": ({ line }, random) => through(`before\n${line}\nafter\n`, random.int(2, 40)),
  "a long line": ({ line }, random) =>
    through(`${"x ".repeat(random.int(30_000, 40_000))}${line} end\n`, 10_000),
};

describe("every kind of secret is masked in", () => {
  it.each(Object.entries(WAYS))("%s", (title, way) => {
    const shown: string[] = [];
    const rounds = SECRETS_PER_KIND[title] ?? DEFAULT_SECRETS_PER_KIND;
    for (const { name, make, isLine } of SAMPLE_KINDS)
      for (let round = 0; round < (title === "a long line" && isLine ? 0 : rounds); round++) {
        const random = new Random(`${name} ${round}`);
        const sample = make(random);
        const left = way(sample, random);
        if (isShown(left, sample.secret)) shown.push(`${name}: ${left.slice(0, 200)}`);
      }
    expect(shown).toEqual([]);
  });
});

it("knows at least 40 kinds", () =>
  expect(new Set(SAMPLE_KINDS.map(({ name }) => name)).size).toBeGreaterThan(100));

const ROOT = resolve(import.meta.dirname, "../..");
/** This repository, and packages pinned by package-lock.json. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  src: [],
  docs: [],
  bench: [],
  scripts: [],
  test: ["security/masking.test.ts", "security/secrets/find.test.ts"],
  "node_modules/@modelcontextprotocol": [],
  "node_modules/@types": [],
  "node_modules/knip": [],
  "node_modules/pg": [],
  "node_modules/vite": [],
  "node_modules/vitest": [],
  "node_modules/zod": ["src/v4/mini/tests/string.test.ts"],
};

it("alters no line of source text that holds no secret", () => {
  let lines = 0;
  for (const [folder, withSecrets] of Object.entries(FOLDERS)) {
    const masked = maskFolder(join(ROOT, folder));
    lines += masked.lines;
    expect(
      masked.changed.filter(({ path }) => !withSecrets.includes(path)),
      folder,
    ).toEqual([]);
    expect([...new Set(masked.changed.map(({ path }) => path))].sort(), folder).toEqual(withSecrets);
  }
  expect(lines).toBeGreaterThan(400_000);
});

it("has a committed score over public repositories in which every masked line was reviewed", () => {
  const score = JSON.parse(readFileSync(join(import.meta.dirname, "masking.json"), "utf8")) as {
    readonly repositories: readonly { name: string; commit: string; lines: number; masked_lines: number }[];
    readonly lines: number;
    readonly masked_lines: number;
    readonly altered_without_secret: number;
  };
  expect(score.repositories.length).toBeGreaterThanOrEqual(20);
  expect(score.altered_without_secret).toBe(0);
  expect(score.repositories.reduce((sum, one) => sum + one.masked_lines, 0)).toBe(score.masked_lines);
  for (const { name, commit } of score.repositories) expect(commit, name).toMatch(/^[0-9a-f]{40}$/);
});

function inXml(line: string): string {
  return line
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

function inVariablesFile(line: string): string {
  return new LineMasker({ isVariablesFile: true }).next(line)?.text ?? line;
}

/** Adds color escape sequences before, inside and after the secret. */
function coloured(line: string, secret: string, random: Random): string {
  const at = random.int(1, Math.max(1, secret.length - 1));
  const painted = `\u001B[1;32m${secret.slice(0, at)}\u001B[0m\u001B(B\u001B[33m${secret.slice(at)}\u001B[39m`;
  return line.replace(secret, () => painted);
}

function through(text: string, size: number): string {
  const redactor = new Redactor();
  const bytes = Buffer.from(text);
  const out: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) out.push(redactor.push(bytes.subarray(at, at + size)));
  out.push(redactor.end());
  return Buffer.concat(out).toString();
}

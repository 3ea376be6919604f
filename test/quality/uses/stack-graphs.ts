import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, extname, join } from "node:path";
import type { CodeIndex } from "../../../src/index/service.ts";
import { placesOf } from "./places.ts";

/** A comment of a test: the name at a place is defined on these lines. */
interface Assertion {
  readonly name: string;
  readonly path: string;
  readonly line: number;
  readonly defined: readonly number[];
}

/** The files of one test. Their lines have the numbers of the test file, which is why lines before them are empty. */
interface Fragments {
  readonly files: ReadonlyMap<string, string>;
  readonly assertions: readonly Assertion[];
  /** The file that contains a line of the test. */
  readonly pathOf: ReadonlyMap<number, string>;
}

export interface AssertionScore {
  /** Assertions about a definition that Pith lists in outlines; local variables and names in imports are none. */
  readonly judged: number;
  /** Share of them whose place is listed as sure or possible. */
  readonly recall: number;
  /** Share of the places listed as sure that an assertion confirms, of those that it could confirm. */
  readonly surePrecision: number;
  readonly wronglySure: number;
}

const LANGUAGES: Readonly<Record<string, RegExp>> = {
  python: /\.py$/u,
  java: /\.java$/u,
  javascript: /\.jsx?$/u,
  typescript: /\.tsx?$/u,
};

/** Compares the places that Pith lists with the assertions in the tests of stack-graphs for one language. */
export async function scoreStackGraphs(
  root: string,
  language: string,
  index: CodeIndex,
  tell: (text: string) => void,
): Promise<AssertionScore> {
  const total = { judged: 0, found: 0, sure: 0, wronglySure: 0 };
  const folder = join(root, `languages/tree-sitter-stack-graphs-${language}/test`);
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    if (LANGUAGES[language]?.test(path) !== true) continue;
    const test = fragmentsOf(readFileSync(join(folder, path), "utf8"), basename(path));
    const base = mkdtempSync(join(tmpdir(), "pith-assertions-"));
    for (const [name, text] of test.files) {
      mkdirSync(dirname(join(base, name)), { recursive: true });
      writeFileSync(join(base, name), text);
    }
    const counted = await judge(test, base, index, (text) => {
      tell(`${path} ${text}`);
    });
    for (const key of ["judged", "found", "sure", "wronglySure"] as const) total[key] += counted[key];
    rmSync(base, { recursive: true, force: true });
  }
  const share = (part: number, whole: number): number =>
    Math.round((1000 * part) / Math.max(1, whole)) / 1000;
  return {
    judged: total.judged,
    recall: share(total.found, total.judged),
    surePrecision: share(total.sure - total.wronglySure, total.sure),
    wronglySure: total.wronglySure,
  };
}

const HEADER = /^\s*(?:#|\/\/|\/\*)\s*-+\s*path:\s*(\S+?)\s*-+\s*(?:#|\*\/)?\s*$/u;
const MARK = /^\s*(?:#|\/\/)/u;
const ASSERTION = /\^ defined:\s*([\d\s,]*)$/u;

function fragmentsOf(text: string, name: string): Fragments {
  const lines = text.split("\n");
  const files = new Map<string, string>();
  const pathOf = new Map<number, string>();
  const assertions: Assertion[] = [];
  let path = lines.some((line) => HEADER.test(line)) ? undefined : name;
  let last = 0;
  for (const [at, line] of lines.entries()) {
    const header = HEADER.exec(line)?.[1];
    if (header !== undefined) path = extname(header) === "" ? undefined : header;
    if (path === undefined || header !== undefined) continue;
    pathOf.set(at + 1, path);
    const before = files.get(path) ?? "";
    const missing = at - (before === "" ? 0 : before.split("\n").length - 1);
    files.set(path, `${before}${"\n".repeat(missing)}${line}\n`);
    const defined = MARK.test(line) ? ASSERTION.exec(line)?.[1] : undefined;
    if (!/\^ (?:defined|defines|refers):/u.test(line)) last = at;
    if (defined === undefined) continue;
    const from = line.indexOf("^ defined:");
    const own = /^[\p{ID_Start}_$][\p{ID_Continue}$]*/u.exec(lines[last]?.slice(from) ?? "")?.[0];
    const numbers = (defined.match(/\d+/gu) ?? []).map(Number);
    if (own !== undefined) assertions.push({ name: own, path, line: last + 1, defined: numbers });
  }
  return { files, assertions, pathOf };
}

/** Lines whose names Pith does not list, because an import is no use, or that name something more than once. */
function isJudged(text: string, name: string): boolean {
  const count =
    text.split(
      new RegExp(`(?<![\\p{ID_Continue}$])${name.replaceAll("$", "\\$")}(?![\\p{ID_Continue}$])`, "u"),
    ).length - 1;
  return count === 1 && !/^\s*(?:import|from|export\s*(?:\*|\{|=))|\brequire\(/u.test(text);
}

async function judge(test: Fragments, root: string, index: CodeIndex, tell: (text: string) => void) {
  const counted = { judged: 0, found: 0, sure: 0, wronglySure: 0 };
  for (const { name, path, line, defined } of test.assertions) {
    const text = test.files.get(path)?.split("\n")[line - 1] ?? "";
    if (!isJudged(text, name) || defined.includes(line)) continue;
    let isKnown = false;
    let isFound = false;
    for (const file of test.files.keys()) {
      const { definitions, places } = await placesOf(index, root, { name, path: file });
      const own = definitions.filter((one) => one.path === file && one.name.endsWith(name));
      const lines = own.map((one) => one.line);
      if (lines.length === 0) continue;
      const certainty = places.get(`${path}:${line}`);
      const isTrue = lines.some((one) => defined.includes(one));
      if (isTrue) isKnown = true;
      if (isTrue && certainty !== undefined) isFound = true;
      if (certainty === "sure") counted.sure++;
      if (certainty === "sure" && !isTrue) {
        counted.wronglySure++;
        tell(`${path}:${line} ${name}: sure of ${file}:${lines.join(",")}, not ${defined.join(",")}`);
      }
    }
    if (isKnown) counted.judged++;
    if (isFound) counted.found++;
    if (isKnown && !isFound) tell(`${path}:${line} ${name}: missed, defined ${defined.join(",")}`);
  }
  return counted;
}

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { compareText } from "../../../src/kernel/nearest.ts";
import { caseOf } from "./cases.ts";
import type { Case } from "./cases.ts";
import { plainWords } from "./changelog.ts";
import { goldOf, isSource } from "./find-triples.ts";
import { commitsOf, contentOf, messageOf } from "./git.ts";
import type { Commit, FileChange } from "./git.ts";

/** A commit, a file that it changed, and the changed lines in the previous version of that file (`12-14,30`). */
export type CommitTriple = readonly [commit: string, path: string, gold: string];

/** Commits of public repositories: those that the line weights were fitted on, and held-out ones. */
export interface CommitSets {
  readonly fitted: Readonly<Record<string, readonly CommitTriple[]>>;
  readonly held_out: Readonly<Record<string, readonly CommitTriple[]>>;
}

const COMMITS_FILE = resolve("test/quality/pruning/commits.json");
/** Upper bound on files per commit, so that the message describes the changed file. */
const MAX_SOURCE_FILES = 3;
const MAX_FILES = 12;
const TRIPLES_PER_FILE = 3;
const MIN_WORDS = 4;
const MAX_BODY_LINES = 4;
/** Matches messages that are not about what the code does. */
const NOISE =
  /^(?:merge|revert|bump|release|version|\[?ci\b|chore|docs?\b|style|prepare|fix(?:ed)? (?:typo|lint)|format|lint)|typo|copyright|license|whitespace|clang-format|rustfmt|phpcs|styleci|rubocop|changelog/i;
const TRAILER =
  /^\s*(?:[\w-]+-by|closes|closed|fixes|refs?|see|change-id|bug|relnotes|git-svn-id|piperorigin\S*)\b\s*[:#-]/i;

export function readCommits(): CommitSets {
  return JSON.parse(readFileSync(COMMITS_FILE, "utf8"));
}

/** Selects triples of a history by these rules, in an order independent of time and of the pruner. */
export async function findCommits(repository: string, most: number): Promise<readonly CommitTriple[]> {
  const found: { readonly commit: Commit; readonly file: FileChange }[] = [];
  for await (const commit of commitsOf(repository))
    for (const file of sourcesOf(commit)) found.push({ commit, file });
  const order = new Map(found.map((one) => [one, digest(`${one.commit.id}${one.file.path}`)]));
  found.sort((a, b) => compareText(order.get(a) ?? "", order.get(b) ?? ""));
  const triples: CommitTriple[] = [];
  const commits = new Set<string>();
  const files = new Map<string, number>();
  for (const { commit, file } of found) {
    if (triples.length >= most) break;
    const count = files.get(file.path) ?? 0;
    if (commits.has(commit.id) || count >= TRIPLES_PER_FILE) continue;
    const gold = goldOf(await contentOf(repository, file.before), await contentOf(repository, file.after));
    if (gold === undefined) continue;
    commits.add(commit.id);
    files.set(file.path, count + 1);
    triples.push([commit.id, file.path, written(gold)]);
  }
  return triples;
}

function sourcesOf({ message, files }: Commit): readonly FileChange[] {
  const sources = files.filter(
    ({ path }) => isSource(path) && !/(?:^|[/_-])tests?(?:[/_.-]|$)|Tests?\.\w+$/.test(path),
  );
  if (sources.length === 0 || sources.length > MAX_SOURCE_FILES || files.length > MAX_FILES) return [];
  const question = questionOf(message);
  if (NOISE.test(message.split("\n", 1)[0] ?? "") || question.split(" ").length < MIN_WORDS) return [];
  return sources.filter((file) => file.status === "M");
}

/** Returns the subject of a commit and the start of its body. */
function questionOf(message: string): string {
  const [subject = "", ...rest] = message.split("\n");
  const body = rest.filter((line) => !TRAILER.test(line));
  const start = Math.max(
    0,
    body.findIndex((line) => line.trim() !== ""),
  );
  const end = body.findIndex((line, index) => index > start && line.trim() === "");
  const first = body.slice(start, Math.min(end === -1 ? body.length : end, start + MAX_BODY_LINES));
  return plainWords([subject, ...first].join(" "));
}

/** Creates a case from a triple, with its texts from a clone. */
export async function commitCase(repository: string, [commit, path, gold]: CommitTriple): Promise<Case> {
  return caseOf({
    name: commit.slice(0, 12),
    file: path,
    text: await contentOf(repository, `${commit}^:${path}`),
    question: questionOf(await messageOf(repository, commit)),
    gold: read(gold),
  });
}

/** Finds the clone of `owner/name` in a folder of clones, with or without a work tree. */
export function cloneOf(folder: string, name: string): string | undefined {
  return [name, name.replace("/", "+"), name.split("/")[1] ?? name]
    .flatMap((path) => [join(folder, path), join(folder, path, "repo"), join(folder, `${path}.git`)])
    .find((path) => existsSync(join(path, "HEAD")) || existsSync(join(path, ".git")));
}

function written(gold: ReadonlySet<number>): string {
  const ranges: [number, number][] = [];
  for (const index of [...gold].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === index) last[1] = index + 1;
    else ranges.push([index + 1, index + 1]);
  }
  return ranges.map(([start, end]) => (start === end ? `${start}` : `${start}-${end}`)).join(",");
}

function read(gold: string): ReadonlySet<number> {
  return new Set(
    gold.split(",").flatMap((range) => {
      const [start = 0, end = start] = range.split("-").map(Number);
      return Array.from({ length: end - start + 1 }, (_, i) => start - 1 + i);
    }),
  );
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

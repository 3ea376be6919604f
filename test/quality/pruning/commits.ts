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

/** A commit, a file that it changed, and the lines that it changed there (`12-14,30`, in the file before). */
export type CommitTriple = readonly [commit: string, path: string, gold: string];

/** Commits of public repositories: those that the odds of a line were fitted on, and others. */
export interface CommitSets {
  readonly fitted: Readonly<Record<string, readonly CommitTriple[]>>;
  readonly held_out: Readonly<Record<string, readonly CommitTriple[]>>;
}

const COMMITS_FILE = resolve("test/quality/pruning/commits.json");
/** Changes of sources with few files beside them: what the message tells is then in the file. */
const MOST_SOURCES = 3;
const MOST_FILES = 12;
const TRIPLES_OF_A_FILE = 3;
const FEWEST_WORDS = 4;
const LINES_OF_THE_BODY = 4;
/** Messages about anything but what the code does. */
const NOISE =
  /^(?:merge|revert|bump|release|version|\[?ci\b|chore|docs?\b|style|prepare|fix(?:ed)? (?:typo|lint)|format|lint)|typo|copyright|license|whitespace|clang-format|rustfmt|phpcs|styleci|rubocop|changelog/i;
const TRAILER =
  /^\s*(?:[\w-]+-by|closes|closed|fixes|refs?|see|change-id|bug|relnotes|git-svn-id|piperorigin\S*)\b\s*[:#-]/i;

export function readCommits(): CommitSets {
  return JSON.parse(readFileSync(COMMITS_FILE, "utf8"));
}

/** Triples of a history by the rule above, in an order that neither time nor the pruner decides. */
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
    if (commits.has(commit.id) || count >= TRIPLES_OF_A_FILE) continue;
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
  if (sources.length === 0 || sources.length > MOST_SOURCES || files.length > MOST_FILES) return [];
  const question = questionOf(message);
  if (NOISE.test(message.split("\n", 1)[0] ?? "") || question.split(" ").length < FEWEST_WORDS) return [];
  return sources.filter((file) => file.status === "M");
}

/** The subject of a commit and the beginning of what else it says. */
function questionOf(message: string): string {
  const [subject = "", ...rest] = message.split("\n");
  const body = rest.filter((line) => !TRAILER.test(line));
  const start = Math.max(
    0,
    body.findIndex((line) => line.trim() !== ""),
  );
  const end = body.findIndex((line, index) => index > start && line.trim() === "");
  const first = body.slice(start, Math.min(end === -1 ? body.length : end, start + LINES_OF_THE_BODY));
  return plainWords([subject, ...first].join(" "));
}

/** A triple with its texts, from a clone. */
export async function commitCase(repository: string, [commit, path, gold]: CommitTriple): Promise<Case> {
  return caseOf({
    name: commit.slice(0, 12),
    file: path,
    text: await contentOf(repository, `${commit}^:${path}`),
    question: questionOf(await messageOf(repository, commit)),
    gold: read(gold),
  });
}

/** Where the clone of `owner/name` is in a folder of clones, with or without a work tree. */
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

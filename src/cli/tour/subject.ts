import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Services } from "../../app/services.ts";
import { PithError } from "../../kernel/errors.ts";
import type { Hit } from "../../model/hit.ts";
import type { Overview } from "../../model/overview.ts";
import type { SymbolKind } from "../../model/symbol.ts";

/** What the tour asks about. */
export interface Subject {
  readonly question: string;
  /** The file that answers the question; absent if nothing was found. */
  readonly path?: string;
  /** The definition that the question is about, if it has a name by which code can be searched. */
  readonly name?: string;
  /** Its kind: functions have callers, types only uses. */
  readonly kind?: SymbolKind;
}

/** A definition that much of the repository uses. */
interface Candidate {
  readonly path: string;
  readonly name: string;
  readonly kind: SymbolKind;
}

/** How many of the most used definitions are tried until a search for one in plain words finds it. */
const MAX_TRIED = 5;
/** How many of the most used definitions are looked at for one in a file that is long enough to be worth focusing. */
const MAX_WEIGHED = 30;
const MIN_FILE_BYTES = 6_000;
/** How many results the tour asks for; the definition must be among the first of them, so that a reader sees it. */
export const RESULTS = 5;
const FIRST_RESULTS = 2;
/** The question for a repository in which no code uses any other, such as a collection of texts. */
const GENERAL_QUESTION = "how is this installed and used";
/** Matches the names of tests and settings, which are not what a newcomer asks about first. */
const ASIDE = /\.(?:json|lock|toml|ya?ml)$|(?:^|[/_.-])(?:tests?|specs?)(?:[/_.-]|$)/i;
const FUNCTIONS: ReadonlySet<SymbolKind> = new Set(["fn", "method"]);
/** Kinds of definitions that are used without being called. */
export const TYPES: ReadonlySet<SymbolKind> = new Set(["class", "struct", "interface", "trait"]);

export interface SubjectRequest {
  readonly services: Services;
  readonly root: string;
  readonly signal: AbortSignal;
}

/** Chooses a question that fits the repository, from the definitions that its own code uses most. */
export async function chooseSubject(request: SubjectRequest): Promise<Subject> {
  const best = mostUsed(await overviewOf(request)).slice(0, MAX_WEIGHED);
  const isLong = ({ path }: Candidate): boolean => sizeOf(join(request.root, path)) >= MIN_FILE_BYTES;
  const candidates = [...best.filter(isLong), ...best].slice(0, MAX_TRIED);
  for (const { path, name, kind } of candidates) {
    const question = questionAbout(name);
    const hits = await search(request, question);
    if (hits.slice(0, FIRST_RESULTS).some((hit) => hit.path === path && hit.name === name))
      return { question, path, name, kind };
  }
  const [first] = candidates;
  if (first !== undefined) return { question: first.name, ...first };
  for (const question of [GENERAL_QUESTION, ...fileNames(request.root)]) {
    const subject = await subjectOf(question, request);
    if (subject.path !== undefined) return subject;
  }
  return { question: GENERAL_QUESTION };
}

/** The names of files in a folder, tests and settings last: a question that is a file's name finds this file. */
function fileNames(root: string): readonly string[] {
  const names = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map(({ name }) => name);
  return names.toSorted((a, b) => Number(ASIDE.test(a)) - Number(ASIDE.test(b))).slice(0, MAX_TRIED);
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Finds what a question is about: the first result that is a named definition outside of tests, or else the first file. */
export async function subjectOf(question: string, request: SubjectRequest): Promise<Subject> {
  const hits = await search(request, question);
  const hit = hits.find(({ name, path }) => name !== undefined && !ASIDE.test(path)) ?? hits[0];
  if (hit === undefined) return { question };
  const { path, name, kind } = hit;
  return { question, path, ...(name !== undefined && { name }), ...(kind !== undefined && { kind }) };
}

/**
 * Lists the definitions by how much of the code depends on them. Functions with names of several words come first: they
 * can be asked for in words, and they have callers.
 */
export function mostUsed(overview: Pick<Overview, "used"> | undefined): readonly Candidate[] {
  const all = (overview?.used ?? []).flatMap(({ path, weight, definitions }) =>
    definitions.map(({ name, kind, users }) => ({ path, name, kind, score: users * weight })),
  );
  const best = all.toSorted((a, b) => b.score - a.score);
  const groups = [
    best.filter(({ kind, name }) => FUNCTIONS.has(kind) && wordsOf(name).length > 1),
    best.filter(({ kind, name }) => TYPES.has(kind) && wordsOf(name).length > 1),
    best.filter(({ kind, name }) => (FUNCTIONS.has(kind) || TYPES.has(kind)) && wordsOf(name).length === 1),
  ];
  return groups.flat().map(({ path, name, kind }) => ({ path, name, kind }));
}

/** Asks for a definition in words, as somebody would who does not know how it is spelled. */
function questionAbout(name: string): string {
  return `how does ${wordsOf(name).join(" ")} work`;
}

/** The words of an identifier: `send_from_directory` and `sendFromDirectory` have three. */
function wordsOf(name: string): readonly string[] {
  return (name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+|\p{N}+/gu) ?? [name]).map((word) =>
    word.toLowerCase(),
  );
}

async function overviewOf({ services, root, signal }: SubjectRequest): Promise<Overview | undefined> {
  try {
    return await (await services.index()).overview({ root, path: ".", signal });
  } catch (error) {
    // An empty folder has no overview; the tour says so after its search.
    if (error instanceof PithError && error.code === "file_not_found") return undefined;
    throw error;
  }
}

async function search(
  { services, root, signal }: SubjectRequest,
  query: string,
): Promise<readonly Pick<Hit, "path" | "name" | "kind">[]> {
  const { hits } = await (
    await services.index()
  ).search({
    root,
    query,
    signal,
    limit: RESULTS,
    offset: 0,
    level: "location",
    policy: services.config.query.freshness_policy,
  });
  return hits;
}

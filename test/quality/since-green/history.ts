import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import type { GitFolder } from "../../support/git-folder.ts";
import { CODE_ENDINGS, editHarmlessly, type HarmlessEdit } from "./harmless.ts";
import { chooseMutation, mutate, type Mutation } from "./mutations.ts";
import type { Random } from "./random.ts";

/** The text of a file after an edit. */
interface Edit {
  readonly path: string;
  readonly text: string;
}

/** What happens between the green run and the red one: commits, then edits that are not committed. */
export interface History {
  readonly path: string;
  readonly mutation: Mutation;
  readonly isCommitted: boolean;
  readonly commits: readonly { readonly subject: string; readonly edits: readonly Edit[] }[];
  readonly uncommitted: readonly Edit[];
  /** The harmless edits, by kind. */
  readonly kinds: Readonly<Record<string, string>>;
}

/** The files of a repository that may be edited. */
export interface Sources {
  readonly code: readonly string[];
  readonly tests: readonly string[];
  readonly texts: readonly string[];
}

const TEST = /(?:^|[/_.-])(?:tests?|specs?|__tests__)(?:[/_.-]|$)/i;

/** Sorts the tracked files. Code to mutate is below the given folders; helpers of tests are left out. */
export function sourcesOf(
  folder: GitFolder,
  roots: readonly string[],
  except: readonly string[] = [],
): Sources {
  const files = folder
    .git("ls-files", "-z")
    .split("\0")
    .filter((path) => !except.some((part) => path.includes(part)));
  const isCode = (path: string): boolean =>
    CODE_ENDINGS.includes(posix.extname(path)) && !path.endsWith(".d.ts");
  const within = files.filter((path) => roots.some((root) => path.startsWith(root)));
  return {
    code: within.filter((path) => isCode(path) && !TEST.test(path)),
    tests: files.filter((path) => isCode(path) && isTestFile(path)),
    texts: files.filter((path) => /\.(?:md|rst)$/.test(path) && !path.includes("/.")),
  };
}

/** Whether a file holds tests, and not what tests share. */
function isTestFile(path: string): boolean {
  const name = posix.basename(path);
  if (/[._-](?:test|spec)\.|^test[._-]/.test(name)) return true;
  return (
    /^tests?\//.test(path) &&
    posix.dirname(path).split("/").length === 1 &&
    !/^(?:conftest|__init__)\./.test(name)
  );
}

/** An edit for every file that keeps the suite green, alone and with all others. */
export function harmlessEdits(
  folder: GitFolder,
  { code, tests, texts }: Sources,
  random: Random,
): Map<string, HarmlessEdit> {
  const edits = new Map<string, HarmlessEdit>();
  for (const path of [...code, ...tests, ...texts]) {
    const isTest = tests.includes(path);
    const edit = editHarmlessly({ path, text: textOf(folder, path), isTest }, random);
    if (edit !== undefined) edits.set(path, edit);
  }
  return edits;
}

/** What histories are made from. */
interface Given {
  readonly sources: Sources;
  readonly harmless: ReadonlyMap<string, HarmlessEdit>;
  readonly random: Random;
}

const SUBJECTS = ["tidy up", "prepare for later cases", "update notes and names"];

/** Plans a history with one mutation among at least eight harmless edits; undefined if the file has nothing to mutate. */
export function planHistory(
  folder: GitFolder,
  path: string,
  { sources, harmless, random, known }: Given & { readonly known?: Mutation | undefined },
): History | undefined {
  const text = textOf(folder, path);
  const mutation = known ?? chooseMutation(text, random);
  if (mutation === undefined) return undefined;
  const others = chooseOthers(path, text, sources, random).flatMap((one) => harmless.get(one) ?? []);
  const edits: Edit[] = random.shuffle([{ path, text: mutate(text, mutation) }, ...others]);
  const steps: Edit[][] = [[], [], [], []];
  for (const edit of edits) steps[random.below(steps.length)]?.push(edit);
  const [uncommitted = [], ...committed] = steps;
  return {
    path,
    mutation,
    isCommitted: !uncommitted.some((edit) => edit.path === path),
    commits: committed
      .filter((step) => step.length > 0)
      .map((step, at) => ({ subject: SUBJECTS[at] ?? "", edits: step })),
    uncommitted,
    kinds: Object.fromEntries(others.map((edit) => [edit.path, edit.kind])),
  };
}

/** Files to edit besides: in the folder of the mutated one, those that use it or that it uses, its tests, text, and any. */
function chooseOthers(path: string, text: string, { code, tests, texts }: Sources, random: Random): string[] {
  const stem = posix.basename(path).split(".")[0] ?? "";
  const nearby = code.filter((one) => one !== path && posix.dirname(one) === posix.dirname(path));
  const linked = code.filter(
    (one) => one !== path && text.includes(posix.basename(one).split(".")[0] ?? one),
  );
  const own = tests.filter((one) => posix.basename(one).toLowerCase().includes(stem.toLowerCase()));
  const take = (from: readonly string[], count: number): string[] => random.shuffle(from).slice(0, count);
  const chosen = [
    ...take(nearby, 4),
    ...take(linked, 2),
    ...take(own, 1),
    ...take(tests, 3),
    ...take(texts, 2),
    ...take(code, 4),
  ].filter((one) => one !== path);
  return [...new Set(chosen)];
}

/** Brings a repository to the end of a history. */
export function replay(folder: GitFolder, base: string, { commits, uncommitted }: History): void {
  folder.git("checkout", "-q", "-f", "--detach", base);
  folder.git("clean", "-q", "-f", "-d");
  for (const { subject, edits } of commits) {
    for (const { path, text } of edits) folder.write(path, text);
    folder.git("commit", "-q", "--no-verify", "-a", "-m", subject);
  }
  for (const { path, text } of uncommitted) folder.write(path, text);
}

function textOf(folder: GitFolder, path: string): string {
  return readFileSync(join(folder.root, path), "utf8");
}

import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { describeRefusal, readSmallFile } from "../../kernel/files/small-file.ts";
import { statIfThere } from "../../kernel/files/stat-if-there.ts";
import { buildTools } from "../../diagnostics/registry/build-tools.ts";
import { toolNamed } from "../../diagnostics/registry/tool-names.ts";
import type { CheckInputs } from "../../model/run.ts";
import {
  type CacheRules,
  contentOf,
  statLook,
  surveyTree,
  type TreeSurvey,
  UnknownTreeError,
} from "../../workspace/tree-fingerprint.ts";
import type { StartedCheck } from "./check-line.ts";
import { type CheckPlace, type FileIdentity, outsideFacts } from "./outside-facts.ts";

/** Changes with the rules below, so that runs which another version of Pith recorded are not compared by other rules. */
const RULES_VERSION = "1";

type Variables = Readonly<Record<string, string>>;

/** What decides the answer of a check, to be compared before and after it. */
export interface CheckState {
  /** The environment, the programs, and the settings outside of the repository. */
  readonly outside: string;
  readonly survey: TreeSurvey;
}

export interface CheckSubject extends CheckPlace {
  /** Identifies the variables that the command gets. */
  readonly variables: string;
}

/** Variables that differ from call to call and that no checker reads. */
const SESSION_VARIABLES: ReadonlySet<string> = new Set(["_", "SHLVL", "OLDPWD"]);
/** Caches of test runners, bundlers and systems, which no checker reads. */
const OTHER_CACHES =
  /(?:^|\/)(?:node_modules\/\.(?:cache|vite|vite-temp|vitest)|__pycache__|\.pytest_cache|\.DS_Store)(?:\/|$)/;

/** Identifies the environment variables of a command. Only a hash is kept, because values may be secrets. */
export function hashVariables(env: Variables): string {
  const hash = createHash("sha256");
  for (const [name, value] of Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1)))
    if (!SESSION_VARIABLES.has(name)) hash.update(`${name}=${value}\0`);
  return hash.digest("base64");
}

/** Looks at everything that decides the answer of a check; throws if it cannot be known. */
export async function readCheckState(subject: CheckSubject, signal: AbortSignal): Promise<CheckState> {
  const outside = createHash("sha256");
  for (const fact of [RULES_VERSION, subject.variables, ...(await outsideFacts(subject, BY_LOOKS, signal))])
    outside.update(`${fact}\n`);
  return {
    outside: outside.digest("base64"),
    survey: await surveyTree(subject.top, cacheRules(subject.checks), signal),
  };
}

/** Completes the state after a check, if nothing has changed while it ran; undefined if something has. */
export async function inputsOf(
  before: Pick<CheckInputs, "outside" | "strict">,
  { outside, survey }: CheckState,
  signal: AbortSignal,
): Promise<Omit<CheckInputs, "costMs"> | undefined> {
  if (outside !== before.outside || survey.strict !== before.strict) return undefined;
  return { outside, strict: survey.strict, caches: survey.caches, content: await contentOf(survey, signal) };
}

function cacheRules(checks: readonly StartedCheck[]): CacheRules {
  const own = checks.flatMap(({ tool }) => toolNamed(tool)?.pureCheck?.caches ?? []);
  const isOwn = (path: string): boolean => own.some((pattern) => pattern.test(path));
  const others = [OTHER_CACHES, ...buildTools.flatMap(({ pureCheck }) => pureCheck?.caches ?? [])];
  return { isOwn, isOther: (path) => others.some((pattern) => pattern.test(path)) && !isOwn(path) };
}

const BY_LOOKS: FileIdentity = {
  program(path) {
    const real = realpathSync(path);
    return `${path} ${real} ${statLook(real)}`;
  },
  file: (path) => `${path} ${contentFact(path)}`,
};

/** Stands for the content of a file that does not exist. */
export const ABSENT = "is absent";

/** Identifies a file by its content. */
export function contentFact(path: string): string {
  if (statIfThere(path)?.isFile() !== true) return ABSENT;
  const read = readSmallFile(path);
  if ("refused" in read) throw new UnknownTreeError(`${path} ${describeRefusal(read.refused)}`);
  return createHash("sha256").update(read.bytes).digest("base64");
}

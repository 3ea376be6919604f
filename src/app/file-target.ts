import { stat } from "node:fs/promises";
import { basename, extname } from "node:path";
import type { Services } from "./services.ts";
import { isResultId } from "../index/query/result-id.ts";
import { PithError } from "../kernel/errors.ts";
import type { Hit } from "../model/hit.ts";
import type { CodeSymbol } from "../model/symbol.ts";
import type { JailedPath } from "../workspace/jail.ts";
import type { Workspace } from "../workspace/workspaces.ts";
import { type CodeScope, scopeOf } from "./code-scope.ts";
import { noSuchName, noSuchSymbol, partsOf, symbolsNamed } from "./symbols-in-file.ts";
import { PLACES, splitTargets } from "./target-texts.ts";

/**
 * The file and lines that an argument names. The argument may be a path, lines of a file, a symbol, or the id of a
 * search result.
 */
export interface FileTarget {
  readonly path: string;
  readonly lines?: Lines;
  /** The definition, if the caller named a symbol. The reply then names the file, because the caller did not. */
  readonly symbol?: FoundSymbol;
  /** Why one of several targets was not found; `path` is then the text as the caller wrote it. */
  readonly error?: PithError;
}

export type Lines = { readonly start: number; readonly end?: number } | { readonly around: number };

export interface FoundSymbol {
  readonly place: string;
  /** Other definitions with the same name, in a form that the tool accepts as an argument. */
  readonly others: readonly string[];
}

/** A tool that accepts lines of a file, symbols or result ids in place of paths. */
interface TargetedTool {
  readonly name: string;
  readonly targets?: TargetArguments<string>;
}

/**
 * The name of the argument that accepts `file:line`, a symbol or a result id in place of a path, and the names of those
 * that receive the lines.
 */
export interface TargetArguments<Name extends string> {
  readonly path: Name;
  readonly lines?: Readonly<Record<"start" | "end" | "around", Name>>;
}

interface TargetContext {
  readonly services: Services;
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
}

/**
 * Replaces each target (`file:line`, a symbol or a result id) in the arguments by its file. The lines of a single
 * target become arguments of the tool, so that they are checked like any others; of several targets each keeps its own.
 */
export async function resolveTargets(
  { name: tool, targets }: TargetedTool,
  values: Record<string, unknown>,
  context: TargetContext,
): Promise<readonly FileTarget[]> {
  const value = targets === undefined ? undefined : values[targets.path];
  if (targets === undefined || value === undefined) return [];
  const ref = values["ref"];
  const finding = { ...context, ...(typeof ref === "string" && { ref }) };
  const isList = Array.isArray(value);
  const texts: readonly unknown[] = isList ? value : [value];
  const split = {
    exists: (path: string) => exists(path, finding),
    isSplitOnlyAtFiles: texts.length > 1,
  };
  const named = await Promise.all(
    texts.map(async (text) => {
      if (typeof text !== "string") return [];
      return isList && !(await namesTest(text, finding)) ? splitTargets(text, split) : [text];
    }),
  );
  const wanted = named.flat();
  if (wanted.length > MAX_TARGETS) throw tooManyTargets(tool, wanted.length);
  const each = await Promise.all(wanted.map((text) => findOrFail(text, finding)));
  const found = texts.length === 1 ? await missingPath(texts[0], each, finding) : each;
  if (found.length === 1 && found[0]?.error !== undefined) throw found[0].error;
  values[targets.path] = isList ? found.map(({ path }) => path) : found[0]?.path;
  // Lines in other arguments take precedence over those of the target, because they may ask for the rest of an earlier
  // reply.
  const given = Object.values(targets.lines ?? {}).find((name) => values[name] !== undefined);
  const [only] = found;
  if (found.length > 1 && given !== undefined) throw linesOfWhich(tool, given);
  if (found.length === 1 && given === undefined && targets.lines !== undefined && only?.lines !== undefined)
    setLines(values, targets.lines, only.lines);
  return found;
}

/**
 * Returns the only target if the words of a text are probably one path with blanks that does not exist, as in
 * `src/my notes/plan.md`: none of them was found, and only the last one looks like a file.
 */
async function missingPath(
  text: unknown,
  targets: readonly FileTarget[],
  finding: Finding,
): Promise<readonly FileTarget[]> {
  const isPath = /[./\\]/.test(targets.at(-1)?.path ?? "");
  const isFile = ({ path }: FileTarget): boolean => /[^./\\]\.\w+$/.test(path);
  if (targets.length < 2 || typeof text !== "string" || !isPath || targets.slice(0, -1).some(isFile))
    return targets;
  for (const { path, error } of targets)
    if (error === undefined && (await exists(path, finding))) return targets;
  return [{ path: text }];
}

/**
 * The most files or symbols that one call may name. They share the budget of the reply, so more of them would show too
 * little of each.
 */
const MAX_TARGETS = 20;

function setLines(
  values: Record<string, unknown>,
  names: Readonly<Record<"start" | "end" | "around", string>>,
  lines: Lines,
): void {
  if ("around" in lines) values[names.around] = lines.around;
  else {
    values[names.start] = lines.start;
    values[names.end] = lines.end;
  }
}

function tooManyTargets(tool: string, count: number): PithError {
  return new PithError("invalid_input", `${tool}: ${count} targets; at most ${MAX_TARGETS} in one call`);
}

function linesOfWhich(tool: string, given: string): PithError {
  return new PithError("invalid_input", `${tool}: ${given} goes with one file only`, {
    suggestion: "Write the lines of each file behind its name: a.ts:10-40 b.ts:5-9.",
  });
}

type Finding = TargetContext & { readonly ref?: string };

/** Checks whether a text is a file and the title of a test in it, which has blanks: `a.test.ts#returns a list`. */
async function namesTest(text: string, finding: Finding): Promise<boolean> {
  if (!/^[^\s#]+#.*\s/s.test(text)) return false;
  return (await symbolInFile(text, finding, false)) !== undefined;
}

/** Finds a target. If its symbol or result does not exist, the target has the error instead of a file. */
async function findOrFail(text: string, finding: Finding): Promise<FileTarget> {
  try {
    return await findTarget(text, finding);
  } catch (error) {
    // The error is thrown if it concerns the only target; otherwise the reply shows it beside the other targets.
    if (!(error instanceof PithError) || finding.signal.aborted) throw error;
    return { path: text, error };
  }
}

/** Finds what a text refers to. If a file of that name exists, it takes precedence over every other reading. */
async function findTarget(text: string, finding: Finding): Promise<FileTarget> {
  if (await exists(text, finding)) return { path: text };
  const run = /^(run:[0-9a-z]+)(?::(.+))?$/.exec(text);
  if (run?.[1] !== undefined) return { path: run[1], ...withLines(run[2]) };
  const places = PLACES.map((form) => form.exec(text)).filter((found) => found !== null);
  for (const [, path = "", lines] of places)
    if (await exists(path, finding)) return { path, ...withLines(lines) };
  const inFile = await symbolInFile(text, finding);
  if (inFile !== undefined) return inFile;
  if (isResultId(text)) return resultTarget(text, finding);
  const [, path, lines] = places.at(-1) ?? [];
  if (path !== undefined) return { path, ...withLines(lines) };
  return (NAME.test(text) ? await symbolAnywhere(text, finding) : undefined) ?? { path: text };
}

/** The name of a symbol: `name`, `Class.method`, `mod::fn`. */
const NAME = /^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#|->)[\p{L}_$][\p{L}\p{N}_$]*)*$/u;

/** Reads the lines of a target: a single number means the lines around it, two numbers are a range. */
function withLines(text: string | undefined): { readonly lines?: Lines } {
  const [, start, dash, end] = /^(\d+)(-?)L?(\d*)$/.exec(text ?? "") ?? [];
  if (start === undefined) return {};
  if (dash === "") return { lines: { around: Number(start) } };
  return { lines: { start: Number(start), ...(end !== "" && { end: Number(end) }) } };
}

async function isFile({ absolute }: JailedPath): Promise<boolean> {
  return (await stat(absolute)).isFile();
}

async function exists(path: string, { workspace }: Finding): Promise<boolean> {
  try {
    return (await workspace.resolve(path)).exists;
  } catch (error) {
    // A dependency that is not installed has no files. If no other reading fits, the pipeline throws this error again.
    if (error instanceof PithError && error.code === "file_not_found" && path.startsWith("dep:"))
      return false;
    throw error;
  }
}

async function resultTarget(id: string, { services, workspace, signal, ref }: Finding): Promise<FileTarget> {
  const index = await services.index();
  const own = { root: workspace.path.absolute, prefix: "" };
  let missing: PithError | undefined;
  for (const { root, prefix } of [own, ...services.shownScopes.values()])
    try {
      const found = await index.result({ root, id, signal, ...(ref !== undefined && { ref }) });
      return { path: `${prefix}${found.path}`, lines: { start: found.lineStart, end: found.lineEnd } };
    } catch (error) {
      // The result may be of a dependency or of another project. If it is of none, the first error is thrown.
      if (!(error instanceof PithError) || error.code !== "result_not_found") throw error;
      missing ??= error;
    }
  throw missing ?? new PithError("result_not_found", `No result ${id}`);
}

/** Finds the definition of a symbol in a file, such as `src/a.ts#createServer`. */
async function symbolInFile(
  text: string,
  finding: Finding,
  mustExist = true,
): Promise<FileTarget | undefined> {
  const [, path = "", name = ""] = /^(.+?)#(.+)$/s.exec(text) ?? [];
  if (name === "" || !(await exists(path, finding))) return undefined;
  const { services, workspace, signal, ref } = finding;
  const index = await services.index();
  const place = await workspace.resolve(path);
  const { shown } = place;
  const scope = scopeOf(workspace.path, place);
  if (place.scope !== undefined && !(await isFile(place))) return symbolInPackage(name, scope, finding);
  const { symbols } = await index.outline({
    root: scope.root,
    path: scope.path ?? ".",
    depth: "all",
    signal,
    ...(ref !== undefined && { ref }),
  });
  const named = symbolsNamed(name, symbols);
  // Several are put into the order in which a search for the name finds them, which puts overloads last.
  const order = named.length < 2 ? [] : (await definitionsOf(name, finding, scope)).found;
  const rank = ({ lineStart }: CodeSymbol): number => {
    const at = order.findIndex((hit) => hit.lineStart === lineStart);
    return at < 0 ? order.length : at;
  };
  const [first, ...others] = named.toSorted((a, b) => rank(a) - rank(b));
  if (first === undefined && !mustExist) return undefined;
  if (first === undefined) throw noSuchSymbol(name, shown, symbols);
  return targetOf(
    { path: shown, ...first },
    others.map((symbol) => ({ path: shown, ...symbol })),
  );
}

/** Finds the best definition of a name in an installed dependency, such as `dep:zod#ZodString`. */
async function symbolInPackage(name: string, scope: CodeScope, finding: Finding): Promise<FileTarget> {
  const { found, nearest } = await definitionsOf(name, finding, scope);
  const [first, ...others] = found.map((hit) => ({ ...hit, path: `${scope.prefix}${hit.path}` }));
  if (first === undefined) throw noSuchName(name, nearest);
  return targetOf(first, others);
}

/** Finds the best definition of a name in the workspace. */
async function symbolAnywhere(name: string, finding: Finding): Promise<FileTarget | undefined> {
  const { found, nearest } = await definitionsOf(name, finding);
  const [first, ...others] = found;
  if (first !== undefined) return targetOf(first, others);
  const similar = await existingNames(name, nearest, finding);
  // A text that no symbol resembles is more likely the name of a missing file.
  if (similar.length > 0) throw noSuchName(name, similar);
  return undefined;
}

async function definitionsOf(
  name: string,
  { services, workspace, signal, ref }: Finding,
  scope: CodeScope = scopeOf(workspace.path, undefined),
): Promise<{ readonly found: readonly Hit[]; readonly nearest: readonly string[] }> {
  const index = await services.index();
  const { hits, nearest = [] } = await index.locate({
    root: scope.root,
    ...(scope.path !== undefined && { path: scope.path }),
    name,
    limit: MAX_DEFINITIONS,
    offset: 0,
    level: "signature",
    policy: services.config.query.freshness_policy,
    signal,
    ...(ref !== undefined && { ref }),
  });
  return { found: hits.filter((hit) => hit.match === undefined && isQualifiedBy(hit, name)), nearest };
}

/** The similar names that exist; of a dotted name, only those that have the same names before them. */
async function existingNames(
  name: string,
  nearest: readonly string[],
  finding: Finding,
): Promise<readonly string[]> {
  const last = partsOf(name).at(-1) ?? name;
  const before = name.slice(0, name.length - last.length);
  if (before === "") return nearest;
  const full = nearest.map((one) => `${before}${one}`);
  const definitions = await Promise.all(full.map((one) => definitionsOf(one, finding)));
  return full.filter((_, i) => (definitions[i]?.found.length ?? 0) > 0);
}

/**
 * Checks whether all parts of a dotted name fit a definition, and not only the last: `other.ts` is more likely a
 * missing file than a member `ts`.
 */
function isQualifiedBy({ path, owner, name = "", qualifiedName }: Hit, wanted: string): boolean {
  const parts = partsOf(wanted);
  if (parts.length < 2) return true;
  const module = basename(path, extname(path));
  const readings = [[...partsOf(owner ?? module), name], [module, name], partsOf(qualifiedName ?? "")];
  return readings.some((reading) => reading.slice(-parts.length).join("\0") === parts.join("\0"));
}

const MAX_DEFINITIONS = 6;

interface Definition {
  readonly path: string;
  readonly lineStart: number;
  readonly lineEnd: number;
}

function targetOf(found: Definition, others: readonly Definition[]): FileTarget {
  return {
    path: found.path,
    lines: { start: found.lineStart, end: found.lineEnd },
    symbol: { place: placeOf(found), others: others.map(placeOf) },
  };
}

function placeOf({ path, lineStart, lineEnd }: Definition): string {
  return `${path}:${lineStart}-${lineEnd}`;
}

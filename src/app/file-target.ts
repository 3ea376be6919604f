import { basename, extname } from "node:path";
import type { Services } from "./services.ts";
import { isResultId } from "../index/query/result-id.ts";
import { PithError } from "../kernel/errors.ts";
import { nearestNames } from "../kernel/nearest.ts";
import type { Hit } from "../model/hit.ts";
import type { CodeSymbol } from "../model/symbol.ts";
import type { Workspace } from "../workspace/workspaces.ts";

/**
 * The file and lines that an argument names. The argument may be a path, lines of a file, a symbol, or the id of a
 * search result.
 */
export interface FileTarget {
  readonly path: string;
  readonly lines?: Lines;
  /** The definition, if the caller named a symbol. The reply then names the file, because the caller did not. */
  readonly symbol?: FoundSymbol;
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
  const find = async (text: unknown): Promise<readonly FileTarget[]> => {
    if (typeof text !== "string") return [];
    return isList ? findTargets(text, finding) : [await findTarget(text, finding)];
  };
  const found = (await Promise.all(texts.map(find))).flat();
  if (found.length > MAX_TARGETS) throw tooManyTargets(tool, found.length);
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

/**
 * Finds the targets that a text names. It names several if it has blanks or commas and no file has that name:
 * `a.ts:10-40 b.ts#parse`.
 */
async function findTargets(text: string, finding: Finding): Promise<readonly FileTarget[]> {
  const parts = text.split(/[\s,]+/).filter((part) => part !== "");
  if (parts.length < 2 || (await namesFile(text, finding))) return [await findTarget(text, finding)];
  return Promise.all(parts.map((part) => findTarget(part, finding)));
}

/**
 * Checks whether the text is the name of a file, or lines of one, although blanks or commas make it look like several.
 */
async function namesFile(text: string, finding: Finding): Promise<boolean> {
  const paths = PLACES.flatMap((form) => form.exec(text)?.[1] ?? []);
  for (const path of [text, ...paths]) if (await exists(path, finding)) return true;
  return false;
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

/**
 * Match places in files as compilers, search tools and Pith's own replies write them. The reading with the longer file
 * name comes first.
 */
const PLACES: readonly RegExp[] = [
  // src/a.ts#L12-L40
  /^(.+)#L(\d+(?:-L?\d+)?)$/s,
  // src/a.ts:12 and src/a.ts:12-40
  /^(.+):(\d+(?:-\d*)?):?$/s,
  // src/a.ts:12:5
  /^(.+?):(\d+):\d+:?$/s,
];
/** The name of a symbol: `name`, `Class.method`, `mod::fn`. */
const NAME = /^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#|->)[\p{L}_$][\p{L}\p{N}_$]*)*$/u;

/** Reads the lines of a target: a single number means the lines around it, two numbers are a range. */
function withLines(text: string | undefined): { readonly lines?: Lines } {
  const [, start, dash, end] = /^(\d+)(-?)L?(\d*)$/.exec(text ?? "") ?? [];
  if (start === undefined) return {};
  if (dash === "") return { lines: { around: Number(start) } };
  return { lines: { start: Number(start), ...(end !== "" && { end: Number(end) }) } };
}

async function exists(path: string, { workspace }: Finding): Promise<boolean> {
  return (await workspace.resolve(path)).exists;
}

async function resultTarget(id: string, { services, workspace, signal, ref }: Finding): Promise<FileTarget> {
  const index = await services.index();
  const root = workspace.path.absolute;
  const found = await index.result({ root, id, signal, ...(ref !== undefined && { ref }) });
  return { path: found.path, lines: { start: found.lineStart, end: found.lineEnd } };
}

/** Finds the definition of a symbol in a file, such as `src/a.ts#createServer`. */
async function symbolInFile(text: string, finding: Finding): Promise<FileTarget | undefined> {
  const [, path = "", name = ""] = /^(.+?)#(.+)$/s.exec(text) ?? [];
  if (name === "" || !(await exists(path, finding))) return undefined;
  const { services, workspace, signal, ref } = finding;
  const index = await services.index();
  const { shown } = await workspace.resolve(path);
  const { symbols } = await index.outline({
    root: workspace.path.absolute,
    path: shown,
    depth: "all",
    signal,
    ...(ref !== undefined && { ref }),
  });
  const [first, ...others] = symbols.filter((symbol) => isNamed(symbol, name));
  if (first === undefined) throw noSuchSymbol(name, shown, symbols);
  return targetOf(
    { path: shown, ...first },
    others.map((symbol) => ({ path: shown, ...symbol })),
  );
}

/** Finds the best definition of a name in the workspace. */
async function symbolAnywhere(name: string, finding: Finding): Promise<FileTarget | undefined> {
  const { services, workspace, signal, ref } = finding;
  const index = await services.index();
  const { hits } = await index.locate({
    root: workspace.path.absolute,
    name,
    limit: MAX_DEFINITIONS,
    offset: 0,
    level: "signature",
    policy: services.config.query.freshness_policy,
    signal,
    ...(ref !== undefined && { ref }),
  });
  const [first, ...others] = hits.filter((hit) => hit.match === undefined && isQualifiedBy(hit, name));
  return first && targetOf(first, others);
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

function isNamed(symbol: CodeSymbol, name: string): boolean {
  const parts = partsOf(name);
  return (
    symbol.name === name || partsOf(symbol.qualifiedName).slice(-parts.length).join("\0") === parts.join("\0")
  );
}

function partsOf(name: string): string[] {
  return name.split(/\.|::|#|->/);
}

function noSuchSymbol(name: string, path: string, symbols: readonly CodeSymbol[]): PithError {
  const nearest = nearestNames(
    name,
    symbols.map((symbol) => symbol.name),
  );
  return new PithError("symbol_not_found", `${path} has no symbol ${JSON.stringify(name.slice(0, 100))}`, {
    ...(nearest.length > 0 && { nearest, suggestion: `Did you mean ${nearest.join(", ")}?` }),
  });
}

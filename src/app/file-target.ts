import type { Services } from "./services.ts";
import { isResultId } from "../index/query/result-id.ts";
import { PithError } from "../kernel/errors.ts";
import { nearestNames } from "../kernel/nearest.ts";
import type { CodeSymbol } from "../model/symbol.ts";
import type { Workspace } from "../workspace/workspaces.ts";
import type { AnyTool } from "./tool.ts";

/** The file and lines that an argument stands for. It may be a path, lines of a file, a symbol, or a result id. */
export interface FileTarget {
  readonly path: string;
  readonly lines?: Lines;
  /** The definition of a named symbol. The reply names its place, because the caller did not. */
  readonly symbol?: FoundSymbol;
}

type Lines = { readonly start: number; readonly end?: number } | { readonly around: number };

export interface FoundSymbol {
  readonly place: string;
  /** Other definitions of the same name, in a form that the tool accepts. */
  readonly others: readonly string[];
}

interface TargetContext {
  readonly services: Services;
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
}

/** Replaces a target in the tool's arguments by its file and lines, so that they are checked like any others. */
export async function resolveTarget(
  { targets }: AnyTool,
  values: Record<string, unknown>,
  context: TargetContext,
): Promise<FoundSymbol | undefined> {
  if (targets === undefined) return undefined;
  const text = values[targets.path];
  if (typeof text !== "string") return undefined;
  const ref = values["ref"];
  const target = await findTarget(text, { ...context, ...(typeof ref === "string" && { ref }) });
  values[targets.path] = target.path;
  const names = targets.lines;
  const isGiven = names === undefined || Object.values(names).some((name) => values[name] !== undefined);
  // Lines in other arguments take precedence, because they may ask for the rest of an earlier reply.
  if (isGiven || target.lines === undefined) return target.symbol;
  if ("around" in target.lines) values[names.around] = target.lines.around;
  else {
    values[names.start] = target.lines.start;
    values[names.end] = target.lines.end;
  }
  return target.symbol;
}

type Finding = TargetContext & { readonly ref?: string };

/** Finds what a text refers to. An existing file of that name wins over every other reading. */
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

/** Places as compilers, search tools and our own replies write them. The reading with the longer file name comes first. */
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

/** A single line means the lines around it; two lines are a range. */
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
    level: "location",
    policy: services.config.query.freshness_policy,
    signal,
    ...(ref !== undefined && { ref }),
  });
  const [first, ...others] = hits.filter((hit) => hit.match === undefined);
  return first && targetOf(first, others);
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

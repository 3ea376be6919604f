import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { CodeIndex } from "../../../src/index/service.ts";
import { placesOf } from "./places.ts";

/** The functions that each function calls, by their full names: `main.A.f`. The top of a file has the file's name. */
type CallGraph = Readonly<Record<string, readonly string[]>>;

export interface CallGraphScore {
  /** Calls of functions that Pith lists in outlines, by functions with a name. */
  readonly calls: number;
  /** Share of the calls for which the calling function is listed as one that uses the called one. */
  readonly recall: number;
  /** Share of the calls listed as sure that are in the call graph. */
  readonly surePrecision: number;
  readonly wronglySure: number;
}

/**
 * Compares the callers that Pith lists with the call graphs of PyCG's micro-benchmark. Those follow values through
 * variables, lists and returned functions, which Pith does not: it lists the place where the function is named.
 */
export async function scoreCallGraphs(
  root: string,
  index: CodeIndex,
  tell: (text: string) => void,
): Promise<CallGraphScore> {
  const total = { calls: 0, found: 0, sure: 0, wronglySure: 0 };
  const snippets = join(root, "micro-benchmark/snippets");
  for (const path of readdirSync(snippets, { recursive: true, encoding: "utf8" }).sort()) {
    if (!path.endsWith("callgraph.json")) continue;
    const folder = join(snippets, path, "..");
    const graph = JSON.parse(readFileSync(join(folder, "callgraph.json"), "utf8")) as CallGraph;
    await judge(graph, folder, index, {
      total,
      tell: (text) => tell(`${relative(snippets, folder)} ${text}`),
    });
  }
  const share = (part: number, whole: number): number =>
    Math.round((1000 * part) / Math.max(1, whole)) / 1000;
  return {
    calls: total.calls,
    recall: share(total.found, total.calls),
    surePrecision: share(total.sure - total.wronglySure, total.sure),
    wronglySure: total.wronglySure,
  };
}

interface Judging {
  readonly total: { calls: number; found: number; sure: number; wronglySure: number };
  readonly tell: (text: string) => void;
}

async function judge(
  graph: CallGraph,
  folder: string,
  index: CodeIndex,
  { total, tell }: Judging,
): Promise<void> {
  const called = new Set(Object.values(graph).flat());
  for (const name of new Set([...Object.keys(graph), ...called])) {
    const file = fileOf(folder, name);
    if (file === undefined || file.rest === "" || name.includes("<")) continue;
    const { definitions, listed } = await placesOf(index, folder, { name: file.rest, path: file.path });
    if (definitions.length !== 1) continue;
    const isCaller = (caller: string, { path, within }: { path: string; within?: string }): boolean => {
      const module = path.replace(/(?:\/__init__)?\.py$/u, "").replaceAll("/", ".");
      return within === undefined
        ? caller === module
        : caller.startsWith(module) && caller.endsWith(`.${within}`);
    };
    for (const [caller, callees] of Object.entries(graph)) {
      if (!callees.includes(name) || caller.includes("<") || caller === name) continue;
      total.calls++;
      if (listed.some((place) => isCaller(caller, place))) total.found++;
      else tell(`${caller} calls ${name}: missed`);
    }
    for (const place of listed) {
      if (place.certainty !== "sure" || place.role !== "call") continue;
      total.sure++;
      const isTrue = Object.entries(graph).some(
        ([caller, callees]) => callees.includes(name) && (isCaller(caller, place) || caller.includes("<")),
      );
      if (isTrue) continue;
      total.wronglySure++;
      tell(`${place.path}:${place.line} sure call of ${name}`);
    }
  }
}

/** Finds the file of a full name and the rest of the name inside of it. */
function fileOf(folder: string, name: string): { readonly path: string; readonly rest: string } | undefined {
  const parts = name.split(".");
  for (let count = parts.length; count > 0; count--) {
    const base = parts.slice(0, count).join("/");
    for (const path of [`${base}.py`, `${base}/__init__.py`])
      if (existsSync(join(folder, path))) return { path, rest: parts.slice(count).join(".") };
  }
  return undefined;
}

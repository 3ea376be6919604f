import { basename, dirname, isAbsolute, relative, sep } from "node:path";
import { PithError } from "../kernel/errors.ts";
import type { CodeAnswer, Hit, SymbolPlace } from "../model/hit.ts";
import type { Overview } from "../model/overview.ts";
import type { JailedPath, PathScope } from "../workspace/jail.ts";

/** The folder in which a question about code is answered, and the text that its paths begin with in the reply. */
export interface CodeScope extends PathScope {
  /** The folder, file or glob inside of it that the caller named. */
  readonly path?: string;
}

/** Returns the folder that a question is about: that of the path, if it is a dependency, or the workspace. */
export function scopeOf(workspace: JailedPath, path: JailedPath | undefined): CodeScope {
  const scope = path?.scope;
  if (path === undefined || scope === undefined)
    return { root: workspace.absolute, prefix: "", ...(path !== undefined && { path: path.shown }) };
  const inside = insideOf(path, scope);
  return { ...scope, ...(inside !== "" && { path: inside }) };
}

/** Returns the path of a file inside its scope. */
function insideOf({ absolute }: JailedPath, { root }: PathScope): string {
  const inside = relative(root, absolute).replaceAll(sep, "/");
  return isAbsolute(inside) ? "" : inside;
}

/** Returns the folder and the name of a package that is a single file. */
export function singleFile({ root }: CodeScope): { readonly root: string; readonly path: string } {
  return { root: dirname(root), path: basename(root) };
}

/** Throws for a package that is a single file, in which there is nothing to search. */
export function mustBeSearchable(scope: CodeScope): void {
  const { package: found } = scope;
  if (found?.isFile !== true) return;
  throw new PithError("invalid_input", `${found.prefix} is the single file ${singleFile(scope).path}`, {
    suggestion: [
      { text: "See its definitions: CALL", call: { tool: "get_file_outline", args: { path: found.prefix } } },
      { text: "Read it instead." },
    ],
  });
}

/** Puts the prefix of a scope before every path of an answer. */
export function withPrefix(answer: CodeAnswer, prefix: string): CodeAnswer {
  if (prefix === "") return answer;
  return { ...answer, hits: answer.hits.map((hit) => prefixed(hit, prefix)) };
}

/** Puts the prefix of a scope before every path of a map. */
export function withOverviewPrefix(overview: Overview, prefix: string): Overview {
  if (prefix === "") return overview;
  const moved = <T extends { readonly path: string }>(one: T): T => ({
    ...one,
    path: `${prefix}${one.path}`,
  });
  return {
    ...overview,
    path: overview.path === "." ? prefix.replace(/[/:]$/, "") : `${prefix}${overview.path}`,
    entryPoints: overview.entryPoints.map(moved),
    areas: overview.areas.map(moved),
    used: overview.used.map(moved),
    dependsOn: overview.dependsOn.map(moved),
    usedBy: overview.usedBy.map(moved),
  };
}

function prefixed(hit: Hit, prefix: string): Hit {
  const place = (one: SymbolPlace): SymbolPlace => ({ ...one, path: `${prefix}${one.path}` });
  const { parent, related, callers, tests } = hit;
  return {
    ...hit,
    path: `${prefix}${hit.path}`,
    ...(parent !== undefined && { parent: place(parent) }),
    ...(related !== undefined && { related: related.map(place) }),
    ...(callers !== undefined && { callers: callers.map(place) }),
    ...(tests !== undefined && { tests: tests.map(place) }),
  };
}

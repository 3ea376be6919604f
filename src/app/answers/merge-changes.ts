import type { ChangeReport, OutsideUses, SymbolChange } from "../../model/changes.ts";

/** What changed in one of several projects. */
interface ProjectChanges {
  readonly project: string;
  readonly report: ChangeReport;
}

/** Merges what changed in several projects into one list, with the name of the project before each path. */
export function mergeChanges(parts: readonly ProjectChanges[]): ChangeReport {
  const reports = parts.map(({ project, report }) => withPrefix(report, `${project}:`));
  return {
    before: stateOf(parts, ({ before }) => before),
    after: stateOf(parts, ({ after }) => after),
    files: reports.flatMap(({ files }) => files),
    folded: reports.flatMap(({ folded }) => folded),
    outside: reports.flatMap(({ outside = [] }) => outside),
    elapsedMs: reports.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0),
  };
}

/** Names the state that all projects share, or that of each in which something changed. */
function stateOf(parts: readonly ProjectChanges[], state: (report: ChangeReport) => string): string {
  const changed = parts.filter(({ report: { files, folded } }) => files.length + folded.length > 0);
  const named = changed.length === 0 ? parts : changed;
  const states = named.map(({ report }) => state(report));
  if (new Set(states).size === 1) return states[0] ?? "";
  return named.map(({ project }, at) => `${project} ${states[at] ?? ""}`).join(", ");
}

function withPrefix(report: ChangeReport, prefix: string): ChangeReport {
  const moved = <T extends { readonly path: string; readonly oldPath?: string }>(one: T): T => ({
    ...one,
    path: `${prefix}${one.path}`,
    ...(one.oldPath !== undefined && { oldPath: `${prefix}${one.oldPath}` }),
  });
  return {
    ...report,
    files: report.files.map((file) => ({
      ...moved(file),
      ...(file.oldImports !== undefined && { oldImports: usesWithPrefix(file.oldImports, prefix) }),
      symbols: file.symbols.map((symbol) => symbolWithPrefix(symbol, prefix)),
    })),
    folded: report.folded.map(moved),
  };
}

function symbolWithPrefix(symbol: SymbolChange, prefix: string): SymbolChange {
  const { oldPath, newPath, usedOutside } = symbol;
  return {
    ...symbol,
    ...(oldPath !== undefined && { oldPath: `${prefix}${oldPath}` }),
    ...(newPath !== undefined && { newPath: `${prefix}${newPath}` }),
    ...(usedOutside !== undefined && { usedOutside: usesWithPrefix(usedOutside, prefix) }),
  };
}

function usesWithPrefix(uses: OutsideUses, prefix: string): OutsideUses {
  return { ...uses, places: uses.places.map((one) => ({ ...one, path: `${prefix}${one.path}` })) };
}

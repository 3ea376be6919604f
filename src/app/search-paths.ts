import type { Workspace } from "../workspace/workspaces.ts";
import { splitTargets } from "./target-texts.ts";

/** The names of the arguments of a search that hold its files and folders, and the globs of those to leave out. */
export interface SearchPathArguments<Name extends string> {
  readonly path: Name;
  readonly excluded: Name;
}

/**
 * Splits the paths of a search, which may be several in one text (`src lib`), and moves those that begin with `!` to the
 * globs of what to leave out: `src !test/ !*.lock`. Without any other path, the whole workspace is searched.
 */
export async function splitSearchPaths(
  { path, excluded }: SearchPathArguments<string>,
  values: Record<string, unknown>,
  workspace: Workspace,
): Promise<void> {
  const given = textsIn(values[path]);
  if (given.length === 0) return;
  const exists = async (text: string): Promise<boolean> =>
    isExcluded(text) ? !/[\s,]/.test(text) : (await workspace.resolve(text)).exists;
  const found = await Promise.all(
    given.map((text) => splitTargets(text, { exists, isSplitOnlyAtFiles: true })),
  );
  const paths = found.flat();
  const searched = paths.filter((text) => !isExcluded(text));
  values[path] = searched.length === 0 ? undefined : searched;
  values[excluded] = [...textsIn(values[excluded]), ...paths.filter(isExcluded)];
}

function isExcluded(text: string): boolean {
  return text.length > 1 && text.startsWith("!");
}

function textsIn(value: unknown): string[] {
  return [value].flat().filter((one): one is string => typeof one === "string");
}

import type { Budget } from "../kernel/budget.ts";
import { estimateTokens } from "../kernel/tokens.ts";
import type { DiagnosticGroup } from "../model/diagnostic-group.ts";
import { footnoted } from "./footnotes.ts";
import { piecesOf } from "./layout.ts";
import { folderOf } from "./path-lines.ts";
import type { ListStyle } from "./places.ts";

export interface RenderedDiagnostics {
  readonly text: string;
  readonly shown: number;
  readonly total: number;
}

/** A folder that all share is named once where that saves at least so many tokens. */
const MIN_SAVED = 40;
const MIN_SAVED_DENSE = 8;

/** Nothing is left out that makes a list easy to read. */
const EASY: ListStyle = { dense: false, letters: true };

/**
 * Every diagnostic in the fewest tokens: message templates with `file:lines` under them. What is said of one file only is listed under that
 * file. A folder that all files share is named once, before the list.
 */
export function renderDiagnostics(
  groups: readonly DiagnosticGroup[],
  budget: Budget,
  list: ListStyle = EASY,
): RenderedDiagnostics {
  const total = groups.reduce((sum, group) => sum + group.count, 0);
  const style = { ...list, namesTools: new Set(groups.map((group) => group.tool)).size > 1 };
  const folder = sharedFolder(groups, style.dense ? MIN_SAVED_DENSE : MIN_SAVED);
  const noted = footnoted(saidOnce(below(groups, folder)));
  const lines = folder === "" ? [] : [`in ${folder}`];
  budget.reserve(lines.join());
  let shown = 0;
  let above: readonly string[] = [];
  for (const piece of piecesOf(noted.groups, style)) {
    const known = piece.heads.findIndex((head, index) => head !== above[index]);
    const heads = known < 0 ? [] : piece.heads.slice(known);
    const own = [...heads, piece.text].join("\n");
    const text = [...noted.notesFor(own), own].join("\n");
    if (!budget.take(`${text}\n`)) break;
    lines.push(text);
    shown += piece.diagnostics;
    above = piece.heads;
  }
  return { text: shown === 0 ? "" : lines.join("\n"), shown, total };
}
/** The folder that all files are in, where naming it once is worth a line. */
function sharedFolder(groups: readonly DiagnosticGroup[], minSaved: number): string {
  const folders = groups.flatMap((group) => [
    ...new Set(group.files.flatMap(({ file }) => (file === undefined ? [] : [folderOf(file)]))),
  ]);
  let [shared = ""] = folders;
  for (const folder of folders) while (!folder.startsWith(shared)) shared = folderOf(shared.slice(0, -1));
  return (folders.length - 1) * estimateTokens(shared) - 2 >= minSaved ? shared : "";
}

function below(groups: readonly DiagnosticGroup[], folder: string): readonly DiagnosticGroup[] {
  if (folder === "") return groups;
  const shortened = (file: string): string => (file.startsWith(folder) ? file.slice(folder.length) : file);
  return groups.map((group) => ({
    ...group,
    files: group.files.map(({ file, places }) => ({
      ...(file === undefined ? {} : { file: shortened(file) }),
      places: places.map((place) =>
        place.related === undefined
          ? place
          : { ...place, related: place.related.map((one) => ({ ...one, file: shortened(one.file) })) },
      ),
    })),
  }));
}

/** What explains a rule stands at its first use only. */
function saidOnce(groups: readonly DiagnosticGroup[]): DiagnosticGroup[] {
  const said = new Set<string>();
  return groups.map(({ url, help, ...group }) => {
    // Without a code it is not known to be the same rule.
    const rule = group.code ?? group.template;
    const newHelp = help?.filter((line) => !said.has(`${rule}\0${line}`));
    for (const line of newHelp ?? []) said.add(`${rule}\0${line}`);
    const known = [group.template, ...(help ?? [])].some((text) => url !== undefined && text.includes(url));
    const newUrl = url === undefined || known || said.has(url) ? undefined : url;
    if (newUrl !== undefined) said.add(newUrl);
    return {
      ...group,
      ...(newUrl === undefined ? {} : { url: newUrl }),
      ...(newHelp === undefined || newHelp.length === 0 ? {} : { help: newHelp }),
    };
  });
}

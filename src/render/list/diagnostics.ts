import type { Budget } from "../../kernel/budget.ts";
import type { DiagnosticGroup } from "../../model/diagnostic-group.ts";
import { baseLine, baseOf, seenFrom } from "./base-folder.ts";
import { inFamilies } from "./families.ts";
import { beginningOfFirst } from "./first-diagnostic.ts";
import { footnoted } from "./footnotes.ts";
import { piecesOf } from "./layout.ts";
import type { ListStyle } from "./places.ts";
import { inTwos } from "./two-messages.ts";

export interface RenderedDiagnostics {
  readonly text: string;
  readonly shown: number;
  readonly total: number;
}

/** Nothing is left out that makes a list easy to read. */
const EASY: ListStyle = { dense: false, letters: true };

/**
 * Every diagnostic in the fewest tokens: message templates with `file:lines` under them. What is said of one file only is listed under that
 * file. What all paths have in common is said once, before the list.
 */
export function renderDiagnostics(
  groups: readonly DiagnosticGroup[],
  budget: Budget,
  list: ListStyle = EASY,
): RenderedDiagnostics {
  const total = groups.reduce((sum, group) => sum + group.count, 0);
  const style = { ...list, namesTools: new Set(groups.map((group) => group.tool)).size > 1 };
  const base = baseOf(groups, style.dense);
  const noted = footnoted(saidOnce(seenFrom(groups, base)));
  const lines = [baseLine(base)].filter(Boolean);
  budget.reserve(lines.join());
  let shown = 0;
  let above: readonly string[] = [];
  const pieces = style.dense
    ? inFamilies(piecesOf(inTwos(noted.groups), style))
    : piecesOf(noted.groups, style);
  for (const piece of pieces) {
    const known = piece.heads.findIndex((head, index) => head !== above[index]);
    const heads = known < 0 ? [] : piece.heads.slice(known);
    const own = [...heads, piece.text].join("\n");
    const text = [...noted.notesFor(own), own].join("\n");
    if (!budget.take(`${text}\n`)) break;
    lines.push(text);
    shown += piece.diagnostics;
    above = piece.heads;
  }
  if (shown > 0) return { text: lines.join("\n"), shown, total };
  const first = beginningOfFirst(groups, budget, style);
  return first === undefined ? { text: "", shown, total } : { text: first, shown: 1, total };
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

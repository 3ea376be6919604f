import type { Budget } from "../../../kernel/budget.ts";
import { groupBy } from "../../../kernel/group-by.ts";
import { pluralize } from "../../../kernel/pluralize.ts";
import type {
  ChangeReport,
  FileChange,
  FoldedChange,
  OutsideUses,
  SymbolChange,
  SymbolChangeKind,
} from "../../../model/changes.ts";
import { maskedAt } from "../../../model/masked.ts";
import { maskedNoteSample, shownSecrets } from "../../masked-note.ts";
import { EVERY_TOOL, type Reader, spellAgain, spellFor } from "../../reader/reader.ts";
import { jsonReply, type Rendered, type View } from "../../rendered.ts";
import { shownPath } from "../../shown-path.ts";
import { labelOf } from "./change-label.ts";
import type { SearchedParts } from "../hits-data.ts";
import { PROTOCOL_VERSION } from "../hits-fields.ts";
import { projectFields, projectNotes } from "../project-notes.ts";

/** What changed between two states, and the position of the page to show. */
export interface ChangesData {
  readonly changes: ChangeReport;
  /** The projects whose changes these are, if there are several. */
  readonly projects?: SearchedParts;
  /** The number of changes on earlier pages. */
  readonly offset: number;
  readonly cursorAfter: (shown: number) => string;
}

/** One line of the list: a changed definition, or a file without any. */
interface Entry {
  readonly file: FileChange;
  readonly symbol?: SymbolChange;
}

const REST_SAMPLE = "+12345 more changes: cursor=1234.abcdef";
/** The most paths that a line about folded files names. */
const MAX_FOLDED = 5;

/** Writes the changed definitions by file: those that were added, removed or renamed, and what changed of the others. */
export function renderChanges(data: ChangesData, view: View): Rendered {
  const { changes, offset } = data;
  const { format, budget, reader = EVERY_TOOL } = view;
  const secrets = changes.files.flatMap(({ path, masked = [] }) => masked.map((one) => ({ ...one, path })));
  budget.reserve(maskedNoteSample(maskedAt(secrets)));
  const entries = changes.files.flatMap(entriesOf);
  const meta = metaOf(changes);
  if (format === "json") return jsonReply(changesJson(data, entries, budget), { meta });
  const head = headOf(changes);
  const unnamed = unnamedOf(changes.folded);
  const isLast = offset >= entries.length && offset > 0;
  const folded = isLast ? [] : foldedLines(changes.folded);
  const notes = [
    ...outsideNotes(changes, reader),
    ...placeNotes(changes, reader),
    ...projectNotes(data.projects),
  ];
  for (const line of [...head, ...folded, ...notes, REST_SAMPLE]) budget.reserve(`${line}\n`);
  const isMarkdown = format === "markdown";
  const lines: string[] = [];
  let shown = 0;
  let last: FileChange | undefined;
  for (const entry of entries.slice(offset)) {
    const heading = entry.file === last ? [] : [fileLine(entry.file, isMarkdown)];
    const own = [...heading, ...symbolLines(entry, isMarkdown)];
    // The first entry is always shown, so that a cursor makes progress.
    if (!budget.take(`${own.join("\n")}\n`) && shown > 0) break;
    lines.push(...own);
    last = entry.file;
    shown++;
  }
  // Files that are only named and did not fit into the lines about them come last.
  for (const file of isLast ? unnamed.slice(offset - entries.length) : []) {
    const own = `(${file.why}: ${foldedName(file)})`;
    if (!budget.take(`${own}\n`) && shown > 0) break;
    lines.push(own);
    shown++;
  }
  const left = Math.max(0, entries.length - offset - shown);
  const namesLeft = unnamed.length - Math.max(0, offset + shown - entries.length);
  const cursor = data.cursorAfter(offset + shown);
  const again = spellAgain(reader, { cursor });
  const rest =
    left > 0
      ? [`+${pluralize(left, "more change")}: ${again}`]
      : namesLeft > 0
        ? [`+${pluralize(namesLeft, "more file")}: ${again}`]
        : [];
  const text = [...head, ...lines, ...(left === 0 ? folded : []), ...rest, ...notes].join("\n");
  return {
    text,
    meta: { ...meta, ...(rest.length > 0 && { cursor }) },
    masked: shownSecrets(secrets, text),
  };
}

function entriesOf(file: FileChange): readonly Entry[] {
  return file.symbols.length === 0 ? [{ file }] : file.symbols.map((symbol) => ({ file, symbol }));
}

function metaOf(changes: ChangeReport): Record<string, unknown> {
  const { before, after, files, folded } = changes;
  return {
    pith_protocol_version: PROTOCOL_VERSION,
    before,
    after,
    total: files.length + folded.length,
    ...countsOf(changes),
  };
}

const WORDS: Readonly<Record<SymbolChangeKind, string>> = {
  added: "added",
  removed: "removed",
  signature: "with a new signature",
  body: "with a new body",
  annotation: "with a new comment or annotation",
  renamed: "renamed",
  moved: "moved",
};

function countsOf({ files }: ChangeReport): Partial<Record<SymbolChangeKind, number>> {
  const counts: Partial<Record<SymbolChangeKind, number>> = {};
  const paths = new Set(files.map(({ path }) => path));
  for (const { symbols } of files)
    for (const { change, newPath } of symbols)
      // What was moved is in both files, and counts once.
      if (newPath === undefined || !paths.has(newPath)) counts[change] = (counts[change] ?? 0) + 1;
  return counts;
}

function headOf(changes: ChangeReport): string[] {
  const { before, after, files, folded } = changes;
  const counts = countsOf(changes);
  const kinds = Object.keys(WORDS).filter((kind): kind is SymbolChangeKind => kind in counts);
  const what = kinds.map((kind) => `${counts[kind]} ${WORDS[kind]}`).join(", ");
  const total = files.length + folded.length;
  const states = `${before} to ${after}`;
  if (total === 0) return [`No changes from ${states}`];
  const about = what === "" ? "" : `; definitions: ${what}`;
  return [`Changes from ${states}: ${pluralize(total, "file")}${about}`];
}

function fileLine(file: FileChange, isMarkdown: boolean): string {
  const { path, status, oldPath, hasOtherLines, onlyFormat, isBroken, oldImports, symbols } = file;
  const isPlain = symbols.length === 0 && status === "modified" && !hasOtherLines && onlyFormat === undefined;
  const notes = [
    ...(file.notes ?? []),
    ...(isBroken ? ["syntax error: definitions may be missing here"] : []),
    ...(oldPath === undefined
      ? status === "modified"
        ? []
        : [status]
      : [`renamed from ${shownPath(oldPath)}`]),
    ...(hasOtherLines
      ? [symbols.length === 0 ? "only lines outside of definitions" : "also other lines"]
      : []),
    ...(onlyFormat === undefined ? [] : [`only ${onlyFormat}`]),
    ...(isPlain ? ["only text beside definitions, or their order"] : []),
  ];
  const name = isMarkdown ? `## ${shownPath(path)}` : shownPath(path);
  const line = notes.length === 0 ? name : `${name} (${notes.join("; ")})`;
  return oldImports === undefined
    ? line
    : `${line}\n${isMarkdown ? "\n" : " "}still imported by its old path: ${placesText(oldImports)}`;
}

/** The marks of the list: `+` added, `-` removed, `!` new signature, `~` new body, `>` renamed or moved. */
const MARKS: Readonly<Record<SymbolChangeKind, string>> = {
  added: "+",
  removed: "-",
  signature: "!",
  body: "~",
  annotation: "~",
  renamed: ">",
  moved: ">",
};

function symbolLines({ symbol }: Entry, isMarkdown: boolean): string[] {
  return symbol === undefined ? [] : changeLines(symbol, isMarkdown);
}

/** Describes one changed definition: what it is now, what it was, and where it is still used as it was. */
export function changeLines(symbol: SymbolChange, isMarkdown: boolean): string[] {
  const { change, lineStart, lineEnd, members, hasNewBody, oldPath, newPath, newName } = symbol;
  const { label, was, oldName } = labelOf(symbol);
  const lines = lineEnd > lineStart ? `${lineStart}-${lineEnd}` : `${lineStart}`;
  const notes = [
    ...(change === "body" ? ["body"] : []),
    ...(change === "annotation" ? ["only a comment or annotation above"] : []),
    ...(change === "renamed" ? [`renamed from ${oldName ?? ""}`] : []),
    ...(newPath === undefined
      ? []
      : [`moved to ${shownPath(newPath)}${newName === undefined ? "" : `, ${newName}`}`]),
    ...(change === "moved" && newPath === undefined
      ? [`moved from ${shownPath(oldPath ?? "")}${oldName === undefined ? "" : `, ${oldName}`}`]
      : []),
    ...(change === "signature" && hasNewBody === true ? ["and body"] : []),
    ...(hasNewBody === true && (change === "moved" || change === "renamed") ? ["body changed"] : []),
    ...(members === undefined ? [] : [`with ${pluralize(members, "member")}`]),
  ];
  const note = notes.length === 0 ? "" : ` (${notes.join("; ")})`;
  const indent = isMarkdown ? "- " : " ";
  const first = `${indent}${MARKS[change]} ${lines} ${label}${note}`;
  const indented = isMarkdown ? "  " : "   ";
  const uses = usesText(symbol);
  return [
    first,
    ...(was === undefined ? [] : [`${indented}was ${was}`]),
    ...(uses === undefined ? [] : [`${indented}${uses}`]),
  ];
}

/** The most places that a line about uses names. */
const MAX_PLACES = 4;

const REASONS = {
  "too many changes": "too many changes",
  "common name": "too many files have this name",
  "unstaged edits": "files have edits that are not staged",
} as const;

/** Says what else changed in the repository around a workspace that is only a folder of it. */
function outsideNotes({ outside = [] }: ChangeReport, reader: Reader): string[] {
  return outside.map(({ folder, top, files }) => {
    const again = spellAgain(reader, { workspace: top });
    return `[${pluralize(files, "file")} changed outside of ${shownPath(folder)}/: ${again}]`;
  });
}

/** Says how to see what the lines about users leave out. */
function placeNotes({ files }: ChangeReport, reader: Reader): string[] {
  const looked = files.flatMap(({ path, symbols }) =>
    symbols.flatMap(({ usedOutside }) => (usedOutside === undefined ? [] : [{ path, ...usedOutside }])),
  );
  const isCut = looked.some(
    ({ total, possible }) => total > MAX_PLACES || (total === 0 && possible > MAX_PLACES),
  );
  const all = spellFor(reader)({ tool: "locate_symbol", args: { name: "NAME", relation: "uses" } });
  const unknown = looked.find(({ notLookedUp }) => notLookedUp === "too many changes");
  return [
    ...(isCut && all !== undefined ? [`[all places of a name: ${all}]`] : []),
    ...(unknown === undefined
      ? []
      : [`[uses of fewer changes are looked up: ${spellAgain(reader, { path: unknown.path })}]`]),
  ];
}

/** Names the first places, and counts the others. */
function placesText({ total, places, possible }: OutsideUses): string {
  const named = places.slice(0, MAX_PLACES).map(({ path, line, within }, at) => {
    // The path of the place before stands for those that follow in the same file.
    const file = places[at - 1]?.path === path ? "" : shownPath(path);
    return `${file}:${line}${within ? ` ${within}` : ""}`;
  });
  const more = (total === 0 ? possible : total) - named.length;
  return [...named, ...(more > 0 ? [`+${more} more`] : [])].join(", ");
}

/** Where code outside of the change still uses a definition. */
function usesText({ usedOutside }: SymbolChange): string | undefined {
  if (usedOutside === undefined) return undefined;
  const { total, possible, notLookedUp } = usedOutside;
  if (notLookedUp !== undefined) return `uses not looked up: ${REASONS[notLookedUp]}`;
  const list = placesText(usedOutside);
  if (total === 0) return `possibly used outside: ${list}`;
  return `still used outside: ${list}${possible > 0 ? `; ${possible} possible` : ""}`;
}

/** One line for each reason why files are only named. */
function foldedLines(folded: readonly FoldedChange[]): string[] {
  return Array.from(
    groupBy(folded, ({ why }) => why),
    ([why, files]) => {
      const named = files.slice(0, MAX_FOLDED).map(foldedName);
      const more = files.length - named.length;
      return `(${why}: ${[...named, ...(more > 0 ? [`+${more} more`] : [])].join(", ")})`;
    },
  );
}

/** The folded files that the lines about them do not name. */
function unnamedOf(folded: readonly FoldedChange[]): readonly FoldedChange[] {
  return [...groupBy(folded, ({ why }) => why).values()].flatMap((files) => files.slice(MAX_FOLDED));
}

function foldedName({ path, status, oldPath, notes = [] }: FoldedChange): string {
  const how = oldPath === undefined ? status : `renamed from ${shownPath(oldPath)}`;
  const also = notes.length === 0 ? [] : [`(${notes.join("; ")})`];
  return [shownPath(path), ...(how === "modified" ? [] : [how]), ...also].join(" ");
}

function changesJson(
  { changes, projects, offset, cursorAfter }: ChangesData,
  entries: readonly Entry[],
  budget: Budget,
): object {
  const { before, after, folded, outside = [], elapsedMs } = changes;
  const frame = {
    before,
    after,
    counts: countsOf(changes),
    total_files: changes.files.length + folded.length,
    ...(outside.length > 0 && { outside }),
    ...projectFields(projects),
  };
  const unnamed = unnamedOf(folded);
  const isLast = offset >= entries.length && offset > 0;
  const foldedJson = isLast ? [] : folded.filter((file) => !unnamed.includes(file));
  budget.reserve(JSON.stringify({ ...frame, folded: foldedJson }) + JSON.stringify({ cursor: REST_SAMPLE }));
  const files: { path: string; changes: object[] }[] = [];
  let shown = 0;
  for (const { file, symbol } of entries.slice(offset)) {
    const known = files.at(-1)?.path === file.path ? files.at(-1) : undefined;
    const row = symbol === undefined ? [] : [symbolJson(symbol)];
    const { path, status, oldPath, notes, hasOtherLines, onlyFormat, isBroken, oldImports } = file;
    const head = {
      path,
      status,
      ...(oldPath !== undefined && { old_path: oldPath }),
      ...(notes !== undefined && { notes }),
      ...(hasOtherLines && { other_lines: true }),
      ...(onlyFormat !== undefined && { only: onlyFormat }),
      ...(isBroken === true && { syntax_error: true }),
      ...(oldImports !== undefined && {
        imported_by_old_path: { total: oldImports.total, places: oldImports.places.slice(0, MAX_PLACES) },
      }),
    };
    if (!budget.take(JSON.stringify([...(known === undefined ? [head] : []), ...row])) && shown > 0) break;
    if (known === undefined) files.push({ ...head, changes: row });
    else known.changes.push(...row);
    shown++;
  }
  for (const file of isLast ? unnamed.slice(offset - entries.length) : []) {
    if (!budget.take(JSON.stringify(file)) && shown > 0) break;
    foldedJson.push(file);
    shown++;
  }
  const left = Math.max(0, entries.length - offset - shown);
  const foldedLeft = unnamed.length - Math.max(0, offset + shown - entries.length);
  return {
    ...frame,
    files,
    ...(foldedJson.length > 0 && { folded: foldedJson.map(foldedJsonOf) }),
    ...(foldedLeft > 0 && { folded_left_out: foldedLeft }),
    ...(left > 0 && { changes_left_out: left }),
    ...(left + foldedLeft > 0 && { cursor: cursorAfter(offset + shown) }),
    latency_ms: elapsedMs,
  };
}

function foldedJsonOf({ path, status, oldPath, notes, why }: FoldedChange): object {
  return {
    path,
    status,
    ...(oldPath !== undefined && { old_path: oldPath }),
    ...(notes !== undefined && { notes }),
    why,
  };
}

function symbolJson(symbol: SymbolChange): object {
  const { change, kind, qualifiedName, signature, lineStart, lineEnd, ...more } = symbol;
  return {
    change,
    kind,
    name: qualifiedName,
    line_start: lineStart,
    line_end: lineEnd,
    signature,
    ...(more.oldSignature !== undefined && { old_signature: more.oldSignature }),
    ...(more.oldName !== undefined && { old_name: more.oldName }),
    ...(more.oldPath !== undefined && { old_path: more.oldPath }),
    ...(more.newPath !== undefined && { new_path: more.newPath }),
    ...(more.newName !== undefined && { new_name: more.newName }),
    ...(more.hasNewBody === true && { body_changed: true }),
    ...(more.members !== undefined && { members: more.members }),
    ...(more.usedOutside !== undefined && {
      used_outside: {
        total: more.usedOutside.total,
        places: more.usedOutside.places.slice(0, MAX_PLACES),
        ...(more.usedOutside.possible > 0 && { possible: more.usedOutside.possible }),
        ...(more.usedOutside.notLookedUp !== undefined && { looked_up: false }),
      },
    }),
  };
}

import type { Budget } from "../../kernel/budget.ts";
import { pluralize } from "../../kernel/pluralize.ts";
import type {
  ChangeReport,
  FileChange,
  FoldedChange,
  SymbolChange,
  SymbolChangeKind,
} from "../../model/changes.ts";
import { maskedAt } from "../../model/masked.ts";
import { maskedNoteSample, shownSecrets } from "../masked-note.ts";
import { EVERY_TOOL, spellAgain } from "../reader/reader.ts";
import { jsonReply, type Rendered, type View } from "../rendered.ts";
import { shownPath } from "../shown-path.ts";
import type { SearchedParts } from "./hits-data.ts";
import { PROTOCOL_VERSION } from "./hits-fields.ts";
import { projectFields, projectNotes } from "./project-notes.ts";

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
/** The most characters of a signature, so that a change of fifty definitions fits into a reply. */
const MAX_SIGNATURE = 110;
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
  const folded = foldedLines(changes.folded);
  const notes = projectNotes(data.projects);
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
  const left = entries.length - offset - shown;
  const cursor = data.cursorAfter(offset + shown);
  const rest = left === 0 ? [] : [`+${pluralize(left, "more change")}: ${spellAgain(reader, { cursor })}`];
  const text = [...head, ...lines, ...(left === 0 ? folded : []), ...rest, ...notes].join("\n");
  return {
    text,
    meta: { ...meta, ...(left > 0 && { cursor }) },
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
  renamed: "renamed",
  moved: "moved",
};

function countsOf({ files }: ChangeReport): Partial<Record<SymbolChangeKind, number>> {
  const counts: Partial<Record<SymbolChangeKind, number>> = {};
  for (const { symbols } of files)
    for (const { change } of symbols) counts[change] = (counts[change] ?? 0) + 1;
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

function fileLine(
  { path, status, oldPath, hasOtherLines, symbols }: FileChange,
  isMarkdown: boolean,
): string {
  const notes = [
    ...(oldPath === undefined
      ? status === "modified"
        ? []
        : [status]
      : [`renamed from ${shownPath(oldPath)}`]),
    ...(hasOtherLines
      ? [symbols.length === 0 ? "only lines outside of definitions" : "also other lines"]
      : []),
  ];
  const name = isMarkdown ? `## ${shownPath(path)}` : shownPath(path);
  return notes.length === 0 ? name : `${name} (${notes.join("; ")})`;
}

/** The marks of the list: `+` added, `-` removed, `!` new signature, `~` new body, `>` renamed or moved. */
const MARKS: Readonly<Record<SymbolChangeKind, string>> = {
  added: "+",
  removed: "-",
  signature: "!",
  body: "~",
  renamed: ">",
  moved: ">",
};

function symbolLines({ symbol }: Entry, isMarkdown: boolean): string[] {
  return symbol === undefined ? [] : changeLines(symbol, isMarkdown);
}

/** Describes one changed definition: what it is now, what it was, and where it is still used as it was. */
export function changeLines(symbol: SymbolChange, isMarkdown: boolean): string[] {
  const { change, lineStart, lineEnd, members, hasNewBody, oldName, oldPath, oldSignature } = symbol;
  const lines = lineEnd > lineStart ? `${lineStart}-${lineEnd}` : `${lineStart}`;
  const notes = [
    ...(change === "body" ? ["body"] : []),
    ...(change === "renamed" ? [`renamed from ${oldName ?? ""}`] : []),
    ...(change === "moved"
      ? [`moved from ${shownPath(oldPath ?? "")}${oldName === undefined ? "" : `, ${oldName}`}`]
      : []),
    ...(change === "signature" && hasNewBody === true ? ["and body"] : []),
    ...(hasNewBody === true && (change === "moved" || change === "renamed") ? ["body changed"] : []),
    ...(members === undefined ? [] : [`with ${pluralize(members, "member")}`]),
  ];
  const note = notes.length === 0 ? "" : ` (${notes.join("; ")})`;
  const indent = isMarkdown ? "- " : " ";
  const first = `${indent}${MARKS[change]} ${lines} ${labelOf(symbol)}${note}`;
  const indented = isMarkdown ? "  " : "   ";
  const uses = usesText(symbol);
  return [
    first,
    ...(oldSignature === undefined ? [] : [`${indented}was ${clip(oldSignature)}`]),
    ...(uses === undefined ? [] : [`${indented}${uses}`]),
  ];
}

/** The most places that a line about uses names. */
const MAX_PLACES = 4;

const REASONS = {
  "too many": "too many changes, or too many files have this name",
  "unstaged edits": "files have edits that are not staged",
} as const;

/** Where code outside of the change still uses a definition. */
function usesText({ usedOutside }: SymbolChange): string | undefined {
  if (usedOutside === undefined) return undefined;
  const { total, places, possible, notLookedUp } = usedOutside;
  if (notLookedUp !== undefined) return `uses not looked up: ${REASONS[notLookedUp]}`;
  const named = places
    .slice(0, MAX_PLACES)
    .map(({ path, line, within }) => `${shownPath(path)}:${line}${within ? ` ${within}` : ""}`);
  const more = (total === 0 ? possible : total) - named.length;
  const list = [...named, ...(more > 0 ? [`+${more} more`] : [])].join(", ");
  if (total === 0) return `possibly used outside: ${list}`;
  return `still used outside: ${list}${possible > 0 ? `; ${possible} possible` : ""}`;
}

/** The signature of a definition, with its name if the signature does not contain it, as that of a member does not. */
function labelOf({ signature, qualifiedName, kind }: SymbolChange): string {
  if (kind === "heading" && signature !== "") return clip(signature);
  const separator = /^(.*)(\.|::|#|->|\\)([^.:#>\\]+)$/s.exec(qualifiedName);
  const own = separator?.[3] ?? qualifiedName;
  const owner = separator?.[1];
  const text =
    signature === "" || !signature.includes(own) ? `${kind} ${qualifiedName} ${signature}`.trim() : signature;
  return owner === undefined || text.includes(owner) ? clip(text) : `${clip(text)} in ${owner}`;
}

function clip(signature: string): string {
  return signature.length <= MAX_SIGNATURE ? signature : `${signature.slice(0, MAX_SIGNATURE - 1)}…`;
}

/** One line for each reason why files are only named. */
function foldedLines(folded: readonly FoldedChange[]): string[] {
  const reasons = [...new Set(folded.map(({ why }) => why))];
  return reasons.map((why) => {
    const files = folded.filter((file) => file.why === why);
    const named = files
      .slice(0, MAX_FOLDED)
      .map(({ path, status }) => (status === "modified" ? shownPath(path) : `${shownPath(path)} ${status}`));
    const more = files.length - named.length;
    return `(${why}: ${[...named, ...(more > 0 ? [`+${more} more`] : [])].join(", ")})`;
  });
}

function changesJson(
  { changes, projects, offset, cursorAfter }: ChangesData,
  entries: readonly Entry[],
  budget: Budget,
): object {
  const { before, after, folded, elapsedMs } = changes;
  const frame = {
    before,
    after,
    counts: countsOf(changes),
    total_files: changes.files.length + folded.length,
    ...projectFields(projects),
  };
  const foldedJson = folded.slice(0, MAX_FOLDED_JSON);
  budget.reserve(JSON.stringify({ ...frame, folded: foldedJson }) + JSON.stringify({ cursor: REST_SAMPLE }));
  const files: { path: string; changes: object[] }[] = [];
  let shown = 0;
  for (const { file, symbol } of entries.slice(offset)) {
    const known = files.at(-1)?.path === file.path ? files.at(-1) : undefined;
    const row = symbol === undefined ? [] : [symbolJson(symbol)];
    const { path, status, oldPath, hasOtherLines } = file;
    const head = {
      path,
      status,
      ...(oldPath !== undefined && { old_path: oldPath }),
      ...(hasOtherLines && { other_lines: true }),
    };
    if (!budget.take(JSON.stringify([...(known === undefined ? [head] : []), ...row])) && shown > 0) break;
    if (known === undefined) files.push({ ...head, changes: row });
    else known.changes.push(...row);
    shown++;
  }
  const left = entries.length - offset - shown;
  return {
    ...frame,
    files,
    ...(folded.length > 0 && { folded: foldedJson }),
    ...(folded.length > foldedJson.length && { folded_left_out: folded.length - foldedJson.length }),
    ...(left > 0 && { changes_left_out: left, cursor: cursorAfter(offset + shown) }),
    latency_ms: elapsedMs,
  };
}

const MAX_FOLDED_JSON = 40;

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

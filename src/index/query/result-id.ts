import { PithError } from "../../kernel/errors.ts";
import { contentId } from "../../kernel/ids.ts";
import type { FoundPlace, Place } from "../rank/place.ts";
import type { View, ViewFile } from "../live/view.ts";

/**
 * Number of characters of a result id that identify the file and its content; the rest encodes the lines. As ids are
 * not stored, they stay valid across restarts and servers until the file changes.
 */
const FILE_ID_LENGTH = 6;
/**
 * A result id encodes the start line and the number of lines as one number. This many lines or more mean the definition
 * that starts at the start line.
 */
const MAX_LINES = 63;
const RESULT_ID = /^([0-9a-z]{6})#([0-9a-z]{1,5})$/;

/** Returns the id of a range of lines: at most 12 characters, always the same for the same file content and lines. */
export function resultIdOf(file: Pick<ViewFile, "key" | "path">, { lineStart, lineEnd }: Place): string {
  const lines = Math.min(MAX_LINES, lineEnd - lineStart + 1);
  return `${fileId(file)}#${(lineStart * (MAX_LINES + 1) + lines).toString(36)}`;
}

/** Returns true if a text has the form of a result id. */
export function isResultId(text: string): boolean {
  return RESULT_ID.test(text);
}

/** Returns the range of lines that a result id refers to; throws if its file is missing or has changed. */
export function findResult(view: View, id: string): FoundPlace {
  const [, wanted = "", numbers = ""] = RESULT_ID.exec(id) ?? [];
  const file = filesById(view).get(wanted);
  if (file === "several")
    throw new PithError("result_not_found", `${id} matches several files; search again`);
  if (file === undefined)
    throw new PithError("result_not_found", `No result ${id}: its file has changed or is missing`);
  const place = placeOf(view, file, Number.parseInt(numbers, 36));
  return { file, place, score: 1, factors: FACTORS_BY_ID };
}

/** Ranking factors that are reported for a result found by its id. */
const FACTORS_BY_ID = {
  exact_match_boost: 1,
  qualified_name_boost: 0,
  path_affinity: 0,
  definition_boost: 0,
  kind_match: 0,
  bm25_score: 0,
  final_score: 1,
};

function placeOf(view: View, file: ViewFile, numbers: number): Place {
  const { symbols, lineCount } = view.documentOf(file);
  const lineStart = Math.floor(numbers / (MAX_LINES + 1));
  const lines = numbers % (MAX_LINES + 1);
  const isWanted = (length: number) => (lines === MAX_LINES ? length >= lines : length === lines);
  const symbol = symbols.findIndex(
    (one) => one.kind !== "import" && one.lineStart === lineStart && isWanted(one.lineEnd - lineStart + 1),
  );
  if (symbol >= 0) return { symbol, lineStart, lineEnd: symbols[symbol]?.lineEnd ?? lineStart };
  return { lineStart, lineEnd: Math.max(lineStart, Math.min(lineCount, lineStart + lines - 1)) };
}

function fileId({ key, path }: Pick<ViewFile, "key" | "path">): string {
  return contentId(`${key} ${path}`, FILE_ID_LENGTH);
}

type FilesById = ReadonlyMap<string, ViewFile | "several">;

const known = new WeakMap<View, FilesById>();

/**
 * Maps the file parts of result ids to files. They are short, so among a hundred thousand files two may have the same.
 */
function filesById(view: View): FilesById {
  const before = known.get(view);
  if (before !== undefined) return before;
  const files = new Map<string, ViewFile | "several">();
  for (const file of view.files) {
    const id = fileId(file);
    files.set(id, files.has(id) ? "several" : file);
  }
  known.set(view, files);
  return files;
}

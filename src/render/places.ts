import type { GroupedFile, GroupedPlace } from "../model/diagnostic-group.ts";
import type { RelatedPlace } from "../model/diagnostic.ts";

/** A stretch of places of one file, as many as are shown or left out together. */
export interface FilePart {
  readonly file: string;
  readonly places: readonly GroupedPlace[];
}

/** Where the diagnostics of a group are, with each folder named once: `src/auth/: jwt.ts:3,9; login.ts:12 name`. */
export function folderLine(folder: string, parts: readonly FilePart[]): string {
  const short = parts.map(({ file, places }) => placedFile(baseOf(file), places, file));
  const [only] = short;
  if (only !== undefined && short.length === 1) return folder + only;
  const bare = parts.every(({ places }) => places.length === 1 && placeList(places, "") === "");
  const braces = bare ? inBraces(folder, short) : undefined;
  if (braces !== undefined) return braces;
  return folder === "" ? short.join("; ") : `${folder}: ${short.join("; ")}`;
}

/** Places without a file: what varies, where it varies. */
export function fileless(file: GroupedFile, places: readonly GroupedPlace[]): string {
  return placeList(places, file.file ?? "");
}

/** The folder of a path with its closing slash; nothing where the path has none. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** `file:4,9` and `file:4 name, 9 other`: no blank after a bare number, it would cost a token each. */
function placedFile(name: string, places: readonly GroupedPlace[], file: string): string {
  const list = placeList(places, file);
  if (list === "") return name;
  return `${name}${places[0]?.line === undefined ? ": " : ":"}${list}`;
}

/** Files of one folder without lines, as a shell would take them: `src/{ast,codegen}.ts`. */
function inBraces(folder: string, names: readonly string[]): string | undefined {
  if (names.some((name) => /[{},\s]/.test(name))) return undefined;
  const byEnding = new Map<string, string[]>();
  for (const name of names) {
    const ending = endingOf(name, names);
    const stem = name.slice(0, name.length - ending.length);
    const known = byEnding.get(ending);
    if (known === undefined) byEnding.set(ending, [stem]);
    else known.push(stem);
  }
  return [...byEnding]
    .map(([ending, stems]) =>
      stems.length === 1 ? `${folder}${stems.join("")}${ending}` : `${folder}{${stems.join(",")}}${ending}`,
    )
    .join("\n ");
}

/** From its first dot on where another name ends like that (`.test.ts`), else from its last. */
function endingOf(name: string, names: readonly string[]): string {
  const first = name.indexOf(".", 1);
  if (first < 0) return "";
  const whole = name.slice(first);
  const shared = names.some((other) => other !== name && other.slice(other.indexOf(".", 1)) === whole);
  return shared ? whole : name.slice(name.lastIndexOf("."));
}

/** Places that share what stands beside them are listed before it: `4,7,9 name`. */
function placeList(places: readonly GroupedPlace[], file: string): string {
  let list = "";
  for (let from = 0; from < places.length;) {
    const value = besides(places[from], file);
    let to = from + 1;
    while (to < places.length && places[to]?.line !== undefined && besides(places[to], file) === value) to++;
    const at = numbers(places.slice(from, to));
    list += at === "" || value === "" ? at + value : `${at} ${value}`;
    if (to < places.length && list !== "") list += value === "" ? "," : ", ";
    from = to;
  }
  return list;
}

/** Lines in a row as a range: `4,7-9`. */
function numbers(places: readonly GroupedPlace[]): string {
  const parts: string[] = [];
  for (let from = 0; from < places.length;) {
    const first = places[from];
    let to = from;
    while (isNext(places[to], places[to + 1])) to++;
    const last = places[to];
    if (to - from >= MIN_RANGE - 1) parts.push(`${first?.line}-${last?.line}`);
    else for (const place of places.slice(from, to + 1)) parts.push(lineOf(place));
    from = to + 1;
  }
  return parts.join(",");
}

/** Two lines in a row are as short with a comma. */
const MIN_RANGE = 3;

function isNext(one: GroupedPlace | undefined, next: GroupedPlace | undefined): boolean {
  if (one?.line === undefined || one.column !== undefined || next?.column !== undefined) return false;
  return next?.line === one.line + 1;
}

function lineOf({ line, column }: GroupedPlace): string {
  if (line === undefined) return "";
  return column === undefined ? String(line) : `${line}:${column}`;
}

/** What varies at a place, its own help, and what it points to. */
function besides(place: GroupedPlace | undefined, file: string): string {
  if (place === undefined) return "";
  const values = place.values
    .map((value) => (/[,;|\n]|^$/.test(value) ? JSON.stringify(value) : value))
    .join("|");
  const help = place.help === undefined ? "" : `(${place.help})`;
  return [values, help, relatedOf(place, file)].filter(Boolean).join(" ");
}

/** What a diagnostic points to; of its own place, no more than what is said. */
export function relatedOf({ related, line }: Pick<GroupedPlace, "related" | "line">, file: string): string {
  if (related === undefined || related.length === 0) return "";
  return `(${related.map((one) => relatedText(one, file, line)).join("; ")})`;
}

function relatedText(related: RelatedPlace, file: string, line: number | undefined): string {
  const sameFile = related.file === file;
  const at = related.line === undefined ? "" : `:${related.line}`;
  const place = sameFile ? (related.line === line ? "" : at) : `${related.file}${at}`;
  return [place, related.message].filter(Boolean).join(" ");
}

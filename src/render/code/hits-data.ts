import type { PithError } from "../../kernel/errors.ts";
import { pluralize } from "../../kernel/pluralize.ts";
import type { CallArguments } from "../../kernel/calls.ts";
import type { InstalledPackage } from "../../model/installed-package.ts";
import type { CodeAnswer, CodeMetadata, DetailLevel, ExplainLevel } from "../../model/hit.ts";

/** The results of a code search, and how to show them. */
export interface HitsData {
  readonly answer: CodeAnswer;
  readonly level: DetailLevel;
  readonly compact: boolean;
  readonly explain: ExplainLevel;
  /** The installed dependency in which was searched, if the caller named one. */
  readonly package?: InstalledPackage;
  /** The projects in which was searched, if there are several. */
  readonly projects?: SearchedParts;
  /** The kind of definition that the caller asked for, such as `class`. */
  readonly kind?: string;
  /** The requested name, if the reply is about several names. */
  readonly requestedName?: string;
  /** The other arguments that decide what is found; calls for more repeat them. */
  readonly filters?: CallArguments;
  /** Makes the cursor of the next page, given how many results (further places do not count) of this page are shown. */
  cursorAfter(shown: number): string;
}

/** The projects that a question was about, if they are several. */
export interface SearchedParts {
  readonly parts: readonly ProjectPart[];
  /** What `all` left out, such as projects outside of the allowed folders. */
  readonly leftOut: readonly string[];
}

/** What one of several projects contributed to a reply, or why it did not. */
export interface ProjectPart {
  /** The name before the paths of its files. */
  readonly name: string;
  readonly root: string;
  readonly projectId?: string;
  readonly total?: number;
  readonly metadata?: CodeMetadata;
  readonly error?: PithError;
}

/** How many results are left for later pages, and the cursor that continues with them. */
export interface More {
  readonly count: number;
  /** True if all of them are far less relevant than the shown ones. */
  readonly isLessRelevant: boolean;
  readonly cursor: string;
}

/** Returns what is left after the shown results of this page; undefined if nothing is. */
export function moreOf(data: HitsData, shown: number): More | undefined {
  const { hits, total, offset } = data.answer;
  const results = hits.slice(0, shown).filter(({ isFurther }) => isFurther === undefined).length;
  const count = total - offset - results;
  if (count <= 0) return undefined;
  const isLessRelevant = data.answer.endsAtDrop === true && shown === hits.length;
  return { count, isLessRelevant, cursor: data.cursorAfter(results) };
}

/** Returns how many further places of the last shown file did not fit, and that file's path. */
export function placesLeftOut(
  { answer: { hits } }: HitsData,
  shown: number,
): { count: number; path: string } {
  let count = 0;
  while (hits[shown + count]?.isFurther === true) count++;
  return { count, path: hits[shown - 1]?.path ?? "" };
}

/** Says in about 25 tokens that nothing was found, and which files were searched. */
export function absence({ answer: { searched, metadata }, kind }: HitsData): string {
  const { files, filtered, notParsed } = searched;
  const left = [...skipped(searched), ...(metadata.ref === "live" ? ["ignored"] : [])];
  if (files === 0 && filtered) return "No match: no indexed file fits this path or language";
  const plain = notParsed > 0 ? ` (${notParsed} unparsed)` : "";
  const without = left.length === 0 ? "" : `; left out: ${left.join(", ")}`;
  const what = kind === undefined ? "match" : `matching ${kind}`;
  return `No ${what} in ${pluralize(files, "file")}${plain}${without}`;
}

function skipped({ tooLarge, minified, binary }: CodeAnswer["searched"]): string[] {
  const kinds = Object.entries({ "too large": tooLarge, minified, binary }).filter(([, count]) => count > 0);
  const [only] = kinds;
  if (only === undefined) return [];
  return [kinds.length === 1 ? `${only[1]} ${only[0]}` : `${tooLarge + minified + binary} binary or large`];
}

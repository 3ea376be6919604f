import { pluralize } from "../../kernel/pluralize.ts";
import type { CodeAnswer, DetailLevel, ExplainLevel } from "../../model/hit.ts";

/** An answer with how it is to be shown. */
export interface HitsData {
  readonly answer: CodeAnswer;
  readonly level: DetailLevel;
  readonly compact: boolean;
  readonly explain: ExplainLevel;
  /** The kind of definitions that was asked for. */
  readonly kind?: string;
  /** The cursor that goes on after this many hits of the page. */
  cursorAfter(shown: number): string;
}

/** What a page leaves for the next one. */
export interface More {
  readonly count: number;
  readonly cursor: string;
}

/** What is left after this many hits of the page; nothing where they were the last. */
export function moreOf(data: HitsData, shown: number): More | undefined {
  const count = data.answer.total - data.answer.offset - shown;
  return count > 0 ? { count, cursor: data.cursorAfter(shown) } : undefined;
}

/** That nothing was found, and where it was looked for, in 25 tokens; what is not indexed yet stands beside it. */
export function absence({ answer: { searched, metadata }, kind }: HitsData): string {
  const { files, filtered, notParsed } = searched;
  const left = [...skipped(searched), ...(metadata.ref === "live" ? ["ignored"] : [])];
  if (files === 0 && filtered) return "No match: no indexed file fits path or language";
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

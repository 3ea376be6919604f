import type { Place, RelatedPlace } from "../../../model/diagnostic.ts";

/** Follows rustc's code frame and reads the labels below the marked code. */
export interface SnippetReader {
  /** Returns the labels in the line, or undefined if the line does not belong to the code frame. */
  line(text: string): readonly RelatedPlace[] | undefined;
}

const NUMBERED = /^ {0,8}(\d{1,7}) {0,3}([|+~-])(?: |$)/;
const BARE = /^ {0,9}\|/;
const ELLIPSIS = /^ {0,8}\.\.\.(?: *\|.*)?$/;
/** Matches the markers under the code up to the label, which belongs to the last marker. */
const MARKED = /^[ |/\\_^~-]*(?<=[\^~-] )(?=[^ |^~-])/;

/** Creates a reader for the code frame of one location. */
export function snippetReader(place?: Place): SnippetReader {
  let line = place?.line;
  return {
    line(text) {
      const numbered = NUMBERED.exec(text);
      if (numbered !== null) {
        line = Number(numbered[1]);
        return [];
      }
      if (ELLIPSIS.test(text)) return [];
      const bar = BARE.exec(text);
      if (bar === null) return undefined;
      const label =
        place === undefined || line === undefined ? undefined : readLabel(text.slice(bar[0].length + 1));
      return label === undefined || place === undefined || line === undefined
        ? []
        : [
            {
              file: place.file,
              line,
              ...(label.column > 0 ? { column: label.column } : {}),
              message: label.text,
            },
          ];
    },
  };
}

function readLabel(text: string): { readonly column: number; readonly text: string } | undefined {
  const marked = MARKED.exec(text);
  if (marked !== null) {
    const before = marked[0].trimEnd();
    // The markers of a span of several lines are drawn in a margin, whose columns are not those of the code.
    if (before.includes("|_")) return { column: 0, text: text.slice(marked[0].length).trim() };
    let start = before.length - 1;
    while (start > 0 && "^~-".includes(before.charAt(start - 1))) start--;
    return { column: start + 1, text: text.slice(marked[0].length).trim() };
  }
  // This line has a label that hangs below its marker: vertical bars, then words.
  const start = text.search(/[^ |]/);
  if (start < 0 || /^[\^~_-]/.test(text.slice(start)) || /[+~]{2}$/.test(text)) return undefined;
  return { column: start + 1, text: text.slice(start).trim() };
}

import { leadingPlace } from "../../parsing/place.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

const NOTE = /^standard(?:x|js)?: /;
const END = / \(([@a-z][\w@/.-]*)\)( \(warning\))?$/i;

/** Reads `  file:1:2: message (rule)` as standard and its kin print it below their own line. */
export function standardParser(sink: Sink): LineParser {
  let open = false;
  return {
    take({ text }: Line): boolean {
      if (NOTE.test(text)) {
        open = true;
        return true;
      }
      const own = open && text.startsWith("  ") && text.length < 20_000;
      // Before version 9 the rule was left out.
      const end = own ? END.exec(text) : null;
      const placed = own ? leadingPlace(text.slice(2, end?.index)) : undefined;
      if (placed?.place.column === undefined || placed.rest === "") {
        open &&= text.startsWith("  ");
        return false;
      }
      const [, rule = "null", warning] = end ?? [];
      sink.diagnostic({
        severity: warning === undefined ? "error" : "warning",
        ...placed.place,
        message: placed.rest,
        ...(rule === "null" ? {} : { code: rule }),
      });
      return true;
    },
    end: () => undefined,
  };
}

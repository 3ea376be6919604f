import { singleLine } from "../../parsing/single-line.ts";
import type { LineReading } from "../../parsing/single-line.ts";

/** `/app/Cart.kt:9:5: This expression contains a magic number. [MagicNumber]` */
const FINDING = /^(\S.{0,1000}?\.kts?):(\d{1,9}):(\d{1,9}): (.{1,4000}) \[([A-Z]\w{2,80})\]$/;
/** The listing by rule set: `	MagicNumber - [total] at /app/Cart.kt:9:5`, with or without a message. */
const LISTED =
  /^\t([A-Z]\w{2,80}) - (.{0,4000}?) ?(?:at )?(\/?\S[^ ]{0,1000}\.kts?):(\d{1,9}):(\d{1,9})(?: - Signature=.*)?$/;

/** Reads detekt's console reports. */
export const detektParser = singleLine((text): LineReading => {
  const finding = text.endsWith("]") ? FINDING.exec(text) : null;
  if (finding !== null) {
    const [, file = "", line, column, message = "", code = ""] = finding;
    return { severity: "warning", file, line: Number(line), column: Number(column), code, message };
  }
  const listed = text.startsWith("\t") ? LISTED.exec(text) : null;
  if (listed === null) return undefined;
  const [, code = "", message = "", file = "", line, column] = listed;
  const said = message.replace(/ at$/, "");
  return { severity: "warning", file, line: Number(line), column: Number(column), code, message: said };
});

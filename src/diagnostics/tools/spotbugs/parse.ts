import type { Severity } from "../../../model/diagnostic.ts";
import { singleLine } from "../../parsing/single-line.ts";
import type { LineReading } from "../../parsing/single-line.ts";

/** `H C NP: Null pointer dereference of x in Cart.add(int)  Dereferenced at Cart.java:[line 12]` */
const BUG =
  /^([HML]) ([A-Z]) ([A-Za-z0-9_]{1,40}): (.{1,2000}?) {1,2}(?:[A-Z]\w* )?(?:[Aa]t|[Ii]n) ([\w$-]{1,200}\.\w{1,12}):\[lines? (\d{1,9})(?:-(\d{1,9}))?\]$/;
const PLACELESS =
  /^([HML]) ([A-Z]) ([A-Za-z0-9_]{1,40}): (.{1,2000}?) {2}(?:In|At) ([\w$-]{1,200}\.\w{1,12})$/;
/** The confidence that the tool has in its finding. */
const SEVERITIES: Readonly<Record<string, Severity>> = { H: "error", M: "warning", L: "info" };

/** Reads SpotBugs' text report. */
export const spotbugsParser = singleLine((text): LineReading => {
  const bug = BUG.exec(text);
  if (bug !== null) {
    const [, rank = "", , code = "", message = "", file = "", line, endLine] = bug;
    const end = endLine === undefined || endLine === line ? {} : { endLine: Number(endLine) };
    return { severity: SEVERITIES[rank] ?? "warning", file, line: Number(line), ...end, code, message };
  }
  const placeless = PLACELESS.exec(text);
  if (placeless === null) return undefined;
  const [, rank = "", , code = "", message = "", file = ""] = placeless;
  return { severity: SEVERITIES[rank] ?? "warning", file, code, message };
});

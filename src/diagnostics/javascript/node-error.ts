import { trimBlank } from "./diff.ts";
import type { Sides } from "./diff.ts";
import { isFrame, projectPlace } from "./frames.ts";
import type { Place } from "../../model/diagnostic.ts";

/** An error as Node prints it: the message, the stack, then its own fields in braces. */
export interface NodeError {
  readonly message: string;
  readonly place: Place | undefined;
  readonly sides: Sides | undefined;
  /** The error's `code` field. */
  readonly code: string | undefined;
}

const FIELD = /^ +(\w+): (.*)$/;

/** Reads the lines of an error and removes their common indentation. */
export function readNodeError(lines: readonly string[]): NodeError {
  const stack = lines.findIndex(isFrame);
  const said = trimBlank(stack < 0 ? lines : lines.slice(0, stack)).map((line) => line.trimEnd());
  const fields = readFields(stack < 0 ? [] : lines.slice(stack));
  const expected = fields.get("expected");
  const received = fields.get("actual");
  return {
    message: unquote(said.join("\n")),
    place: projectPlace(lines),
    sides: expected === undefined || received === undefined ? undefined : { expected, received },
    code: fields.get("code")?.replace(/^'(.*)'$/, "$1"),
  };
}

/** Reads the fields in braces after the stack; a value may continue on more deeply indented lines. */
function readFields(lines: readonly string[]): ReadonlyMap<string, string> {
  const fields = new Map<string, string[]>();
  const from = lines.findIndex((line) => line.endsWith(" {")) + 1;
  if (from === 0) return new Map();
  const indent = /^ */.exec(lines[from] ?? "")?.[0].length ?? 0;
  let current: string[] | undefined;
  for (const line of lines.slice(from)) {
    const own = /^ */.exec(line)?.[0].length ?? 0;
    const [, name = "", value = ""] = own === indent && line.length < 20_000 ? (FIELD.exec(line) ?? []) : [];
    if (own < indent && line.trim() !== "") break;
    if (name !== "") {
      current = [value];
      fields.set(name, current);
    } else current?.push(line.slice(indent));
  }
  return new Map([...fields].map(([name, value]) => [name, value.join("\n").trimEnd().replace(/,$/, "")]));
}

/** Removes the quotes around a thrown string. */
function unquote(text: string): string {
  return /^'[^'\n]*'$/.test(text) ? text.slice(1, -1) : text;
}

/** The message that node:test prints for a file whose process failed; the reason is printed elsewhere, if at all. */
export const NO_REASON = "test failed";

/** Matches the name of a failure that is the path of a test file, so that the failure concerns the whole file. */
export const TEST_FILE = /^\S(?:.*[\\/])?[^\\/]*\.[cm]?[jt]sx?$/;

/** Describes the failure of a test file by how its process ended. */
export function fileFailure(exitCode: string | undefined, signal: string | undefined): string {
  if (signal !== undefined) return `${NO_REASON}: its process was killed by ${signal}`;
  return exitCode === undefined || exitCode === "1" ? NO_REASON : `${NO_REASON}: exit code ${exitCode}`;
}

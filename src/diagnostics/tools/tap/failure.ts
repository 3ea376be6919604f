import { diffSides } from "../../javascript/diff.ts";
import type { Sides } from "../../javascript/diff.ts";
import { isFrame } from "../../javascript/frames.ts";
import { NO_REASON, TEST_FILE, fileFailure, readNodeError } from "../../javascript/node-error.ts";
import type { NodeError } from "../../javascript/node-error.ts";
import { asNumber, asObject, asText, defined, parseJson } from "../../parsing/json.ts";
import { colonPlace } from "../../parsing/place.ts";
import { nodeCrash } from "../node/parse.ts";
import { block, readFields, unquote } from "./yaml.ts";
import { firstOwnFrame, pathOfUrl, readFrame } from "../../traces/frames.ts";
import type { Place } from "../../../model/diagnostic.ts";
import type { TestFailure } from "../../../model/test-summary.ts";

/** A failed test point (a `not ok` line) with the YAML below it. */
export interface TapPoint {
  readonly name: string;
  readonly passed: boolean;
  readonly yaml: string[];
  /** Text below the test point that is not YAML, such as what mocha prints. */
  readonly text: string[];
  readonly indent: number;
  /** True if the test point reports the result of a subtest. */
  readonly parent: boolean;
  /** Comment lines printed since the previous test point. */
  readonly comments: readonly string[];
}

/** Builds the failure of a test point; undefined for one that only reports that its subtests failed. */
export function failureOf(point: TapPoint): TestFailure | undefined {
  const fields = readJson(point.yaml) ?? readFields(point.yaml);
  const failureType = fields.get("failureType");
  if (failureType === "subtestsFailed" || (point.parent && failureType === undefined)) return undefined;
  const own = TEST_FILE.test(point.name) && !fields.has("actual");
  const expected = fields.get("expected") ?? fields.get("wanted");
  const received = fields.get("actual") ?? fields.get("found");
  const printed = point.yaml.length === 0 ? printedBelow(point.text) : undefined;
  const details = readDetails(point.yaml);
  const content =
    fields.get("error") || fields.get("message") || (details?.message ?? printed?.message ?? "");
  const crash = content === NO_REASON ? nodeCrash(point.comments) : undefined;
  const message = content === NO_REASON ? (crash?.message ?? printedError(point) ?? ending(fields)) : content;
  const name = fields.get("name");
  return {
    name: point.name,
    // The failure of a suite's own hook or body is reported as a suite, because Node does not count it as a test.
    kind: own || fields.get("type") === "suite" ? "suite" : "test",
    message:
      name !== undefined && name !== "AssertionError" && !message.startsWith(name)
        ? `${name}: ${message}`
        : message,
    ...(crash?.file === undefined
      ? { ...printed?.place, ...placeOf(fields) }
      : defined({ file: crash.file, line: crash.line, column: crash.column })),
    ...(expected === undefined || received === undefined ? details?.sides : { expected, received }),
  };
}

const DETAIL = /^( +)'(.{1,300}?):':(?: (.*))?$/;

/** Reads what AVA writes below `details`: a sentence as the key, and a value or a diff below it. */
function readDetails(yaml: readonly string[]): { message: string; sides?: Sides | undefined } | undefined {
  const at = yaml.findIndex((line) => DETAIL.test(line));
  const [, blanks = "", label = "", value = ""] = DETAIL.exec(yaml[at] ?? "") ?? [];
  if (at < 0) return undefined;
  const body = /^[|>]/.test(value) ? block(yaml.slice(at + 1), blanks.length).text : unquote(value.trim());
  if (!label.startsWith("Difference")) return { message: `${label}: ${body}` };
  return { message: "Difference", sides: diffSides(body.split("\n"), { expected: "+", received: "-" }) };
}

function ending(fields: ReadonlyMap<string, string>): string {
  const [code, signal] = ["exitCode", "signal"].map((name) => fields.get(name)?.replace(/^~$/, ""));
  return fileFailure(code || undefined, signal || undefined);
}

/** Matches an error that the process of the test file printed above the test point. */
const ERROR = /^(?:Uncaught )?(?:[A-Z]\w*)?(?:Error|Exception)\b.*/;

function printedError({ comments }: TapPoint): string | undefined {
  const from = comments.findIndex((line) => ERROR.test(line));
  if (from < 0) return undefined;
  const rest = comments.slice(from);
  const stack = rest.findIndex((line) => /^\s+at /.test(line));
  return rest
    .slice(0, stack < 0 ? 1 : stack)
    .join("\n")
    .trim();
}

/** Reads an error with its stack; its message is repeated above it. */
function printedBelow(text: readonly string[]): NodeError | undefined {
  const first = text.find((line) => line.trim() !== "")?.trim();
  if (first === undefined) return undefined;
  const again = text.findIndex((line) => line.trim() !== first && line.endsWith(first));
  return readNodeError((again < 0 ? text : text.slice(again)).map((line) => line.slice(2)));
}

function placeOf(fields: ReadonlyMap<string, string>): Partial<Place> {
  const stack = fields.get("stack") ?? "";
  const at = fields.get("at") ?? "";
  const frame = firstOwnFrame(
    stack
      .split("\n")
      .map((line) => (/^\s*at /.test(line) ? line : `at ${line.trim()}`))
      .join("\n"),
  );
  const named = readFrame(`at ${at.replaceAll("\n", " ")}`);
  // A location inside the test runner is not used, because it does not point into the project.
  const single = named?.isOwn === false ? undefined : (named?.place ?? colonPlace(at));
  const location = colonPlace(fields.get("location") ?? "");
  const line = Number(fields.get("line"));
  const file = fields.get("file") ?? fields.get("fileName");
  const place = (at === "" ? undefined : single) ?? frame ?? location;
  if (place !== undefined) return { ...place, file: pathOfUrl(place.file) };
  if (file === undefined) return {};
  return Number.isInteger(line) && line > 0 ? { file: pathOfUrl(file), line } : { file: pathOfUrl(file) };
}

/**
 * Reads the details that Deno writes below a test point as one line of JSON; the error's message in them contains the
 * quoted source code and the stack.
 */
function readJson(yaml: readonly string[]): Map<string, string> | undefined {
  const found = yaml.length === 1 ? asObject(parseJson((yaml[0] ?? "").trim())) : undefined;
  if (found === undefined) return undefined;
  const lines = (asText(found["message"]) ?? "").split("\n");
  const stack = lines.findIndex((line) => isFrame(line));
  const content = stack < 0 ? lines : lines.slice(0, stack);
  const caret = content.findLastIndex((line) => /^ *\^+$/.test(line));
  const fields = new Map([["message", (caret > 0 ? content.slice(0, caret - 1) : content).join("\n")]]);
  if (stack >= 0) fields.set("stack", lines.slice(stack).join("\n"));
  const at = asObject(found["at"]);
  const [file, line] = [asText(at?.["file"]), asNumber(at?.["line"])];
  if (file !== undefined && line !== undefined) fields.set("location", `${file}:${line}`);
  return fields;
}

import type { Severity } from "../../../model/diagnostic.ts";
import { leadingPlace } from "../../parsing/place.ts";
import type { Found, Sink } from "../../tool.ts";

/** Lines that only say again that something above failed. */
const REPEATS =
  /^(?:Build did NOT complete successfully|Build failed\. Not running target|command succeeded, but|Not all tests were executed|Test execution .*|package contains errors: .*|error loading package '.*': Package '.*' contains errors|Couldn't start the build\..*|Analysis of target .* failed; build aborted(?:: .*)?)$/;
/** In a trace of Starlark: a frame, the source under it, and the error itself, which comes last. */
const FRAME = /^\tFile "([^"]{1,1000})", line (\d{1,9}), column (\d{1,9}), in /;
const LAST = /^Error(?: in [\w.]{1,200})?: /;
const TRACE = /^(.*?):? ?Traceback \(most recent call last\):$/;
/** What a command printed that no compiler's reader knows. */
const PRINTS = /^Executing genrule .* failed: \(/;
const BAZEL_FILE = /(?:BUILD|WORKSPACE)(?:\.bazel)?$|\.(?:bzl|bazel)$/;
const MAX_PRINTED = 20;
/** Repeats stand near each other. */
const MAX_SAID = 200;

/** Reads what bazel complains of, with the lines that go on below it. */
export class Complaints {
  readonly #sink: Sink;
  #open: { found: Omit<Found, "message">; readonly lines: string[] } | undefined;
  #goesOn: "trace" | "list" | "printed" | "none" = "none";
  #count = 0;
  readonly #said = new Set<string>();

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** An `ERROR:` or `WARNING:` line. */
  start(severity: Severity, text: string): void {
    this.close();
    if (REPEATS.test(text) && (this.#count > 0 || text.startsWith("Build did NOT"))) return;
    const placed = leadingPlace(text);
    const file = placed?.place.file ?? "";
    const known = placed !== undefined && !file.includes(" ") && BAZEL_FILE.test(file);
    const said = known ? placed.rest : text;
    this.#goesOn = goesOn(said);
    const lines = [TRACE.exec(said)?.[1] ?? said].filter((line) => line !== "");
    this.#open = { found: known ? { severity, ...placed.place } : { severity }, lines };
    if (this.#goesOn === "none") this.close();
  }

  /** Whether the line belongs to the complaint above it. */
  more(text: string): boolean {
    const open = this.#open;
    if (open === undefined) return false;
    if (this.#goesOn === "list" && text.startsWith(" - ")) {
      open.lines.push(text);
      return true;
    }
    // What a command prints may be for another reader.
    if (this.#goesOn === "printed") {
      if (text.trim() !== "" && open.lines.length <= MAX_PRINTED) open.lines.push(text);
      return false;
    }
    if (this.#goesOn !== "trace") return false;
    const last = LAST.test(text);
    if (!last && !/^(?:\t|\s{2,}\S)/.test(text)) return false;
    const [, file, line, column] = FRAME.exec(text) ?? [];
    // Rules that came from elsewhere are not where the mistake is, unless there is nothing else.
    if (file !== undefined && (open.found.file === undefined || !file.includes("/external/")))
      open.found = { ...open.found, file, line: Number(line), column: Number(column) };
    if (last || (!text.startsWith("\t") && !TRACE.test(text.trim()))) open.lines.push(text.trim());
    if (last) this.close();
    return true;
  }

  close(): void {
    const open = this.#open;
    this.#open = undefined;
    this.#goesOn = "none";
    if (open === undefined) return;
    const message = open.lines.join("\n");
    const last = open.lines.at(-1) ?? "";
    // The same failure is told of a repository and of its fetching, of a skipped target and of its package.
    const repeated = [...this.#said].some((said) => said === last || said.endsWith(`: ${last}`));
    if (this.#said.size < MAX_SAID) this.#said.add(last);
    if (repeated) return;
    if (open.found.severity === "error") this.#count++;
    this.#sink.diagnostic({ ...open.found, message });
  }
}

function goesOn(text: string): "trace" | "list" | "printed" | "none" {
  if (TRACE.test(text) || text.endsWith(":")) return "trace";
  if (PRINTS.test(text)) return "printed";
  return text.includes("in any of the following directories") ? "list" : "none";
}

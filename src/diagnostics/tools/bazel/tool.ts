import { leadingPlace } from "../../parsing/place.ts";
import { defineBuildTool } from "../../tool.ts";
import type { FolderFacts, Found, Line, LineParser, Sink } from "../../tool.ts";
import type { Severity } from "../../../model/diagnostic.ts";

function fits(folder: FolderFacts): string | undefined {
  const root = ["MODULE.bazel", "WORKSPACE", "WORKSPACE.bazel"].find(
    (name) => folder.nearest(name) !== undefined,
  );
  return root === undefined ? undefined : `${root} is here`;
}

export const bazel = defineBuildTool({
  id: "bazel",
  title: "Bazel",
  url: "https://bazel.build",
  ecosystem: "c-cpp",
  kinds: ["build", "test"],
  signatures: [
    "INFO: Analyzed",
    "INFO: Elapsed time",
    "BUILD:",
    "BUILD.bazel:",
    ".bzl:",
    "Build did NOT",
    "INFO: Found ",
    "Executed ",
    "no such target",
    "no such package",
    "FAIL: //",
    "TIMEOUT: //",
    "Try 'bazel help'",
    "only supported from within a workspace",
  ],
  priority: 6,
  parser: (sink) => new BazelParser(sink),
  commands: [
    {
      name: "bazel.build",
      description: "Build all targets",
      detect: fits,
      argv: () => ["bazel", "build", "//..."],
    },
    {
      name: "bazel.test",
      description: "Run all tests",
      detect: fits,
      argv: () => ["bazel", "test", "//..."],
    },
  ],
  rerun: "bazel test",
});

const SAID = /^(?:\(\d\d:\d\d:\d\d\) )?(ERROR|WARNING): (.+)$/;
const TARGET =
  /^(\/\/\S*|@\S+) +(?:\(cached\) )?(PASSED|FAILED TO BUILD|FAILED|TIMEOUT|FLAKY|NO STATUS|SKIPPED|BUILD FAILED)(?:, .*)?(?: in (?:\d+ out of \d+ in )?([\d.]{1,12})s)?/;
/**
 * Matches the line that is printed as soon as a test ends; it is the only one about the test if the summary is turned
 * off.
 */
const ANNOUNCED =
  /^(?:\(\d\d:\d\d:\d\d\) )?(FAIL|TIMEOUT|FLAKY): (\/\/\S*|@\S+) \((?:see (.{1,2000})|Summary)\)$/;
const EXECUTED = /^Executed \d{1,7} out of (\d{1,7}) tests?: (.+)\.$/;
const COUNT = /(\d{1,7}) (?:tests? )?(passe?s?|fails? to build|fails?|(?:was|were) skipped)/g;
const NO_COMMAND = /^Command '.{1,100}' not found\. Try 'bazel help'\.$/;
const OUTPUT = /^={20} Test output for (\/\/\S*|@\S+):$/;
const OUTPUT_END = /^={80}$/;
const NOISE =
  /^(?:\(\d\d:\d\d:\d\d\) )?(?:INFO: |DEBUG: |Loading: ?|Analyzing: ?|Computing main repo mapping|FAILED: Build did NOT|Target \/\/\S+ (?:failed to build|up-to-date)|\[[\d, ]+ \/ [\d, ]+\] |Use --verbose_failures|Use --sandbox_debug|There were tests whose specified size)/;
/** Number of lines that are kept from the end of a failed test's output. */
const MAX_OUTPUT = 20;

/** Reads bazel's own messages; the output of compilers is left to their own parsers. */
class BazelParser implements LineParser {
  readonly #sink: Sink;
  readonly #messages: BazelMessages;
  #isActive = false;
  /** Failed tests, kept as they end until the summary reports them. */
  readonly #announced = new Map<string, string>();
  readonly #outputs = new Map<string, string[]>();
  #output: string[] | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
    this.#messages = new BazelMessages(sink);
  }

  take({ text }: Line): boolean {
    if (this.#output !== undefined && !isOwn(text)) return this.#readOutputLine(text);
    this.#output = undefined;
    if (!NOISE.test(text) && this.#messages.more(text)) return true;
    const content = SAID.exec(text);
    if (content !== null && (this.#isActive || isBazel(content[2] ?? ""))) {
      this.#isActive = true;
      this.#messages.start(content[1] === "ERROR" ? "error" : "warning", content[2] ?? "");
      return true;
    }
    if (this.#readOutcome(text)) return true;
    if (NO_COMMAND.test(text)) {
      this.#sink.diagnostic({ severity: "error", message: text });
      return true;
    }
    if (!NOISE.test(text)) return false;
    // The hint `Use --sandbox_debug` does not end a message, because it is printed between a failed command and its
    // output.
    if (!text.startsWith("Use --sandbox_debug")) this.#messages.close();
    this.#isActive ||=
      /^(?:INFO: (?:Analyzed|Found|Elapsed|Invocation)|Loading:|Computing main repo|Analyzing:)/.test(text);
    return this.#isActive;
  }

  end(): void {
    this.#messages.close();
    for (const [name, word] of this.#announced) this.#fail(name, word);
  }

  #readOutcome(text: string): boolean {
    const [, word, announced, log] = ANNOUNCED.exec(text) ?? [];
    if (announced !== undefined) {
      this.#messages.close();
      this.#isActive = true;
      if (word === "FLAKY") this.#announced.delete(announced);
      else this.#announced.set(announced, log === undefined ? (word ?? "") : `${word} (see ${log})`);
      return true;
    }
    const output = OUTPUT.exec(text)?.[1];
    if (output !== undefined) {
      this.#output = [];
      this.#outputs.set(output, this.#output);
      return true;
    }
    const target = TARGET.exec(text);
    if (target !== null) {
      const [, name = "", outcome = ""] = target;
      const before = this.#announced.get(name);
      this.#announced.delete(name);
      if (/^(?:FAILED|TIMEOUT|NO STATUS|BUILD FAILED)/.test(outcome))
        this.#fail(name, outcome === "FAILED" ? (before ?? outcome) : outcome);
      return true;
    }
    const executed = EXECUTED.exec(text);
    if (executed !== null) this.#sink.summary(countsOf(executed));
    return executed !== null;
  }

  /** Reads a line of a test's output. It is kept for the failure's message, and another parser may accept it too. */
  #readOutputLine(text: string): boolean {
    if (OUTPUT_END.test(text)) {
      this.#output = undefined;
      return true;
    }
    this.#output?.push(text);
    if ((this.#output?.length ?? 0) > MAX_OUTPUT) this.#output?.shift();
    return false;
  }

  #fail(name: string, outcome: string): void {
    const kind = outcome.includes("BUILD") ? "suite" : "test";
    const message = [outcome, ...(this.#outputs.get(name) ?? [])].join("\n").trimEnd();
    this.#sink.failure({ kind, name, message, rerun: name });
  }
}

/** Recognizes bazel's own lines. Another parser may have accepted the line that closes a test's output, in which case bazel's next line ends it. */
function isOwn(text: string): boolean {
  return [NOISE, ANNOUNCED, TARGET, EXECUTED, OUTPUT].some((pattern) => pattern.test(text));
}

function isBazel(text: string): boolean {
  return /BUILD(?:\.bazel)?:\d|\.bzl:\d|MODULE\.bazel|WORKSPACE|^no such (?:target|package)|^Skipping '|\/\/[\w./-]*:[\w.-]+|^Build did NOT|only supported from within a workspace/.test(
    text,
  );
}

function countsOf(match: RegExpExecArray): {
  passed: number;
  failed: number;
  skipped: number;
  total: number;
} {
  const found = { passed: 0, failed: 0, skipped: 0 };
  for (const [, n, what = ""] of (match[2] ?? "").matchAll(COUNT)) {
    if (what.startsWith("pass")) found.passed += Number(n);
    else if (what.startsWith("fail")) found.failed += Number(n);
    else found.skipped += Number(n);
  }
  return { ...found, total: Number(match[1]) };
}

/** Matches messages that only repeat that something above failed. */
const REPEATS =
  /^(?:Build did NOT complete successfully|Build failed\. Not running target|command succeeded, but|Not all tests were executed|Test execution .*|package contains errors: .*|error loading package '.*': Package '.*' contains errors|Couldn't start the build\..*|Analysis of target .* failed; build aborted(?:: .*)?)$/;
/** Matches a frame of a Starlark stack trace. Its source line follows each frame, and the error itself comes last. */
const FRAME = /^\tFile "([^"]{1,1000})", line (\d{1,9}), column (\d{1,9}), in /;
const LAST = /^Error(?: in [\w.]{1,200})?: /;
const TRACE = /^(.*?):? ?Traceback \(most recent call last\):$/;
/** Matches failed commands whose output no compiler's parser reads, so it is kept as part of the message. */
const PRINTS = /^Executing genrule .* failed: \(/;
const BAZEL_FILE = /(?:BUILD|WORKSPACE)(?:\.bazel)?$|\.(?:bzl|bazel)$/;
const MAX_PRINTED = 20;
/** Upper bound on the messages that are remembered to detect repeats; repeats are printed close to each other. */
const MAX_SAID = 200;

/** Reads bazel's errors and warnings with the lines that continue them. */
class BazelMessages {
  readonly #sink: Sink;
  #open: { found: Omit<Found, "message">; readonly lines: string[] } | undefined;
  #expects: "trace" | "list" | "printed" | "none" = "none";
  #count = 0;
  readonly #content = new Set<string>();

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** Starts a diagnostic at an `ERROR:` or `WARNING:` line. */
  start(severity: Severity, text: string): void {
    this.close();
    if (REPEATS.test(text) && (this.#count > 0 || text.startsWith("Build did NOT"))) return;
    const placed = leadingPlace(text);
    const file = placed?.place.file ?? "";
    const known = placed !== undefined && !file.includes(" ") && BAZEL_FILE.test(file);
    const content = known ? placed.rest : text;
    this.#expects = classifyContinuation(content);
    const lines = [TRACE.exec(content)?.[1] ?? content].filter((line) => line !== "");
    this.#open = { found: known ? { severity, ...placed.place } : { severity }, lines };
    if (this.#expects === "none") this.close();
  }

  /** Returns whether the line continues the diagnostic that is being read. */
  more(text: string): boolean {
    const open = this.#open;
    if (open === undefined) return false;
    if (this.#expects === "list" && text.startsWith(" - ")) {
      open.lines.push(text);
      return true;
    }
    // The line is not accepted, because another parser may read the output of the failed command.
    if (this.#expects === "printed") {
      if (text.trim() !== "" && open.lines.length <= MAX_PRINTED) open.lines.push(text);
      return false;
    }
    if (this.#expects !== "trace") return false;
    const last = LAST.test(text);
    if (!last && !/^(?:\t|\s{2,}\S)/.test(text)) return false;
    const [, file, line, column] = FRAME.exec(text) ?? [];
    // Frames in external repositories are rarely the cause, so their location is used only if there is no other.
    if (file !== undefined && (open.found.file === undefined || !file.includes("/external/")))
      open.found = { ...open.found, file, line: Number(line), column: Number(column) };
    if (last || (!text.startsWith("\t") && !TRACE.test(text.trim()))) open.lines.push(text.trim());
    if (last) this.close();
    return true;
  }

  close(): void {
    const open = this.#open;
    this.#open = undefined;
    this.#expects = "none";
    if (open === undefined) return;
    const message = open.lines.join("\n");
    const last = open.lines.at(-1) ?? "";
    // Repeated messages are dropped: bazel reports one failure for a repository and for fetching it, or for a skipped
    // build target and for its package.
    const repeated = [...this.#content].some((content) => content === last || content.endsWith(`: ${last}`));
    if (this.#content.size < MAX_SAID) this.#content.add(last);
    if (repeated) return;
    if (open.found.severity === "error") this.#count++;
    this.#sink.diagnostic({ ...open.found, message });
  }
}

function classifyContinuation(text: string): "trace" | "list" | "printed" | "none" {
  if (TRACE.test(text) || text.endsWith(":")) return "trace";
  if (PRINTS.test(text)) return "printed";
  return text.includes("in any of the following directories") ? "list" : "none";
}

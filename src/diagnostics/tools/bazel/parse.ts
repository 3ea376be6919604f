import type { Line, LineParser, Sink } from "../../tool.ts";
import { Complaints } from "./complaint.ts";

const SAID = /^(?:\(\d\d:\d\d:\d\d\) )?(ERROR|WARNING): (.+)$/;
const TARGET =
  /^(\/\/\S*|@\S+) +(?:\(cached\) )?(PASSED|FAILED TO BUILD|FAILED|TIMEOUT|FLAKY|NO STATUS|SKIPPED|BUILD FAILED)(?:, .*)?(?: in (?:\d+ out of \d+ in )?([\d.]{1,12})s)?/;
/** Said as soon as a test ends, and all that is said where the summary is off. */
const ANNOUNCED =
  /^(?:\(\d\d:\d\d:\d\d\) )?(FAIL|TIMEOUT|FLAKY): (\/\/\S*|@\S+) \((?:see (.{1,2000})|Summary)\)$/;
const EXECUTED = /^Executed \d{1,7} out of (\d{1,7}) tests?: (.+)\.$/;
const COUNT = /(\d{1,7}) (?:tests? )?(passe?s?|fails? to build|fails?|(?:was|were) skipped)/g;
const NO_COMMAND = /^Command '.{1,100}' not found\. Try 'bazel help'\.$/;
const OUTPUT = /^={20} Test output for (\/\/\S*|@\S+):$/;
const OUTPUT_END = /^={80}$/;
const NOISE =
  /^(?:\(\d\d:\d\d:\d\d\) )?(?:INFO: |DEBUG: |Loading: ?|Analyzing: ?|Computing main repo mapping|FAILED: Build did NOT|Target \/\/\S+ (?:failed to build|up-to-date)|\[[\d, ]+ \/ [\d, ]+\] |Use --verbose_failures|Use --sandbox_debug|There were tests whose specified size)/;
/** Of a failed test's output the end is kept. */
const MAX_OUTPUT = 20;

/** Reads what bazel itself says; the compilers' words are read by their own readers. */
export class BazelParser implements LineParser {
  readonly #sink: Sink;
  readonly #complaints: Complaints;
  #active = false;
  /** Tests that failed, as they ended, until the summary tells of them. */
  readonly #announced = new Map<string, string>();
  readonly #outputs = new Map<string, string[]>();
  #output: string[] | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
    this.#complaints = new Complaints(sink);
  }

  take({ text }: Line): boolean {
    if (this.#output !== undefined && !isOwn(text)) return this.#outputLine(text);
    this.#output = undefined;
    if (!NOISE.test(text) && this.#complaints.more(text)) return true;
    const said = SAID.exec(text);
    if (said !== null && (this.#active || isBazel(said[2] ?? ""))) {
      this.#active = true;
      this.#complaints.start(said[1] === "ERROR" ? "error" : "warning", said[2] ?? "");
      return true;
    }
    if (this.#outcome(text)) return true;
    if (NO_COMMAND.test(text)) {
      this.#sink.diagnostic({ severity: "error", message: text });
      return true;
    }
    if (!NOISE.test(text)) return false;
    // The debugging hint stands between a command that failed and what it printed.
    if (!text.startsWith("Use --sandbox_debug")) this.#complaints.close();
    this.#active ||=
      /^(?:INFO: (?:Analyzed|Found|Elapsed|Invocation)|Loading:|Computing main repo|Analyzing:)/.test(text);
    return this.#active;
  }

  end(): void {
    this.#complaints.close();
    for (const [name, word] of this.#announced) this.#fail(name, word);
  }

  #outcome(text: string): boolean {
    const [, word, announced, log] = ANNOUNCED.exec(text) ?? [];
    if (announced !== undefined) {
      this.#complaints.close();
      this.#active = true;
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

  /** Lines of a test's output, which another reader may know. */
  #outputLine(text: string): boolean {
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

/** Another reader may take the line that closes a test's output: then the next line of bazel's does. */
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

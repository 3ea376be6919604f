import type { Severity } from "../../model/diagnostic.ts";
import { commonPrefix, sampleLines } from "./common-prefix.ts";
import { PrefixLearner } from "./prefix-learner.ts";
import type { ReadLines } from "./prefix-learner.ts";

/** A line without the prefix of the program that wrapped the tool's output. */
export interface Unwrapped {
  readonly rest: string;
  /** Names the package, service or job whose output is interleaved with that of others; empty if there is none. */
  readonly channel: string;
  /** Severity that a CI system gave the line. */
  readonly level?: Severity;
  /** True if the line repeats an earlier one: docker prints the end of a failed step again. */
  readonly repeated?: boolean;
  /** The job and the step that `gh run view --log` prints before each line. */
  readonly step?: JobStep;
  /** The last mark of a section in the line, as GitLab prints them before its headings. */
  readonly section?: SectionMark;
}

export interface SectionMark {
  readonly name: string;
  readonly starts: boolean;
}

export interface JobStep {
  readonly job: string;
  readonly name: string;
}

/**
 * Upper bound on the prefixes of one line. The programs that print them can be nested, such as a CI timestamp around
 * docker around turbo around pnpm.
 */
const MAX_NESTING = 6;
/** Upper bound on the successive prefixes that nearly all lines of a log share. */
const MAX_COMMON = 3;

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d) ?(?:\d\d[OE][ +])?/;
const CLOCK =
  /^\[(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?Z?\](?: ?[A-Za-z]?:\t ?)?(?: ?\[Step \d+\/\d+\])? ?/;
/** Matches the timestamps of Go programs, `2025/05/31 00:01:42 `, with a level if present. */
const GO_TIME =
  /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})? (?:(?:DEBU|INFO|WARN|ERRO|FATA|DEBUG|ERROR|FATAL) )?/;
/** Matches the time that Jenkins prints before a line, followed by two blanks; no tool prints two. */
const JENKINS_TIME = /^\d\d:\d\d:\d\d(?:\.\d{1,6})? {2}/;
const GITHUB_CLI = /^([^\t]{1,200})\t([^\t]{1,200})\t\uFEFF?(?=\d{4}-\d\d-\d\dT)/;
const CI_MARK = /^##\[([a-z]+)\]/;
const GITLAB_SECTION = /^section_(start|end):\d{1,20}:([^\s[]{0,200})(?:\[\S{0,200})? ?/;
const TRAVIS_SECTION = /^travis_(?:fold|time):\S+/;
const BUILDKIT = /^#(\d+) \d+\.\d+ ?/;
const BUILDKIT_REPEAT = /^\d+\.\d+ ?/;
const COMPOSE = /^([A-Za-z][\w.-]{0,80}[-_]\d{1,4}) +\| ?/;
const YARN_FOREACH = /^(?:➤ YN0000: )?\[(?!(?:WARNING|ERROR|INFO|DEBUG|vite)\])(@?[\w./-]+)\]: /;
const CONCURRENTLY = /^\[(\d{1,2})\] /;
/** Matches Ant's task names, also inside Maven's output, where Maven's own level comes first. */
const ANT =
  /^(?:\[(?:INFO|WARNING|ERROR)\] )?\s*\[(javac|javadoc|junit|java|exec|groovyc|scalac|kotlinc|apply|ant)\] ?/;
/** Matches a task runner's line that shows the prefix of the following lines of its task. */
const INTRODUCTION = /^([^\s:][^\s]{0,120}: )(?:cache (?:hit|miss|bypass)|> @?[\w./-]+@\S+ |\$ )/;
const OPAM_LOG = /^### (?:output|stdout|stderr) ###\s*$/;
/**
 * Matches lines such as `shop> configure (lib)`, which show stack's prefix for a package. The word stands alone, unlike in
 * `CartTest > testAdd FAILED`.
 */
const STACK =
  /^([A-Za-z][\w-]{0,80} *> )(?:(?:configure|build|copy\/register|test)(?: \(|$)|(?:Configuring|Building|Preprocessing|\[ *\d+ of \d+\] Compiling) )/;
/** Matches `▮▮▮▮ web:build (32ms, c92cc47c)`; the lines of this moon task may start with `web:build | `. */
const MOON = /^▮{4} ([\w@./-]{1,100}:[\w./-]{1,100}) \(/;
const PNPM_COMMAND = /^(\S{1,120} [\w:@./-]{1,60}) ?\$ \S/;
const GUTTER = /^(?:│|\|) /;

const LEVELS: Record<string, Severity> = { error: "error", warning: "warning", notice: "info" };
/** Upper bound on learned prefixes; even large repositories interleave only hundreds of packages. */
const MAX_LEARNED = 1_000;

/**
 * Removes what task runners, containers and CI systems print before each line of a tool's output. Text that could also be the tool's own is removed
 * only if the log shows that it is a prefix: a line introduces it, or nearly all lines have it.
 */
export class PrefixUnwrapper {
  readonly #learned = new Map<string, string>();
  readonly #learner: PrefixLearner | undefined;
  /** The prefixes that nearly all lines have, outermost first. */
  #commons: RegExp[] = [];
  /** A prefix of unknown format that nearly all lines have after their prefixes of known formats. */
  #unknown: RegExp | undefined;
  #gutter: string | undefined;
  #isBuildkit = false;
  #isOpamLog = false;
  #repeat: "no" | "rule" | "inside" = "no";

  /**
   * `read` scores how well the parsers understand some lines. Without it, only prefixes that can be recognized from a
   * single line are removed.
   */
  constructor(read?: ReadLines) {
    this.#learner = read === undefined ? undefined : new PrefixLearner(read);
  }

  /**
   * Searches a part of the log, given in blocks of whole lines, for the prefixes that nearly all its lines share, from
   * the outermost to the innermost.
   */
  observe(blocks: readonly string[]): void {
    if (this.#learner === undefined) return;
    this.#commons = [];
    let lines = sampleLines(blocks);
    for (let depth = 0; depth < MAX_COMMON; depth++) {
      const shape = commonPrefix(lines);
      if (shape !== undefined) this.#commons.push(shape);
      // A timestamp that nearly all lines have is removed first, and only then the prefixes that single lines have.
      const rest =
        shape === undefined ? this.#withoutKnown(lines) : lines.map((line) => line.replace(shape, ""));
      if (rest.every((line, index) => line === lines[index])) break;
      lines = rest;
    }
    this.#unknown = this.#learner.learn(blocks, (some) => this.#withoutKnown(some));
  }

  /** Returns the lines without the prefixes of known formats. */
  #withoutKnown(lines: readonly string[]): string[] {
    const known = new PrefixUnwrapper();
    known.#commons = this.#commons;
    return lines.map((line) => known.unwrap(line).rest);
  }

  unwrap(text: string): Unwrapped {
    if (this.#isOpamLog && !text.startsWith("#")) this.#isOpamLog = false;
    const gutter = this.#underGutter(text);
    let rest = gutter === undefined ? text : text.slice(2);
    let channel = gutter ?? "";
    let level: Severity | undefined;
    let step: JobStep | undefined;
    let section: SectionMark | undefined;
    let unknown = this.#unknown;
    let commons = 0;
    for (let depth = 0; depth < MAX_NESTING; depth++) {
      let next = this.#commonPrefix(rest, commons);
      if (next === undefined) next = this.#strip(rest);
      else commons++;
      if (next === undefined && unknown !== undefined) {
        next = stripPrefix(rest, unknown);
        unknown = undefined;
      }
      if (next === undefined) break;
      rest = next.rest;
      if (next.channel !== "") channel += `${next.channel}\t`;
      level = next.level ?? level;
      step = next.step ?? step;
      section = next.section ?? section;
    }
    const repeated = this.#repeats(rest);
    if (repeated !== undefined) return { rest: repeated, channel: "repeat", repeated: this.#isBuildkit };
    if (level === undefined && step === undefined && section === undefined) return { rest, channel };
    return {
      rest,
      channel,
      ...(level === undefined ? {} : { level }),
      ...(step === undefined ? {} : { step }),
      ...(section === undefined ? {} : { section }),
    };
  }

  /** Removes from a line one of the prefixes that nearly all lines share. */
  #commonPrefix(text: string, index: number): Unwrapped | undefined {
    const shape = this.#commons[index];
    return shape === undefined ? undefined : stripNamedPrefix(text, shape);
  }

  #strip(text: string): Unwrapped | undefined {
    const code = text.charCodeAt(0);
    // The first character decides which prefixes are tried: those of CI systems and containers start with a digit, `#`
    // or `[`.
    if (code >= 48 && code <= 57)
      return (
        stripPrefix(text, ISO_TIME) ??
        stripPrefix(text, JENKINS_TIME) ??
        stripPrefix(text, GO_TIME) ??
        this.#readShaped(text)
      );
    if (code === 35) return this.#hash(text);
    if (code === 91)
      return (
        stripPrefix(text, CLOCK) ??
        stripNamedPrefix(text, YARN_FOREACH) ??
        stripNamedPrefix(text, CONCURRENTLY) ??
        stripNamedPrefix(text, ANT) ??
        this.#readShaped(text)
      );
    if (code === 32) return text.includes("[") ? stripNamedPrefix(text, ANT) : undefined;
    return this.#readShaped(text);
  }

  #hash(text: string): Unwrapped | undefined {
    const mark = CI_MARK.exec(text);
    if (mark !== null) {
      const level = LEVELS[mark[1] ?? ""];
      const rest = text.slice(mark[0].length);
      return level === undefined ? { rest, channel: "" } : { rest, channel: "", level };
    }
    // opam prints the log of a package that failed to build as comments, so the `# ` before each line is removed.
    if (OPAM_LOG.test(text)) this.#isOpamLog = true;
    else if (this.#isOpamLog && text.startsWith("# ")) return { rest: text.slice(2), channel: "opam" };
    const step = stripNamedPrefix(text, BUILDKIT);
    if (step !== undefined) this.#isBuildkit = true;
    return step;
  }

  #readShaped(text: string): Unwrapped | undefined {
    const tab = text.indexOf("\t");
    if (tab > 0) {
      const job = GITHUB_CLI.exec(text);
      if (job !== null) return stepOf(text, job);
    }
    const bar = text.indexOf("|");
    if (bar > 2 && bar < 90) {
      const service = stripNamedPrefix(text, COMPOSE);
      if (service !== undefined) return service;
      const task = this.#learned.get(text.slice(0, bar + 2));
      if (task !== undefined) return { rest: text.slice(bar + 2), channel: task };
    }
    // Android's Gradle plugin prints this prefix before the output of native compilers.
    if (text.startsWith("C/C++: ")) return { rest: text.slice(7), channel: "" };
    if (text.startsWith("::group::")) return { rest: text.slice(9), channel: "" };
    if (text.startsWith("➤ YN0000: [")) return stripNamedPrefix(text, YARN_FOREACH);
    if (text.startsWith("section_")) return sectionOf(text);
    if (text.startsWith("travis_")) return stripPrefix(text, TRAVIS_SECTION);
    return this.#readTaskRunner(text);
  }

  /** Removes the prefixes of turbo, lerna and nx (`web:build: …`) and of pnpm (`packages/web build: …`). */
  #readTaskRunner(text: string): Unwrapped | undefined {
    if (text.includes("$ ")) this.#learnPnpm(text);
    const moon = text.startsWith("▮▮▮▮ ") ? MOON.exec(text)?.[1] : undefined;
    if (moon !== undefined && this.#learned.size < MAX_LEARNED) this.#learned.set(`${moon} | `, moon);
    const angle = text.indexOf("> ");
    if (angle > 0 && angle < 90) {
      const stack = STACK.exec(text)?.[1];
      if (stack !== undefined && this.#learned.size < MAX_LEARNED) this.#learned.set(stack, stack.trim());
      const channel = this.#learned.get(text.slice(0, angle + 2));
      if (channel !== undefined) return { rest: text.slice(angle + 2), channel };
    }
    const colon = text.indexOf(": ");
    if (colon <= 0 || colon > 160) return undefined;
    const introduction = INTRODUCTION.exec(text)?.[1];
    if (introduction !== undefined && this.#learned.size < MAX_LEARNED)
      this.#learned.set(introduction, introduction);
    const prefix = text.slice(0, colon + 2);
    const channel = this.#learned.get(prefix);
    return channel === undefined ? undefined : { rest: text.slice(prefix.length), channel };
  }

  /** Returns the task whose lines are printed next to a vertical bar, if this line has one. */
  #underGutter(text: string): string | undefined {
    if (this.#gutter === undefined) return undefined;
    if (!GUTTER.test(text)) this.#gutter = undefined;
    return this.#gutter;
  }

  #learnPnpm(text: string): void {
    const task = PNPM_COMMAND.exec(text)?.[1];
    if (task === undefined || this.#learned.size >= MAX_LEARNED) return;
    this.#learned.set(`${task}: `, task);
    this.#gutter = task;
  }

  /** Handles docker's repetition of a failed step, which is printed below ` > [4/5] RUN …:` between two lines of dashes. */
  #repeats(text: string): string | undefined {
    if (text === "------") {
      this.#repeat = this.#repeat === "no" ? "rule" : "no";
      return undefined;
    }
    if (this.#repeat === "no") return undefined;
    if (this.#repeat === "rule") {
      this.#repeat = text.startsWith(" > ") ? "inside" : "no";
      return undefined;
    }
    return BUILDKIT_REPEAT.test(text) ? text.replace(BUILDKIT_REPEAT, "") : undefined;
  }
}

function stripPrefix(text: string, prefix: RegExp): Unwrapped | undefined {
  const match = prefix.exec(text);
  return match === null ? undefined : { rest: text.slice(match[0].length), channel: "" };
}

function stripNamedPrefix(text: string, prefix: RegExp): Unwrapped | undefined {
  const match = prefix.exec(text);
  return match === null ? undefined : { rest: text.slice(match[0].length), channel: match[1] ?? "" };
}

function stepOf(text: string, [prefix, job = "", name = ""]: RegExpExecArray): Unwrapped {
  return { rest: text.slice(prefix.length), channel: job, step: { job, name } };
}

function sectionOf(text: string): Unwrapped | undefined {
  const match = GITLAB_SECTION.exec(text);
  if (match === null) return undefined;
  const section = { name: match[2] ?? "", starts: match[1] === "start" };
  return { rest: text.slice(match[0].length), channel: "", section };
}

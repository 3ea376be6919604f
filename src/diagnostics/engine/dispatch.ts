import type { Collector } from "./collector.ts";
import type { BuildTool, Line, LineParser, Sink, Stream } from "../tool.ts";

/** A parser at work on one channel. */
interface Active {
  readonly tool: BuildTool;
  readonly rank: number;
  readonly parser: LineParser;
  /** Whether it has taken a line that opens a diagnostic by itself. */
  opened: boolean;
}

/** What became of the parsers' own faults: a fault must not cost the run its other diagnostics. */
export interface Faults {
  count: number;
  readonly tools: Set<string>;
}

/**
 * A line that begins something new whatever stands above, so that a parser which reads blocks must not take it for a part of its own: an
 * error as only tsc writes it, a source file's whole path alone (the heading of linters' tables), the first line of pytest, the
 * line above a header's error. These most often follow another tool without a word between.
 */
const OPENS =
  /^(?:[^\s'"`(]{1,300}\(\d+,\d+\): (?:error|warning) TS\d+: |(?:\/|[A-Za-z]:[\\/])[^\s'"`:(]{1,300}\.(?:[cm]?[jt]sx?|vue|svelte|s?css)$|={3,} test session starts ={3,}$|In file included from [^\s:]{1,300}:\d)/;

/**
 * Lines of one tool alone that are indented, so that a block of another (a difference, a longer message) would take them for its own: the
 * progress of cargo, the counts of mocha and the like.
 */
const OPENS_INDENTED: readonly { readonly tools: readonly string[]; readonly line: RegExp }[] = [
  {
    tools: ["cargo", "cargo-test", "cargo-nextest"],
    line: /^ {1,12}(?:(?:Compiling|Checking|Documenting) \S+ v\d|Finished (?:`|dev |test |release )|Running (?:unittests|tests|`)|Doc-tests \S+$)/,
  },
  { tools: ["mocha"], line: /^ {2}\d{1,9} (?:passing|failing|pending)(?: \(|$)/ },
  { tools: ["pest"], line: /^ {2,3}(?:PASS|FAIL|FAILED|WARN) {2}\S/ },
  { tools: ["ava"], line: /^ {2}(?:✘ \[fail\]|─$|(?:Uncaught exception|Unhandled rejection) in \S)/ },
  { tools: ["xo"], line: /^ {2}[✖×⚠‼] +\d+:\d+ {2,}\S/ },
  { tools: ["next"], line: /^ {3}▲ Next\.js \d/ },
  { tools: ["turbo"], line: /^ {3}• (?:turbo \d|Packages in scope)/ },
  { tools: ["vitest"], line: /^ (?:RUN|DEV) {1,2}v\d/ },
  { tools: ["exunit"], line: /^ {1,4}\d{1,6}\) (?:doc)?test .{1,500} \([\w.]{1,300}\)$/ },
];

/**
 * How a complaint begins that stands at the margin with its place: `src/a.py:3:5: `, `src/a.c:3: `, `src\\A.cs(3,5): `. Whose it is, the
 * tools have to say.
 */
const PLACED =
  /^(?:[A-Za-z]:[\\/])?(?:[^\s:'"`()]{1,300}|[^\s:'"`()]{1,200}[\\/][^:'"`()]{1,100})(?::\d{1,7}:(?:\d{1,5}:)? ?|\(\d{1,7}(?:,\d{1,5}){0,3}\) ?: )\S/;

/** A parser that threw this often is left out for the rest of the run. */
const MAX_FAULTS = 20;

/** A log that names more commands than this is not a log of commands. */
const MAX_RESTARTS = 1_000;

/**
 * Offers the lines of one channel to the parsers at work: first the one that took the stream's previous line, then by
 * priority; the first that takes the line has it.
 */
export class Channel {
  readonly #collector: Collector;
  readonly #faults: Faults;
  readonly #where: () => string | undefined;
  readonly #active: Active[] = [];
  readonly #started = new Set<BuildTool>();
  readonly #current: Record<Stream, Active | undefined> = { stdout: undefined, stderr: undefined };
  readonly #rested: Record<Stream, Active | undefined> = { stdout: undefined, stderr: undefined };
  readonly #failing = new Map<Active, number>();
  #restarts = 0;

  constructor(collector: Collector, faults: Faults, where: () => string | undefined) {
    this.#where = where;
    this.#collector = collector;
    this.#faults = faults;
  }

  /** Puts the tools to work that are not yet; `rank` orders them, lower first. */
  activate(tools: ReadonlyMap<BuildTool, number>): void {
    if (tools.size === this.#started.size) return;
    for (const [tool, rank] of tools) {
      if (this.#started.has(tool)) continue;
      this.#started.add(tool);
      const parser = tool.parser?.(this.#collector.sink(tool.id, { where: this.#where }));
      if (parser !== undefined) this.#active.push({ tool, rank, parser, opened: false });
    }
    this.#active.sort((a, b) => a.rank - b.rank);
  }

  /** The id of the tool that took the line. */
  offer(line: Line): string | undefined {
    const opens = OPENS.test(line.text);
    const first = this.#current[line.stream] ?? (opens ? undefined : this.#rested[line.stream]);
    const owners = ownersOf(line.text);
    const mayTake = (active: Active): boolean => owners === undefined || owners.includes(active.tool.id);
    const others = opens && first !== undefined && !first.opened;
    if (first !== undefined) {
      const next = this.#ownerInstead(first, line);
      // To the one at work it is as if an empty line stood between.
      if (next !== undefined) this.#take(first, { ...line, text: "" });
      if (next !== undefined && this.#take(next, line)) {
        this.#current[line.stream] = next;
        next.opened ||= opens;
        return next.tool.id;
      }
    }
    if (first !== undefined && !others && mayTake(first) && this.#take(first, line)) {
      this.#current[line.stream] = first;
      return first.tool.id;
    }
    for (const active of this.#active) {
      if (active === first || !mayTake(active) || !this.#take(active, line)) continue;
      this.#current[line.stream] = active;
      active.opened ||= opens;
      return active.tool.id;
    }
    if (others && this.#take(first, line)) {
      first.opened = true;
      return first.tool.id;
    }
    // What follows an empty line is mostly the same tool's, if it begins nothing new.
    this.#rested[line.stream] = line.text.trim() === "" ? first : undefined;
    this.#current[line.stream] = undefined;
    return undefined;
  }

  /** A new command begins: what the parsers held is given, and they start anew. */
  restart(): void {
    if (this.#active.length === 0 || ++this.#restarts > MAX_RESTARTS) return;
    this.end();
    this.#active.length = 0;
    this.#started.clear();
    for (const known of [this.#current, this.#rested]) {
      known.stdout = undefined;
      known.stderr = undefined;
    }
  }

  end(): void {
    for (const active of this.#active)
      try {
        active.parser.end();
      } catch (thrown) {
        this.#fault(active, thrown);
      }
  }

  /**
   * The tool that a complaint with a place belongs to, where the one at work would take it only as a further line of what it reads: an error
   * whose end nothing marks.
   */
  #ownerInstead(first: Active, line: Line): Active | undefined {
    if (!PLACED.test(line.text)) return undefined;
    if (readAlone(first.tool, line) !== undefined) return undefined;
    return this.#active.find((active) => active !== first && readAlone(active.tool, line) === "placed");
  }

  #take(active: Active, line: Line): boolean {
    try {
      return active.parser.take(line);
    } catch (thrown) {
      this.#fault(active, thrown);
      return false;
    }
  }

  #fault(active: Active, thrown: unknown): void {
    this.#faults.count++;
    this.#faults.tools.add(`${active.tool.id}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    const times = (this.#failing.get(active) ?? 0) + 1;
    this.#failing.set(active, times);
    if (times < MAX_FAULTS) return;
    const at = this.#active.indexOf(active);
    if (at >= 0) this.#active.splice(at, 1);
    for (const known of [this.#current, this.#rested])
      for (const stream of ["stdout", "stderr"] as const)
        if (known[stream] === active) known[stream] = undefined;
  }
}

/** The tools that alone may take the line, where it can be no other's. */
function ownersOf(text: string): readonly string[] | undefined {
  if (!text.startsWith(" ")) return undefined;
  return OPENS_INDENTED.find(({ line }) => line.test(text))?.tools;
}

/** What a tool makes of the line with nothing before it: a diagnostic with its place, a line of its own, or nothing. */
function readAlone(tool: BuildTool, line: Line): "placed" | "own" | undefined {
  let placed = false;
  const sink: Sink = {
    diagnostic: (found) => (placed ||= found.file !== undefined && found.line !== undefined),
    failure: () => undefined,
    summary: () => undefined,
    advice: () => undefined,
    outcome: () => undefined,
    ranFile: () => undefined,
    takeBack: () => undefined,
  };
  try {
    const parser = tool.parser?.(sink);
    if (parser?.take(line) !== true) return undefined;
    parser.end();
    return placed ? "placed" : "own";
  } catch {
    // Its fault counts where the line is given to it in earnest.
    return undefined;
  }
}

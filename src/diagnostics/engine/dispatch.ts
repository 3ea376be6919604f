import { parserOf } from "../formats/format-parser.ts";
import { probeSink } from "../parsing/probe-sink.ts";
import type { Collector } from "./collector.ts";
import type { RankedTools, ToolActivity } from "./tool-activity.ts";
import type { ToolFacts } from "./tool-facts.ts";
import type { BuildTool, Line, LineParser, Stream } from "../tool.ts";

/** A tool's parser for one channel (the output of one package, service or job). */
interface Active {
  readonly tool: BuildTool;
  readonly rank: number;
  readonly parser: LineParser;
  /** True if the parser has accepted a line that starts a new diagnostic (`BuildTool.opens`). */
  opened: boolean;
  /** The last stretch of output in which the parser accepted a line. */
  acceptedIn: number;
}

/** Exceptions thrown by parsers. They are recorded here so that one faulty parser does not lose the findings of the others. */
export interface Faults {
  count: number;
  readonly tools: Set<string>;
}

/**
 * Matches an unindented diagnostic that starts with its location: `src/a.py:3:5: `, `src/a.c:3: `, `src\\A.cs(3,5): `. The pattern does not tell
 * which tool wrote it.
 */
const PLACED =
  /^(?:[A-Za-z]:[\\/])?(?:[^\s:'"`()]{1,300}|[^\s:'"`()]{1,200}[\\/][^:'"`()]{1,100})(?::\d{1,7}:(?:\d{1,5}:)? ?|\(\d{1,7}(?:,\d{1,5}){0,3}\) ?: )\S/;

/** Number of exceptions after which a parser is disabled for the rest of the run. */
const MAX_FAULTS = 20;

/**
 * Upper bound on how often parsers are started anew because a line announces a new command; no real log announces so
 * many.
 */
const MAX_RESTARTS = 1_000;

interface ChannelOptions {
  readonly collector: Collector;
  readonly faults: Faults;
  readonly facts: ToolFacts;
  /** Returns the folder or package in which the commands that write to this channel currently run. */
  readonly where: () => string | undefined;
}

/**
 * Offers each line of one channel (the output of one package, service or job) to the active parsers: first to the
 * parser that accepted the stream's previous line, then to the others by priority. No other parser sees a line that one
 * has accepted.
 */
export class Channel {
  readonly #options: ChannelOptions;
  /** The parsers created so far; undefined for a tool without a line parser, or whose parser failed too often. */
  readonly #parsers = new Map<BuildTool, Active | undefined>();
  /** The parsers that are offered the lines of the current stretch of output, by priority; undefined until it has a line. */
  #active: readonly Active[] | undefined;
  #tools: RankedTools = new Map();
  #stretch = -1;
  #notes = 0;
  readonly #current: Record<Stream, Active | undefined> = { stdout: undefined, stderr: undefined };
  readonly #rested: Record<Stream, Active | undefined> = { stdout: undefined, stderr: undefined };
  readonly #failing = new Map<Active, number>();
  #restarts = 0;

  constructor(options: ChannelOptions) {
    this.#options = options;
  }

  /** Follows the output into a stretch, which `activity` knows the tools of. */
  enter(stretch: number, activity: ToolActivity): void {
    if (stretch === this.#stretch && activity.notes === this.#notes) return;
    this.#stretch = stretch;
    this.#notes = activity.notes;
    this.#tools = activity.at(stretch);
    this.#active = undefined;
  }

  /** Offers a line to the parsers and returns the id of the tool that accepted it. */
  offer(line: Line): string | undefined {
    const { facts } = this.#options;
    const opens = facts.opens(line.text);
    const first = this.#current[line.stream] ?? (opens ? undefined : this.#rested[line.stream]);
    const owners = facts.ownersOf(line.text);
    const mayTake = (active: Active): boolean => owners === undefined || owners.includes(active.tool.id);
    const others = opens && first !== undefined && !first.opened;
    if (first !== undefined) {
      const next = this.#ownerInstead(first, line);
      // The parser whose block of lines is still open sees an empty line instead, so that it ends the block.
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
    for (const active of this.#awake()) {
      if (active === first || !mayTake(active) || !this.#take(active, line)) continue;
      this.#current[line.stream] = active;
      active.opened ||= opens;
      return active.tool.id;
    }
    if (others && this.#take(first, line)) {
      first.opened = true;
      return first.tool.id;
    }
    // After an empty line, the tool that was offered it usually continues, unless the next line starts something new.
    this.#rested[line.stream] = line.text.trim() === "" ? first : undefined;
    this.#current[line.stream] = undefined;
    return undefined;
  }

  /** Starts over with new parsers when a new command begins; the old ones report what is pending. */
  restart(): void {
    if (this.#parsers.size === 0 || ++this.#restarts > MAX_RESTARTS) return;
    this.end();
    this.#active = undefined;
    this.#parsers.clear();
    for (const known of [this.#current, this.#rested]) {
      known.stdout = undefined;
      known.stderr = undefined;
    }
  }

  end(): void {
    for (const active of this.#ranked())
      try {
        active.parser.end();
      } catch (thrown) {
        this.#fault(active, thrown);
      }
  }

  /**
   * Returns the parsers for the current stretch: those of the tools that may have written it, and those that accepted a
   * line of this stretch or the one before. The other parsers keep their state.
   */
  #awake(): readonly Active[] {
    if (this.#active !== undefined) return this.#active;
    for (const [tool, rank] of this.#tools) if (!this.#parsers.has(tool)) this.#create(tool, rank);
    this.#active = this.#ranked().filter(
      ({ tool, acceptedIn }) => this.#tools.has(tool) || acceptedIn >= this.#stretch - 1,
    );
    return this.#active;
  }

  #create(tool: BuildTool, rank: number): void {
    const { collector, where } = this.#options;
    const parser = parserOf(tool, collector.sink(tool.id, { where }));
    const created = parser && { tool, rank, parser, opened: false, acceptedIn: Number.NEGATIVE_INFINITY };
    this.#parsers.set(tool, created);
  }

  #ranked(): Active[] {
    return [...this.#parsers.values()]
      .filter((active) => active !== undefined)
      .sort((a, b) => a.rank - b.rank);
  }

  /**
   * Finds the tool that owns a diagnostic with a location. The current parser would append such a line to its open
   * block of lines, because that block has no end marker.
   */
  #ownerInstead(first: Active, line: Line): Active | undefined {
    if (!PLACED.test(line.text)) return undefined;
    if (readAlone(first.tool, line) !== undefined) return undefined;
    return this.#awake().find((active) => active !== first && readAlone(active.tool, line) === "placed");
  }

  #take(active: Active, line: Line): boolean {
    try {
      if (!active.parser.take(line)) return false;
      active.acceptedIn = this.#stretch;
      return true;
    } catch (thrown) {
      this.#fault(active, thrown);
      return false;
    }
  }

  #fault(active: Active, thrown: unknown): void {
    const { faults } = this.#options;
    faults.count++;
    faults.tools.add(`${active.tool.id}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    const times = (this.#failing.get(active) ?? 0) + 1;
    this.#failing.set(active, times);
    if (times < MAX_FAULTS) return;
    this.#parsers.set(active.tool, undefined);
    this.#active = undefined;
    for (const known of [this.#current, this.#rested])
      for (const stream of ["stdout", "stderr"] as const)
        if (known[stream] === active) known[stream] = undefined;
  }
}

/**
 * Tests how a tool reads a line without the lines around it: as a diagnostic with a location, as another line of its
 * own, or not at all.
 */
function readAlone(tool: BuildTool, line: Line): "placed" | "own" | undefined {
  let placed = false;
  const sink = probeSink((found) => (placed ||= found.file !== undefined && found.line !== undefined));
  try {
    const parser = parserOf(tool, sink);
    if (parser?.take(line) !== true) return undefined;
    parser.end();
    return placed ? "placed" : "own";
  } catch {
    // An exception is ignored here because it is recorded when the line is actually offered to the parser.
    return undefined;
  }
}

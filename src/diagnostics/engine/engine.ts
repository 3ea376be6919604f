import type { ScriptLine } from "../../model/run.ts";
import { MAX_LINE } from "./max-line.ts";
import { ConsoleRecords, RECORD_MARK } from "../clean/console-records.ts";
import type { NumberedLine } from "../clean/console-records.ts";
import { settleLine } from "../clean/escapes.ts";
import { PrefixUnwrapper } from "../clean/prefixes.ts";
import { Collector } from "./collector.ts";
import type { Collected } from "./collector.ts";
import { Channel } from "./dispatch.ts";
import type { Faults } from "./dispatch.ts";
import { DocumentReader } from "./documents.ts";
import { EVIDENCE_SIGNATURES } from "../fallback/evidence-strength.ts";
import { EvidenceWindow } from "../fallback/evidence-window.ts";
import { workspaceMatchers } from "../fallback/problem-matchers.ts";
import { GeneralMatcher } from "../fallback/matcher.ts";
import { JobLog, STEP_SIGNATURES } from "../ci/job-log.ts";
import { VERDICT_SIGNATURES } from "../ci/verdict-lines.ts";
import { StreamInput } from "./input.ts";
import type { Stretch } from "./input.ts";
import { RecentLines } from "./recent-lines.ts";
import { buildTools } from "../registry/build-tools.ts";
import { ScriptLines } from "./script-lines.ts";
import { signatureSearch } from "./signatures.ts";
import type { SignatureSearch } from "./signatures.ts";
import type { CiOutcome } from "../../model/ci-outcome.ts";
import type { LogEvidence } from "../../model/log-evidence.ts";
import type { BuildTool, Line, Stream } from "../tool.ts";
import { Whereabouts } from "./cwd-tracker.ts";

export interface EngineOptions {
  /** All registered tools where absent. */
  readonly tools?: readonly BuildTool[];
  /** Ids of tools that are known to have written the output: put to work unasked, and asked first. */
  readonly expected?: readonly string[];
  /** The text of the workspace's `.vscode/tasks.json`: its own problem matchers read what no tool takes. */
  readonly tasksJson?: string;
  /** The largest report, in characters, that is read as one document; 8 M where absent. */
  readonly maxDocument?: number;
  /** Called with each line that no parser took, in order. */
  readonly onUnclaimed?: (line: Line) => void;
}

export interface EngineResult extends Collected {
  /** Ids of the tools that took lines or documents, by first appearance. */
  readonly tools: readonly string[];
  readonly lines: number;
  /** Lines that no parser took; blank lines are not counted. */
  readonly unclaimed: number;
  /** What the CI system says that wrote the log, where one did. */
  readonly ci?: CiOutcome;
  /** Lines that say that something failed, whatever wrote them. */
  readonly evidence?: LogEvidence;
  /** The scripts of packages that were announced. */
  readonly scripts: readonly ScriptLine[];
  /** Faults of parsers, contained: `id: message`. */
  readonly faults: readonly string[];
}

export interface Engine {
  write(chunk: Uint8Array | string, stream?: Stream): void;
  /** Closes the input and gives what was found. May be called once. */
  end(): EngineResult;
}

/** How much output is looked through for signatures before its lines are read. */
const WINDOW = 256 * 1024;
/** A larger report in a run's output is left to its lines: it would not fit the memory a run may take. */
const MAX_DOCUMENT = 8 * 1024 * 1024;
/** How npm and pnpm announce a script: `> shop@1.0.0 test`. Whatever a tool before it left open is over. */
const SCRIPT = /^> @?[\w./-]{1,200}@\d[\w.+-]{0,60} [\w:.-]{1,80}(?: \S.*)?$/;
const DOLLAR = 36;
/** Interleaved packages beyond this share one channel. */
const MAX_CHANNELS = 256;

/** Texts that are looked for beside the tools' own: a line that holds one may be a CI system's verdict, a step's beginning, evidence. */
const VERDICT = 1;
const STEP = 2;
const EVIDENCE = 4;
const MARKS: readonly { readonly bit: number; readonly signatures: readonly string[] }[] = [
  { bit: VERDICT, signatures: VERDICT_SIGNATURES },
  { bit: STEP, signatures: STEP_SIGNATURES },
  { bit: EVIDENCE, signatures: EVIDENCE_SIGNATURES },
];

const searches = new WeakMap<readonly BuildTool[], SignatureSearch>();

/** The search for the tools' signatures and the marks', built once for each list of tools. */
function searchFor(tools: readonly BuildTool[]): SignatureSearch {
  const known = searches.get(tools);
  if (known !== undefined) return known;
  const built = signatureSearch([...tools, ...MARKS].map((one) => one.signatures));
  searches.set(tools, built);
  return built;
}

/** The id under which lines of unknown tools are reported. */
const GENERAL = "general";

interface ChannelState {
  /** The tools at work on it, with their rank: those whose signatures its own lines hold. */
  readonly tools: Map<BuildTool, number>;
  readonly where: Whereabouts;
  readonly parsers: Channel;
  readonly general: GeneralMatcher;
}

/** A line of the window that is being read, and whose it is. */
interface Waiting {
  readonly line: Line;
  readonly channel: string;
  /** Bits of the marks that it holds. */
  readonly marks: number;
}

/** A reader of one run's output: bytes in, diagnostics and test summaries out. Never throws, whatever it reads. */
export function createEngine(options: EngineOptions = {}): Engine {
  return new OutputEngine(options);
}

/** Reads text that is there as a whole. */
export function parseText(text: string | Uint8Array, options: EngineOptions = {}): EngineResult {
  const engine = createEngine(options);
  engine.write(text);
  return engine.end();
}

class OutputEngine implements Engine {
  readonly #tools: readonly BuildTool[];
  readonly #ranked: readonly BuildTool[];
  readonly #options: EngineOptions;
  readonly #search: SignatureSearch;
  readonly #collector = new Collector();
  readonly #scripts = new ScriptLines();
  readonly #inputs: Record<Stream, StreamInput>;
  readonly #faults: Faults = { count: 0, tools: new Set() };
  readonly #expected = new Map<BuildTool, number>();
  readonly #channels = new Map<string, ChannelState>();
  readonly #prefixes = new PrefixUnwrapper();
  readonly #records = new Map<Stream, ConsoleRecords>();
  readonly #documents: DocumentReader;
  readonly #seen = new Set<string>();
  readonly #recent = new RecentLines();
  readonly #job = new JobLog(this.#recent, () => this.#collector.reasons);
  readonly #evidence = new EvidenceWindow(this.#recent);
  #waiting: Waiting[] = [];
  #pending: Stretch[] = [];
  #pendingLength = 0;
  #lines = 0;
  #unclaimed = 0;

  constructor(options: EngineOptions) {
    const expected = new Set(options.expected);
    this.#options = options;
    this.#tools = options.tools ?? buildTools;
    const maxLength = options.maxDocument ?? MAX_DOCUMENT;
    this.#inputs = {
      stdout: new StreamInput("stdout", maxLength),
      stderr: new StreamInput("stderr", maxLength),
    };
    const own = options.tasksJson === undefined ? undefined : workspaceMatchers(options.tasksJson);
    if (own !== undefined) expected.add(own.id);
    const tools = [...this.#tools, ...(own === undefined ? [] : [own])];
    // The workspace's own matchers are always at work, and asked last.
    const rank = (tool: BuildTool): number => Number(expected.has(tool.id) && tool !== own);
    this.#ranked = tools.sort((a, b) => rank(b) - rank(a) || (b.priority ?? 0) - (a.priority ?? 0));
    this.#search = searchFor(this.#tools);
    for (const [rank, tool] of this.#ranked.entries())
      if (expected.has(tool.id)) this.#expected.set(tool, rank);
    this.#documents = new DocumentReader({
      tools: this.#ranked,
      maxLength,
      collector: this.#collector,
      faults: this.#faults,
      replay: (line, channel, first) =>
        first ? this.#unmatched(line, this.#channel(channel)) : this.#offer(line, channel),
      took: (tool) => this.#seen.add(tool),
    });
  }

  write(chunk: Uint8Array | string, stream: Stream = "stdout"): void {
    // Pieces keep the window's size whatever the caller's chunks are.
    for (let from = 0; from < chunk.length; from += WINDOW) {
      const piece = chunk.length <= WINDOW ? chunk : chunk.slice(from, from + WINDOW);
      this.#queue(this.#inputs[stream].write(piece));
    }
  }

  end(): EngineResult {
    this.#queue(this.#inputs.stdout.end());
    this.#queue(this.#inputs.stderr.end());
    this.#readPending();
    for (const [stream, records] of this.#records)
      for (const line of records.end()) this.#readLine(line, stream);
    this.#dispatchWaiting();
    const reasons = this.#collector.reasons;
    this.#documents.end();
    for (const { parsers, general } of this.#channels.values()) {
      parsers.end();
      general.end();
    }
    const ci = this.#job.outcome(this.#collector.reasons - reasons);
    const evidence = this.#evidence.evidence();
    return {
      ...this.#collector.finish(),
      ...(ci === undefined ? {} : { ci }),
      ...(evidence === undefined ? {} : { evidence }),
      tools: [...this.#seen],
      scripts: this.#scripts.found,
      lines: this.#lines,
      unclaimed: this.#unclaimed,
      faults: [...this.#faults.tools],
    };
  }

  #queue(stretch: Stretch | undefined): void {
    if (stretch === undefined) return;
    this.#pending.push(stretch);
    this.#pendingLength += stretch.text.length;
    if (this.#pendingLength >= WINDOW) this.#readPending();
  }

  #readPending(): void {
    const stretches = this.#pending;
    this.#pending = [];
    this.#pendingLength = 0;
    this.#prefixes.observe(stretches.map((stretch) => stretch.text).join(""));
    for (const { stream, text } of stretches) {
      if (!this.#records.has(stream) && text.includes(RECORD_MARK))
        this.#records.set(stream, new ConsoleRecords());
      const settled = !text.includes("\r") && !text.includes("\b");
      for (let from = 0; from < text.length;) {
        const to = text.indexOf("\n", from);
        const raw = text.slice(from, to);
        this.#rawLine(settled ? raw : settleLine(raw), stream);
        from = to + 1;
      }
    }
    this.#dispatchWaiting();
  }

  #rawLine(text: string, stream: Stream): void {
    const number = ++this.#lines;
    const records = this.#records.get(stream);
    if (records === undefined) this.#readLine({ text, number }, stream);
    else for (const line of records.push(text, number)) this.#readLine(line, stream);
  }

  #readLine({ text, number }: NumberedLine, stream: Stream): void {
    const { channel, rest, level, repeated } = this.#prefixes.unwrap(text);
    if (repeated === true) return;
    const { tools } = this.#channel(channel);
    let marks = level === "error" ? EVIDENCE : 0;
    this.#search.scan(text, (owner) => {
      const tool = this.#tools[owner];
      if (tool === undefined) marks |= MARKS[owner - this.#tools.length]?.bit ?? 0;
      else if (!tools.has(tool)) tools.set(tool, this.#ranked.indexOf(tool));
    });
    const line = { text: rest, number, stream };
    this.#waiting.push({ line: level === undefined ? line : { ...line, level }, channel, marks });
  }

  /** The lines of a window are given to the parsers when it is known which tools wrote them. */
  #dispatchWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { line, channel, marks } of waiting) {
      const text = this.#clip(line.text);
      const clipped = text === line.text ? line : { ...line, text };
      if ((marks & STEP) !== 0) this.#job.startStep();
      else if (text.charCodeAt(0) === DOLLAR && text.startsWith("$ ")) this.#job.startCommand();
      this.#dispatch(clipped, channel, marks);
      if ((marks & VERDICT) !== 0) this.#job.judge(clipped);
      this.#recent.push(clipped);
    }
  }

  #clip(text: string): string {
    if (text.length <= MAX_LINE || text.startsWith("{") || this.#documents.wants(text)) return text;
    return `${text.slice(0, MAX_LINE)}…`;
  }

  #dispatch(line: Line, channel: string, marks: number): void {
    if (!this.#documents.holds(line, channel)) this.#offer(line, channel, marks);
  }

  /** Without marks the line was held in what turned out not to be a document. */
  #offer(line: Line, channelName: string, marks?: number): void {
    const channel = this.#channel(channelName);
    this.#scripts.see(line.text);
    if (line.text.startsWith("> ") && SCRIPT.test(line.text)) channel.parsers.restart();
    channel.parsers.activate(channel.tools);
    const tool = channel.parsers.offer(line);
    // After it: what a parser still held was found before.
    channel.where.see(line.text);
    if (tool !== undefined) {
      this.#seen.add(tool);
      channel.general.interrupt();
      this.#weigh(line, { isTaken: true, marks });
    } else if (marks === undefined || !this.#documents.begins(line, channelName))
      this.#unmatched(line, channel, marks);
  }

  #unmatched(line: Line, channel: ChannelState, marks?: number): void {
    const isTaken = channel.general.take(line);
    this.#weigh(line, { isTaken, marks });
    if (isTaken) return;
    if (line.text.trim() !== "") this.#unclaimed++;
    this.#options.onUnclaimed?.(line);
  }

  #weigh(
    line: Line,
    { isTaken, marks = EVIDENCE }: { readonly isTaken: boolean; readonly marks?: number | undefined },
  ): void {
    if ((marks & EVIDENCE) === 0) this.#evidence.pass(line);
    else this.#evidence.weigh(line, isTaken);
  }

  #channel(name: string): ChannelState {
    const key = this.#channels.size >= MAX_CHANNELS && !this.#channels.has(name) ? "" : name;
    let channel = this.#channels.get(key);
    if (channel === undefined) {
      const whereabouts = new Whereabouts(key);
      const where = (): string | undefined => whereabouts.now;
      channel = {
        tools: new Map(this.#expected),
        where: whereabouts,
        parsers: new Channel(this.#collector, this.#faults, where),
        general: new GeneralMatcher({
          sure: this.#collector.sink(GENERAL, { where }),
          otherwise: this.#collector.sink(GENERAL, { otherwise: true, where }),
        }),
      };
      this.#channels.set(key, channel);
    }
    return channel;
  }
}

import type { ScriptLine } from "../../model/run.ts";
import { ConsoleRecords, RECORD_MARK } from "../clean/console-records.ts";
import type { NumberedLine } from "../clean/console-records.ts";
import { settleLine } from "../clean/escapes.ts";
import { PrefixUnwrapper } from "../clean/prefixes.ts";
import type { JobStep } from "../clean/prefixes.ts";
import { Collector } from "./collector.ts";
import type { Collected } from "./collector.ts";
import { Channel } from "./dispatch.ts";
import type { Faults } from "./dispatch.ts";
import { DocumentReader } from "./documents.ts";
import { FAILURE_SIGNATURES, SUCCESS_SIGNATURES } from "../fallback/evidence-strength.ts";
import { EvidenceWindow } from "../fallback/evidence-window.ts";
import { TraceFiles } from "../fallback/trace-files.ts";
import { workspaceMatchers } from "../fallback/problem-matchers.ts";
import { FallbackMatcher } from "../fallback/matcher.ts";
import { BUILD_SIGNATURES, BuildSpans } from "../ci/build-spans.ts";
import { JobLog } from "../ci/job-log.ts";
import { LastWords, REPORT_SIGNATURES } from "../ci/last-words.ts";
import { readCommand, readStepStart, STEP_SIGNATURES } from "../ci/step-lines.ts";
import { endsStep, VERDICT_SIGNATURES } from "../ci/verdict-lines.ts";
import { StreamInput } from "./input.ts";
import type { DecodedLines } from "./input.ts";
import { RecentLines } from "./recent-lines.ts";
import { buildTools } from "../registry/build-tools.ts";
import { ScriptLines } from "./script-lines.ts";
import { signatureSearch } from "./signatures.ts";
import { toolFacts } from "./tool-facts.ts";
import type { ToolFacts } from "./tool-facts.ts";
import type { SignatureSearch } from "./signatures.ts";
import type { CiOutcome, StepSpans } from "../../model/ci-outcome.ts";
import type { LogEvidence } from "../../model/log-evidence.ts";
import type { LogLine } from "../../model/run.ts";
import type { TraceFile } from "../../model/trace-file.ts";
import { MAX_LINE } from "../tool.ts";
import type { BuildTool, Line, Stream } from "../tool.ts";
import { CwdTracker } from "./cwd-tracker.ts";

export interface EngineOptions {
  /** Tools to use; default: all registered tools. */
  readonly tools?: readonly BuildTool[];
  /** Tools that a user or the workspace describes. Those without signatures read any line that no other tool accepts. */
  readonly custom?: readonly BuildTool[];
  /** Ids of the tools that are known to have written the output. Their parsers are active without a signature and are offered lines first. */
  readonly expected?: readonly string[];
  /** Text of the workspace's `.vscode/tasks.json`. Its problem matchers read lines that no tool accepts. */
  readonly tasksJson?: string;
  /** Upper bound, in characters, on a report that is read as one document; default: 8 M. */
  readonly maxDocument?: number;
  /** True if the engine looks for a prefix that nearly all lines share; default: true. */
  readonly learnsPrefixes?: boolean;
  /**
   * True if the engine weighs what the log itself says about success and failure (`ci`, `evidence`); default: true. A run
   * has an exit code instead, and its output is read faster without this.
   */
  readonly weighsEvidence?: boolean;
  /** Called for each line, without its prefixes and escapes. */
  readonly onLine?: (line: Line) => void;
  /** Called for each line that no parser accepted, in order. */
  readonly onUnclaimed?: (line: Line) => void;
}

export interface EngineResult extends Collected {
  /** Ids of the tools that accepted lines or documents, in order of first appearance. */
  readonly tools: readonly string[];
  readonly lines: number;
  /** Number of lines that no parser accepted, without blank lines. */
  readonly unclaimed: number;
  /** The outcome of the job, if the log comes from a CI system that reports one. */
  readonly ci?: CiOutcome;
  /** The parts of the log that a CI system or a build tool declared successful. */
  readonly steps: StepSpans;
  /** The project's files in the stack traces of the log. */
  readonly traceFiles: readonly TraceFile[];
  /** The last lines before a build tool began to report that the build failed. */
  readonly lastWords: readonly LogLine[];
  /** Lines that indicate a failure, whichever program wrote them. */
  readonly evidence?: LogEvidence;
  /** The package scripts that npm or pnpm announced. */
  readonly scripts: readonly ScriptLine[];
  /** Exceptions thrown by parsers, as `id: message`; they did not stop the engine. */
  readonly faults: readonly string[];
}

export interface Engine {
  write(chunk: Uint8Array | string, stream?: Stream): void;
  /** Closes the input and returns the findings. It must be called only once. */
  end(): EngineResult;
}

/** Number of characters of output that are searched for the tools' signatures before their lines are parsed. */
const WINDOW = 256 * 1024;
/**
 * Maximum size of a report that is parsed as one document. Larger ones are parsed line by line, because they would need
 * too much memory.
 */
const MAX_DOCUMENT = 8 * 1024 * 1024;
/**
 * Upper bound on channels (packages or services whose output is interleaved); any further ones share a single channel.
 */
const MAX_CHANNELS = 256;

/**
 * Bits for the kinds of text that are searched besides the tools' signatures: a line with one may be a CI system's verdict, the start of a CI step,
 * evidence of a failure, or evidence of success.
 */
const VERDICT = 1;
const STEP = 2;
const FAILURE = 4;
const SUCCESS = 8;
const BUILD = 16;
const REPORT = 32;
const MARKS: readonly { readonly bit: number; readonly signatures: readonly string[] }[] = [
  { bit: VERDICT, signatures: VERDICT_SIGNATURES },
  { bit: STEP, signatures: STEP_SIGNATURES },
  { bit: FAILURE, signatures: FAILURE_SIGNATURES },
  { bit: SUCCESS, signatures: SUCCESS_SIGNATURES },
  { bit: BUILD, signatures: BUILD_SIGNATURES },
  { bit: REPORT, signatures: REPORT_SIGNATURES },
];

const searches = new WeakMap<readonly BuildTool[], SignatureSearch>();

/** Returns the search for the signatures of the tools and of `MARKS`, which is built once per list of tools. */
function searchFor(tools: readonly BuildTool[]): SignatureSearch {
  const known = searches.get(tools);
  if (known !== undefined) return known;
  const built = signatureSearch([...tools, ...MARKS].map((one) => one.signatures));
  searches.set(tools, built);
  return built;
}

const lists = new WeakMap<readonly BuildTool[], readonly BuildTool[]>();

/** Adds the tools of a workspace to the others; the list is built once, because what is derived from it is kept with it. */
function withCustom(tools: readonly BuildTool[], custom: readonly BuildTool[] = []): readonly BuildTool[] {
  if (custom.length === 0) return tools;
  const known = lists.get(custom);
  if (known !== undefined) return known;
  const all = [...tools, ...custom];
  lists.set(custom, all);
  return all;
}

/** Tool id under which findings of unknown tools are reported. */
const GENERAL = "general";

interface ChannelState {
  /**
   * The tools whose signatures occurred in the channel's lines, each with its rank in the order in which tools are
   * offered a line.
   */
  readonly tools: Map<BuildTool, number>;
  readonly where: CwdTracker;
  readonly parsers: Channel;
  readonly general: FallbackMatcher;
}

/** A line that waits until the output around it has been searched for signatures, with its channel. */
interface PendingLine {
  readonly line: Line;
  readonly channel: string;
  /** The bits of `MARKS` that stand for texts in this line. */
  readonly marks: number;
  /** The job and step that the line's prefix names. */
  readonly step?: JobStep | undefined;
}

/** Creates a reader for the output of one run: bytes in, diagnostics and test summaries out. It never throws, whatever the input. */
export function createEngine(options: EngineOptions = {}): Engine {
  return new OutputEngine(options);
}

/** Parses a complete text at once. */
export function parseText(text: string | Uint8Array, options: EngineOptions = {}): EngineResult {
  const engine = createEngine(options);
  engine.write(text);
  return engine.end();
}

/** Scores how well the tools understand some lines: first by how many lines they accept, then by what they find. */
function understoodOf(
  lines: readonly string[],
  remainders: readonly RegExp[],
  options: EngineOptions,
): number {
  const { onUnclaimed: _onUnclaimed, onLine: _onLine, ...others } = options;
  const result = parseText(`${lines.join("\n")}\n`, {
    ...others,
    learnsPrefixes: false,
    weighsEvidence: false,
  });
  const found = [...result.diagnostics, ...result.tests.flatMap((one) => one.failures)];
  const spoilt = found.filter(
    ({ file }) =>
      file !== undefined && (/^\s/.test(file) || remainders.some((one) => !one.test("") && one.test(file))),
  );
  const clean = found.length - spoilt.length + result.tests.length;
  const known = lines.filter((line) => line.trim() !== "").length - result.unclaimed;
  return known - 5 * spoilt.length + clean / 10;
}

class OutputEngine implements Engine {
  readonly #tools: readonly BuildTool[];
  readonly #ranked: readonly BuildTool[];
  readonly #options: EngineOptions;
  readonly #search: SignatureSearch;
  readonly #facts: ToolFacts;
  readonly #collector: Collector;
  readonly #scripts = new ScriptLines();
  readonly #inputs: Record<Stream, StreamInput>;
  readonly #faults: Faults = { count: 0, tools: new Set() };
  readonly #expected = new Map<BuildTool, number>();
  readonly #channels = new Map<string, ChannelState>();
  readonly #prefixes: PrefixUnwrapper;
  readonly #records = new Map<Stream, ConsoleRecords>();
  readonly #documents: DocumentReader;
  readonly #seen = new Set<string>();
  readonly #recent = new RecentLines();
  readonly #job: JobLog | undefined;
  readonly #evidence: EvidenceWindow | undefined;
  readonly #builds = new BuildSpans();
  readonly #traceFiles = new TraceFiles();
  readonly #lastWords = new LastWords(this.#recent);
  #waiting: PendingLine[] = [];
  #pending: DecodedLines[] = [];
  #pendingLength = 0;
  #lines = 0;
  #unclaimed = 0;

  constructor(options: EngineOptions) {
    const expected = new Set(options.expected);
    this.#options = options;
    this.#tools = withCustom(options.tools ?? buildTools, options.custom);
    this.#facts = toolFacts(this.#tools);
    this.#collector = new Collector(this.#facts);
    if (options.weighsEvidence !== false) {
      this.#job = new JobLog(this.#recent, () => this.#collector.reasons);
      this.#evidence = new EvidenceWindow(this.#recent);
    }
    const maxLength = options.maxDocument ?? MAX_DOCUMENT;
    this.#inputs = {
      stdout: new StreamInput("stdout", maxLength),
      stderr: new StreamInput("stderr", maxLength),
    };
    this.#prefixes = new PrefixUnwrapper(
      options.learnsPrefixes === false
        ? undefined
        : (lines, remainders) => understoodOf(lines, remainders, options),
    );
    const own = options.tasksJson === undefined ? undefined : workspaceMatchers(options.tasksJson);
    const tools = [...this.#tools, ...(own === undefined ? [] : [own])];
    // Tools that cannot be recognized by a text are always active; their low priority makes them the last ones to be
    // offered a line.
    const active = [
      ...(options.custom ?? []).filter((tool) => tool.signatures.length === 0),
      ...(own === undefined ? [] : [own]),
    ];
    const rank = (tool: BuildTool): number => Number(expected.has(tool.id));
    this.#ranked = tools.sort((a, b) => rank(b) - rank(a) || (b.priority ?? 0) - (a.priority ?? 0));
    this.#search = searchFor(this.#tools);
    for (const [rank, tool] of this.#ranked.entries())
      if (expected.has(tool.id) || active.includes(tool)) this.#expected.set(tool, rank);
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
    // Large chunks are split so that the amount of output that is searched at once does not depend on the caller.
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
    const ci = this.#job?.outcome(this.#collector.reasons - reasons);
    const evidence = this.#evidence?.evidence();
    return {
      ...this.#collector.finish(),
      ...(ci === undefined ? {} : { ci }),
      ...(evidence === undefined ? {} : { evidence }),
      steps: this.#spans(),
      traceFiles: this.#traceFiles.files(),
      lastWords: this.#lastWords.lines,
      tools: [...this.#seen],
      scripts: this.#scripts.found,
      lines: this.#lines,
      unclaimed: this.#unclaimed,
      faults: [...this.#faults.tools],
    };
  }

  #spans(): StepSpans {
    const steps = this.#job?.spans() ?? { passed: [] };
    return { ...steps, passed: [...steps.passed, ...this.#builds.passed] };
  }

  #queue(block: DecodedLines | undefined): void {
    if (block === undefined) return;
    this.#pending.push(block);
    this.#pendingLength += block.text.length;
    if (this.#pendingLength >= WINDOW) this.#readPending();
  }

  #readPending(): void {
    const blocks = this.#pending;
    this.#pending = [];
    this.#pendingLength = 0;
    this.#prefixes.observe(blocks.map((block) => block.text));
    for (const { stream, text } of blocks) {
      if (!this.#records.has(stream) && text.includes(RECORD_MARK))
        this.#records.set(stream, new ConsoleRecords());
      const settled = !text.includes("\r") && !text.includes("\b");
      for (let from = 0; from < text.length;) {
        const to = text.indexOf("\n", from);
        const raw = text.slice(from, to);
        this.#readRawLine(settled ? raw : settleLine(raw), stream);
        from = to + 1;
      }
    }
    this.#dispatchWaiting();
  }

  #readRawLine(text: string, stream: Stream): void {
    const number = ++this.#lines;
    const records = this.#records.get(stream);
    if (records === undefined) this.#readLine({ text, number }, stream);
    else for (const line of records.push(text, number)) this.#readLine(line, stream);
  }

  #readLine({ text, number }: NumberedLine, stream: Stream): void {
    const { channel, rest, level, repeated, step } = this.#prefixes.unwrap(text);
    if (repeated === true) return;
    const { tools } = this.#channel(channel);
    let marks = level === "error" ? FAILURE : 0;
    this.#search.scan(text, (owner) => {
      const tool = this.#tools[owner];
      if (tool === undefined) marks |= MARKS[owner - this.#tools.length]?.bit ?? 0;
      else if (!tools.has(tool)) tools.set(tool, this.#ranked.indexOf(tool));
    });
    const line = { text: rest, number, stream };
    const waiting = { line: level === undefined ? line : { ...line, level }, channel, marks };
    this.#waiting.push(step === undefined ? waiting : { ...waiting, step });
  }

  /**
   * Passes the lines of a window (a stretch of output that was searched for signatures) to the parsers of the tools
   * found in it.
   */
  #dispatchWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { line, channel, marks, step } of waiting) {
      const text = this.#clip(line.text);
      const clipped = text === line.text ? line : { ...line, text };
      this.#collector.line = line.number;
      this.#options.onLine?.(clipped);
      if (this.#job !== undefined) this.#followJob(this.#job, { line: clipped, channel, marks, step });
      // What the parsers still hold was printed before the step ended.
      if ((marks & VERDICT) !== 0 && endsStep(clipped)) this.#channel(channel).parsers.restart();
      this.#dispatch(clipped, channel, marks);
      if ((marks & VERDICT) !== 0) this.#judge(clipped);
      // Only the log's own verdict needs the lines before it.
      if (this.#job !== undefined) this.#recent.push(clipped);
    }
  }

  #judge(line: Line): void {
    const retried = this.#job?.retry(line);
    if (retried === undefined) this.#job?.judge(line);
    else this.#overrule(retried);
  }

  /** Drops the evidence of a failure since a line, because what printed it was successful in the end. */
  #overrule(from: number): void {
    this.#evidence?.overrule(from);
    this.#lastWords.overrule(from);
  }

  /** Passes a line to those who follow the steps of a job and the builds in it. */
  #followJob(job: JobLog, { line, channel, marks, step }: PendingLine): void {
    if (step !== undefined) job.enter(step, line.number);
    job.follow(line);
    this.#traceFiles.take(line);
    if ((marks & REPORT) !== 0) this.#lastWords.observe(line);
    const start = (marks & STEP) === 0 ? readCommand(line) : readStepStart(line.text);
    if (start !== undefined) {
      this.#builds.startCommand();
      job.start(start, { number: line.number });
      if ((marks & STEP) !== 0) this.#channel(channel).parsers.restart();
    }
    if ((marks & BUILD) === 0) return;
    const passed = this.#builds.observe(line);
    if (passed !== undefined) this.#overrule(passed.from);
  }

  #clip(text: string): string {
    if (text.length <= MAX_LINE || text.startsWith("{") || this.#documents.wants(text)) return text;
    return `${text.slice(0, MAX_LINE)}…`;
  }

  #dispatch(line: Line, channel: string, marks: number): void {
    if (!this.#documents.holds(line, channel)) this.#offer(line, channel, marks);
  }

  /**
   * Offers a line to the parsers. `marks` is absent for lines that the document reader held and that turned out not to
   * belong to a document.
   */
  #offer(line: Line, channelName: string, marks?: number): void {
    const channel = this.#channel(channelName);
    this.#scripts.observe(line.text);
    const announced = this.#facts.announced(line.text);
    if (announced?.script === true) channel.parsers.restart();
    channel.parsers.activate(channel.tools);
    const tool = channel.parsers.offer(line);
    // The current folder changes only after the line is parsed, because what a parser reports until then happened in
    // the previous folder.
    if (announced !== undefined) channel.where.observe(announced);
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

  #weigh(line: Line, { isTaken, marks = FAILURE }: { isTaken: boolean; marks?: number | undefined }): void {
    if (this.#evidence === undefined) return;
    if ((marks & FAILURE) !== 0) this.#evidence.weigh(line, isTaken);
    else if ((marks & SUCCESS) !== 0) this.#evidence.passSuccess(line);
    else this.#evidence.pass(line);
  }

  #channel(name: string): ChannelState {
    const key = this.#channels.size >= MAX_CHANNELS && !this.#channels.has(name) ? "" : name;
    let channel = this.#channels.get(key);
    if (channel === undefined) {
      const cwdTracker = new CwdTracker(key);
      const where = (): string | undefined => cwdTracker.now;
      channel = {
        tools: new Map(this.#expected),
        where: cwdTracker,
        parsers: new Channel({
          collector: this.#collector,
          faults: this.#faults,
          facts: this.#facts,
          where,
        }),
        general: new FallbackMatcher({
          sure: this.#collector.sink(GENERAL, { where }),
          fallback: this.#collector.sink(GENERAL, { fallback: true, where }),
        }),
      };
      this.#channels.set(key, channel);
    }
    return channel;
  }
}

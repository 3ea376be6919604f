import type { ScriptLine } from "../../model/run.ts";
import { workspaceMatchers } from "../fallback/problem-matchers.ts";
import { endsStep } from "../ci/verdict-lines.ts";
import { Channels } from "./channels.ts";
import type { ChannelState } from "./channels.ts";
import { Collector } from "./collector.ts";
import type { Collected } from "./collector.ts";
import type { Faults } from "./dispatch.ts";
import { DocumentReader } from "./documents.ts";
import { FAILURE, lineSearch, VERDICT } from "./line-marks.ts";
import type { LineSearch } from "./line-marks.ts";
import { LineReader } from "./line-reader.ts";
import type { ReadLine } from "./line-reader.ts";
import { LogJudge, NOT_WEIGHED } from "./log-judge.ts";
import type { LogVerdict } from "./log-judge.ts";
import { buildTools } from "../registry/build-tools.ts";
import { ScriptLines } from "./script-lines.ts";
import { toolFacts } from "./tool-facts.ts";
import type { ToolFacts } from "./tool-facts.ts";
import { MAX_LINE } from "../tool.ts";
import type { BuildTool, Line, Stream } from "../tool.ts";

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

export interface EngineResult extends Collected, LogVerdict {
  /** Ids of the tools that accepted lines or documents, in order of first appearance. */
  readonly tools: readonly string[];
  readonly lines: number;
  /** Number of lines that no parser accepted, without blank lines. */
  readonly unclaimed: number;
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

/**
 * Maximum size of a report that is parsed as one document. Larger ones are parsed line by line, because they would need
 * too much memory.
 */
const MAX_DOCUMENT = 8 * 1024 * 1024;

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

/**
 * Orders the tools by how early they are offered a line, and tells which of them are active without a signature: those
 * that are expected, and those that cannot be recognized by a text. The low priority of the latter makes them the last
 * ones to be offered a line.
 */
function rankTools(
  tools: readonly BuildTool[],
  { expected = [], custom = [], tasksJson }: EngineOptions,
): { readonly ranks: ReadonlyMap<BuildTool, number>; readonly always: ReadonlyMap<BuildTool, number> } {
  const own = tasksJson === undefined ? undefined : workspaceMatchers(tasksJson);
  const unmarked = [
    ...custom.filter((tool) => tool.signatures.length === 0),
    ...(own === undefined ? [] : [own]),
  ];
  if (expected.length === 0 && unmarked.length === 0) return { ranks: ranksOf(tools), always: new Map() };
  const ids = new Set(expected);
  const first = (tool: BuildTool): number => Number(ids.has(tool.id));
  const ranked = [...ranksOf(tools).keys(), ...(own === undefined ? [] : [own])].sort(
    (a, b) => first(b) - first(a) || (b.priority ?? 0) - (a.priority ?? 0),
  );
  const ranks = new Map(ranked.map((tool, rank) => [tool, rank]));
  const always = [...ranks].filter(([tool]) => ids.has(tool.id) || unmarked.includes(tool));
  return { ranks, always: new Map(always) };
}

const ranksByList = new WeakMap<readonly BuildTool[], ReadonlyMap<BuildTool, number>>();

/** Orders the tools by priority, once per list: for a short output this takes as long as reading it. */
function ranksOf(tools: readonly BuildTool[]): ReadonlyMap<BuildTool, number> {
  const known = ranksByList.get(tools);
  if (known !== undefined) return known;
  const ranked = [...tools].sort((a, b) => (b.priority ?? 0) - (a.priority ?? 0));
  const ranks = new Map(ranked.map((tool, rank) => [tool, rank]));
  ranksByList.set(tools, ranks);
  return ranks;
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
  // A file name that starts with such a text is misread; one that is the text, as in a list of one file, is not.
  const spoils = (one: RegExp, file: string): boolean =>
    !one.test("") && (one.exec(file)?.[0].length ?? file.length) < file.length;
  const spoilt = found.filter(
    ({ file }) => file !== undefined && (/^\s/.test(file) || remainders.some((one) => spoils(one, file))),
  );
  const clean = found.length - spoilt.length + result.tests.length;
  const known = lines.filter((line) => line.trim() !== "").length - result.unclaimed;
  return known - 5 * spoilt.length + clean / 10;
}

class OutputEngine implements Engine {
  readonly #options: EngineOptions;
  readonly #search: LineSearch;
  readonly #facts: ToolFacts;
  readonly #ranks: ReadonlyMap<BuildTool, number>;
  readonly #collector: Collector;
  readonly #scripts = new ScriptLines();
  readonly #faults: Faults = { count: 0, tools: new Set() };
  readonly #reader: LineReader;
  readonly #channels: Channels;
  readonly #documents: DocumentReader;
  readonly #judge: LogJudge | undefined;
  readonly #seen = new Set<string>();
  #unclaimed = 0;

  constructor(options: EngineOptions) {
    const tools = withCustom(options.tools ?? buildTools, options.custom);
    const { ranks, always } = rankTools(tools, options);
    const maxLength = options.maxDocument ?? MAX_DOCUMENT;
    this.#options = options;
    this.#ranks = ranks;
    this.#facts = toolFacts(tools);
    this.#search = lineSearch(tools);
    this.#collector = new Collector(this.#facts);
    if (options.weighsEvidence !== false) this.#judge = new LogJudge(() => this.#collector.reasons);
    this.#reader = new LineReader({
      maxLine: maxLength,
      understood:
        options.learnsPrefixes === false
          ? undefined
          : (lines, remainders) => understoodOf(lines, remainders, options),
      onWindow: (lines) => this.#readWindow(lines),
    });
    this.#channels = new Channels({
      collector: this.#collector,
      faults: this.#faults,
      facts: this.#facts,
      always,
    });
    this.#documents = new DocumentReader({
      tools: [...ranks.keys()],
      maxLength,
      collector: this.#collector,
      faults: this.#faults,
      replay: (line, channel, first) =>
        first ? this.#unmatched(line, this.#channels.get(channel)) : this.#offer(line, channel),
      took: (tool) => this.#seen.add(tool),
    });
  }

  write(chunk: Uint8Array | string, stream: Stream = "stdout"): void {
    this.#reader.write(chunk, stream);
  }

  end(): EngineResult {
    this.#reader.end();
    const reasons = this.#collector.reasons;
    this.#documents.end();
    this.#channels.end();
    return {
      ...this.#collector.finish(),
      ...(this.#judge?.verdict(this.#collector.reasons - reasons) ?? NOT_WEIGHED),
      tools: [...this.#seen],
      scripts: this.#scripts.found,
      lines: this.#reader.lines,
      unclaimed: this.#unclaimed,
      faults: [...this.#faults.tools],
    };
  }

  /** Searches the lines of a window for the tools' signatures, then passes them to the parsers of the tools found. */
  #readWindow(lines: readonly ReadLine[]): void {
    const rankOf = (tool: BuildTool): number => this.#ranks.get(tool) ?? 0;
    const searched = lines.map((read) => {
      const { activity } = this.#channels.get(read.channel);
      const stretch = activity.add(read.whole.length);
      const level = read.level === "error" ? FAILURE : 0;
      const marks = level | this.#search.scan(read.whole, (tool) => activity.note(stretch, tool, rankOf));
      return { read, stretch, marks };
    });
    for (const { read, stretch, marks } of searched) this.#readLine(read, stretch, marks);
  }

  #readLine(read: ReadLine, stretch: number, marks: number): void {
    const { rest, number, stream, level, channel } = read;
    const { parsers, activity, general } = this.#channels.get(channel);
    // What the parsers still hold was printed before this line.
    const endOpen = (): void => {
      general.interrupt();
      parsers.restart();
    };
    const line = {
      text: this.#clip(rest),
      number,
      stream,
      ...(level === undefined ? {} : { level }),
    };
    parsers.enter(stretch, activity);
    this.#options.onLine?.(line);
    this.#judge?.beforeParsing(line, marks, read, endOpen);
    if ((marks & VERDICT) !== 0 && endsStep(line)) endOpen();
    this.#collector.line = number;
    if (!this.#documents.holds(line, channel)) this.#offer(line, channel, marks);
    this.#judge?.afterParsing(line, marks);
  }

  #clip(text: string): string {
    if (text.length <= MAX_LINE || text.startsWith("{") || this.#documents.wants(text)) return text;
    return `${text.slice(0, MAX_LINE)}…`;
  }

  /**
   * Offers a line to the parsers. `marks` is absent for lines that the document reader held and that turned out not to
   * belong to a document.
   */
  #offer(line: Line, channelName: string, marks?: number): void {
    const channel = this.#channels.get(channelName);
    this.#scripts.observe(line.text);
    const announced = this.#facts.announced(line.text);
    if (announced?.script === true) channel.parsers.restart();
    const tool = channel.parsers.offer(line);
    // The current folder changes only after the line is parsed, because what a parser reports until then happened in
    // the previous folder.
    if (announced !== undefined) channel.where.observe(announced);
    if (tool !== undefined) {
      this.#seen.add(tool);
      channel.general.interrupt();
      this.#judge?.weigh(line, { isTaken: true, marks });
    } else if (marks === undefined || !this.#documents.begins(line, channelName))
      this.#unmatched(line, channel, marks);
  }

  #unmatched(line: Line, channel: ChannelState, marks?: number): void {
    const isTaken = channel.general.take(line);
    this.#judge?.weigh(line, { isTaken, marks });
    if (isTaken) return;
    if (line.text.trim() !== "") this.#unclaimed++;
    this.#options.onUnclaimed?.(line);
  }
}

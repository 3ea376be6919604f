import type { Collector } from "./collector.ts";
import type { Faults } from "./dispatch.ts";
import { jsonScanner, xmlScanner } from "./document-scan.ts";
import type { DocumentScanner } from "./document-scan.ts";
import type { BuildTool, Line } from "../tool.ts";

export interface DocumentReaderOptions {
  readonly tools: readonly BuildTool[];
  /** Maximum length of a document; the lines of a longer one are handed back to the line parsers. */
  readonly maxLength: number;
  readonly collector: Collector;
  readonly faults: Faults;
  /**
   * Hands back a line that was held although it turned out not to be part of a document. The line parsers have already
   * seen the first of these lines.
   */
  readonly replay: (line: Line, channel: string, first: boolean) => void;
  readonly took: (tool: string) => void;
}

interface Held {
  readonly channel: string;
  readonly lines: Line[];
  readonly scanner: DocumentScanner;
  length: number;
  candidates: readonly BuildTool[] | undefined;
}

/** Number of characters at the start of a document by which a tool must recognize it. */
const MATCH_LENGTH = 2_000;

/** Finds JSON and XML documents among the lines, holds their lines until the document is complete, and has it parsed. */
export class DocumentReader {
  readonly #options: DocumentReaderOptions;
  readonly #tools: readonly BuildTool[];
  readonly #held = new Map<string, Held>();

  constructor(options: DocumentReaderOptions) {
    this.#options = options;
    this.#tools = options.tools.filter((tool) => tool.document !== undefined);
  }

  /** Returns whether a line may start a JSON or XML document or belong to one that is not complete. */
  wants(text: string): boolean {
    return this.#held.size > 0 || createScanner(text) !== undefined;
  }

  /** Accepts the line if it continues a document that started earlier in the same stream and channel. */
  holds(line: Line, channel: string): boolean {
    if (this.#held.size === 0) return false;
    const key = `${line.stream} ${channel}`;
    const held = this.#held.get(key);
    if (held === undefined) return false;
    this.#feed(key, held, line);
    return true;
  }

  /** Accepts the line if a document may start with it. */
  begins(line: Line, channel: string): boolean {
    if (this.#tools.length === 0) return false;
    const scanner = createScanner(line.text);
    if (scanner === undefined) return false;
    const key = `${line.stream} ${channel}`;
    const held: Held = { channel, lines: [], scanner, length: 0, candidates: undefined };
    this.#held.set(key, held);
    this.#feed(key, held, line);
    return true;
  }

  end(): void {
    for (const [key, held] of this.#held) this.#release(key, held);
  }

  #feed(key: string, held: Held, line: Line): void {
    held.lines.push(line);
    held.length += line.text.length + 1;
    const state = held.scanner.line(line.text);
    if (state === "broken") return this.#release(key, held);
    if (held.candidates === undefined && (state !== "open" || held.length >= MATCH_LENGTH)) {
      const start = startOf(held.lines);
      held.candidates = this.#tools.filter((tool) =>
        this.#guard(tool, () => tool.document?.matches(start) ?? false),
      );
    }
    if (held.candidates?.length === 0 || held.length > this.#options.maxLength) this.#release(key, held);
    else if (state !== "open") this.#complete(key, held, state.end);
  }

  #complete(key: string, held: Held, end: number): void {
    const last = held.lines.at(-1);
    const text = held.lines.map((line) => (line === last ? line.text.slice(0, end) : line.text)).join("\n");
    const owner = held.candidates?.find((tool) =>
      this.#guard(
        tool,
        () =>
          tool.document?.parse(text.trim(), this.#options.collector.sink(tool.id, { report: true })) ?? false,
      ),
    );
    if (owner === undefined) return this.#release(key, held);
    this.#held.delete(key);
    this.#options.took(owner.id);
    const rest = last?.text.slice(end).trim() ?? "";
    if (last !== undefined && rest !== "") this.#options.replay({ ...last, text: rest }, held.channel, false);
  }

  #release(key: string, held: Held): void {
    this.#held.delete(key);
    for (const [index, line] of held.lines.entries()) this.#options.replay(line, held.channel, index === 0);
  }

  #guard(tool: BuildTool, ask: () => boolean): boolean {
    try {
      return ask();
    } catch (thrown) {
      this.#options.faults.count++;
      this.#options.faults.tools.add(
        `${tool.id}: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
      );
      return false;
    }
  }
}

function startOf(lines: readonly Line[]): string {
  let start = "";
  for (const line of lines) {
    start += `${line.text.slice(0, MATCH_LENGTH)}\n`;
    if (start.length >= MATCH_LENGTH) break;
  }
  return start.trimStart().slice(0, MATCH_LENGTH);
}

const JSON_START = /^\s*(?:\{\s*(?:["}]|$)|\[\s*(?:[{\]]|$))/;
const XML_START = /^\s*<(?:\?xml|!--|[A-Za-z])/;

function createScanner(text: string): DocumentScanner | undefined {
  if (JSON_START.test(text)) return jsonScanner();
  return XML_START.test(text) ? xmlScanner() : undefined;
}

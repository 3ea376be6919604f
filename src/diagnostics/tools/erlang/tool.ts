import { leadingPlace } from "../../parsing/place.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

export const erlang = defineBuildTool({
  id: "erlang",
  title: "Erlang and rebar3",
  url: "https://rebar3.org",
  ecosystem: "general",
  kinds: ["build"],
  signatures: [".erl:", ".hrl:", ".yrl:"],
  priority: 4,
  parser: (sink) => new ErlangParser(sink),
  commands: [
    {
      name: "rebar3.compile",
      description: "Compile the project",
      detect: (folder) => (folder.has("rebar.config") ? "rebar.config is here" : undefined),
      argv: () => ["rebar3", "compile"],
    },
  ],
});

const FILE = /\.(?:erl|hrl|yrl|xrl):\d/;
/** Matches the code frame that rebar3 prints since version 3.20, with the message below the location. */
const BOX = /^ {1,8}┌─ (\S.{0,600}?):$/u;
const SOURCE = /^ {0,8}(\d{1,9}) │/u;
const MARK = /^ {2,10}│( *)╰── ?(.*)$/u;
/** Matches a line of a stack trace, `    (stdlib 4.2) proc_lib.erl:240: …`. */
const FRAME = /^\s*\(/;
const NOISE = /^===> (?:Verifying dependencies|Analyzing applications|Compiling |Fetching ).*$/;

/** Reads the Erlang compiler, also when rebar3 runs it. */
class ErlangParser implements LineParser {
  readonly #sink: Sink;
  #box: { file: string; line?: number } | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take({ text }: Line): boolean {
    const file = text.includes("┌─") ? BOX.exec(text)?.[1] : undefined;
    if (file !== undefined) {
      this.#box = { file };
      return true;
    }
    if (this.#box !== undefined && this.#boxLine(this.#box, text)) return true;
    this.#box = undefined;
    const placed = FILE.test(text) && !FRAME.test(text) ? leadingPlace(text) : undefined;
    if (placed === undefined) return NOISE.test(text);
    const warning = /^Warning: (.*)$/.exec(placed.rest)?.[1];
    this.#sink.diagnostic({
      severity: warning === undefined ? "error" : "warning",
      ...placed.place,
      message: (warning ?? placed.rest).trim(),
    });
    return true;
  }

  end(): void {
    this.#box = undefined;
  }

  #boxLine(box: { file: string; line?: number }, text: string): boolean {
    const line = SOURCE.exec(text)?.[1];
    if (line !== undefined) box.line = Number(line);
    const mark = MARK.exec(text);
    if (mark !== null) {
      const warning = /^Warning: (.*)$/.exec(mark[2] ?? "")?.[1];
      this.#sink.diagnostic({
        severity: warning === undefined ? "error" : "warning",
        ...box,
        column: Math.max(1, (mark[1] ?? "").length),
        message: (warning ?? mark[2] ?? "").trim(),
      });
    }
    return line !== undefined || mark !== null || /^ {1,10}│/u.test(text) || text.trim() === "";
  }
}

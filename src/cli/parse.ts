import { createReadStream } from "node:fs";
import { addAbortSignal } from "node:stream";
import { createEngine } from "../diagnostics/engine/engine.ts";
import type { Engine } from "../diagnostics/engine/engine.ts";
import { withRerunCommands } from "../diagnostics/summarize/rerun-command.ts";
import { judgeLog } from "../diagnostics/summarize/judge-log.ts";
import { groupDiagnostics } from "../diagnostics/summarize/group.ts";
import { buildTools } from "../diagnostics/registry/build-tools.ts";
import { findTool } from "../diagnostics/registry/tool-names.ts";
import { countLineFeeds } from "../logs/log-format.ts";
import { PithError, toPithError } from "../kernel/errors.ts";
import { nearestNames } from "../kernel/nearest.ts";
import { parsedLogJson, renderParsedLog } from "../render/log/parsed-log.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { ParsedLog } from "../render/log/parsed-log.ts";
import { type Masked, maskedAt } from "../model/masked.ts";
import { withLogMasked, withMaskedNote } from "../render/masked-note.ts";
import { jsonReply } from "../render/rendered.ts";
import { MaskingStream } from "../workspace/files/masking-stream.ts";
import { resolvePackageFiles } from "../runs/record/package-files.ts";
import { JSON_OPTION } from "./command.ts";
import type { Command, Context } from "./command.ts";

export const parse: Command = {
  name: "parse",
  summary: "Find the errors and test results in a log",
  usage: "[FILE] [--tool NAME] [--all] [--json]",
  details:
    "Reads the file, or standard input. Exits with 1 if the log shows a failure (its CI system's verdict, errors or failed tests) or if that is unclear, else with 0.",
  options: {
    tool: {
      type: "string",
      value: "NAME",
      about: "The tool that wrote the log (default: detected from the content).",
    },
    all: { type: "boolean", about: "List every diagnostic; without it, more than 50 become a table." },
    "max-tokens": { type: "string", value: "N", about: "At most this many tokens of text." },
    ...JSON_OPTION,
  },
  examples: ["pith parse ci.log", "make 2>&1 | pith parse", "pith parse report.xml --json"],
  async run(context) {
    const [file, ...more] = context.positionals;
    if (more.length > 0) throw new PithError("invalid_input", "parse: name one file, or none to read a pipe");
    const { result, masked } = await read(openEngine(context.text("tool"), context), file ?? "-", context);
    const isJson = context.flag("json");
    const shown = isJson ? jsonReply(parsedLogJson(result)) : { text: text(result, context) };
    const noted = withMaskedNote(withLogMasked(shown, masked));
    context.io.out(`${noted.text}\n`);
    return result.status === "failed" || result.status === "unclear" ? 1 : 0;
  },
};

/** Upper bound on the bytes of a report file to parse. It is generous, because the user named the file explicitly. */
const MAX_DOCUMENT = 64 * 1024 * 1024;

/**
 * Creates the parser engine for the tool with this name. An unknown name only causes a warning, because the tool is
 * recognized by its output anyway.
 */
function openEngine(name: string | undefined, context: Context): Engine {
  const tool = name === undefined ? undefined : findTool(name);
  if (name !== undefined && tool === undefined) {
    const near = nearestNames(
      name,
      buildTools.map((one) => one.id),
    );
    const hint = near.length > 0 ? ` Did you mean ${near.join(" or ")}?` : "";
    context.io.err(`pith: parse: no tool is named ${name}; the tool is detected from the content.${hint}\n`);
  }
  return createEngine({
    ...(tool === undefined ? {} : { expected: [tool.id] }),
    maxDocument: MAX_DOCUMENT,
  });
}

interface ReadLog {
  readonly result: ParsedLog;
  readonly masked: Masked | undefined;
}

async function read(engine: Engine, file: string, context: Context): Promise<ReadLog> {
  if (file === "-" && process.stdin.isTTY)
    throw new PithError("invalid_input", "parse: name a file, or pipe a log in", {
      suggestion: "make 2>&1 | pith parse",
    });
  const source = addAbortSignal(context.signal, file === "-" ? process.stdin : createReadStream(file));
  const lines = new LineCounter(engine);
  const masking = new MaskingStream(lines, 1, file);
  try {
    for await (const chunk of source) masking.feed(Buffer.from(chunk as Uint8Array)); // streams without an encoding yield bytes
  } catch (error) {
    const known = toPithError(error);
    if (known.code !== "file_not_found" && known.code !== "permission_denied") throw error;
    throw new PithError(known.code, `parse: cannot read ${file}: ${known.message}`, {}, { cause: error });
  }
  masking.end();
  const result = judgeLog(engine.end());
  const { diagnostics, tests } = resolvePackageFiles(result, process.cwd());
  const isCause = new Set<Diagnostic | undefined>(result.causes);
  const causes = diagnostics.filter((_, index) => isCause.has(result.diagnostics.at(index)));
  return {
    result: { ...result, diagnostics, causes, tests: withRerunCommands(tests) },
    masked: maskedAt(masking.secrets),
  };
}

/** Passes the lines of a log to the parser engine and counts them. */
class LineCounter {
  readonly satisfied = false;
  readonly #engine: Engine;
  line = 1;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  feed(bytes: Buffer): void {
    this.line += countLineFeeds(bytes);
    this.#engine.write(bytes);
  }
}

function text(result: ParsedLog, context: Context): string {
  const given = context.text("max-tokens");
  const maxTokens = Number(given ?? 1);
  if (!Number.isInteger(maxTokens) || maxTokens < 1)
    throw new PithError("invalid_input", `parse: --max-tokens ${given} is not a whole number above 0`);
  const options = { listsAll: context.flag("all"), ...(given === undefined ? {} : { maxTokens }) };
  const shown = options.listsAll ? result.diagnostics : result.causes;
  return renderParsedLog(result, groupDiagnostics(shown), options);
}

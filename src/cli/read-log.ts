import { createReadStream } from "node:fs";
import { lstat, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { addAbortSignal } from "node:stream";
import { LineTemplates, templateOf } from "../diagnostics/compare/line-template.ts";
import { NewLines } from "../diagnostics/compare/new-lines.ts";
import { describedTools } from "../diagnostics/custom/usable-tools.ts";
import { createEngine } from "../diagnostics/engine/engine.ts";
import type { Engine, EngineOptions } from "../diagnostics/engine/engine.ts";
import { judgeLog } from "../diagnostics/summarize/judge-log.ts";
import { withRerunCommands } from "../diagnostics/summarize/rerun-command.ts";
import { PithError, toPithError } from "../kernel/errors.ts";
import { countLineFeeds } from "../logs/log-format.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { type Masked, maskedAt } from "../model/masked.ts";
import type { ParsedLog } from "../render/log/parsed-log.ts";
import { resolvePackageFiles } from "../runs/record/package-files.ts";
import { maskValues } from "../security/secrets/mask-values.ts";
import { nearestText } from "../workspace/files/folder-files.ts";
import { MaskingStream } from "../workspace/files/masking-stream.ts";
import type { Context } from "./command.ts";

/** Upper bound on the bytes of a report file to parse. It is generous, because the user named the file explicitly. */
const MAX_DOCUMENT = 64 * 1024 * 1024;

export interface ReadLog {
  readonly result: ParsedLog;
  readonly masked: Masked | undefined;
}

export interface LogSource {
  /** The log's path, or `-` for standard input. */
  readonly file: string;
  /** The id of the tool that is known to have written the log. */
  readonly tool?: string;
  /** The path of the log of a passing run of the same job. */
  readonly against?: string;
}

/** Parses a log and decides whether it shows a failure. With a passing log beside it, only what is new counts as a cause. */
export async function readLog({ file, tool, against }: LogSource, context: Context): Promise<ReadLog> {
  reportProblems(context);
  const passing = against === undefined ? undefined : await readPassing(against, context);
  const fresh = passing === undefined ? undefined : new NewLines(passing.templates);
  const engine = createEngine({
    ...(tool === undefined ? {} : { expected: [tool] }),
    ...parserOptions(context),
    ...(fresh === undefined ? {} : { onLine: (line) => fresh.take(line) }),
  });
  const masked = await feed(engine, file, context);
  // The lines were masked as they came; what XML or JSON in them encodes is readable only now.
  const { value: found, count } = maskValues(engine.end());
  const judged = judgeLog(found);
  const { diagnostics, tests } = resolvePackageFiles(judged, context.environment.cwd);
  const isCause = new Set<Diagnostic | undefined>(judged.causes);
  const causes = diagnostics.filter((_, index) => isCause.has(judged.diagnostics.at(index)));
  const fresher = causes.filter((one) => passing?.diagnostics.has(keyOf(one)) !== true);
  return {
    result: {
      ...judged,
      diagnostics,
      causes: fresher.length > 0 ? fresher : causes,
      tests: withRerunCommands(tests),
      ...(fresh === undefined || against === undefined ? {} : { fresh: { against, ...fresh.found() } }),
    },
    masked: count === 0 ? masked : { count: count + (masked?.count ?? 0), places: masked?.places ?? [] },
  };
}

/** The tools that the user and the repository describe read a log as they read a run's output. */
function parserOptions(context: Context): Pick<EngineOptions, "maxDocument" | "custom" | "tasksJson"> {
  const tasksJson = tasksOf(context);
  return {
    maxDocument: MAX_DOCUMENT,
    custom: describedTools(context.loadConfig().config.tools, tasksJson).tools,
    ...(tasksJson === undefined ? {} : { tasksJson }),
  };
}

function tasksOf({ environment: { cwd } }: Context): string | undefined {
  return nearestText(cwd, cwd, ".vscode/tasks.json");
}

const reported = new WeakSet<Context>();

/** Says once which configuration file, or which tool described in one, cannot be used: its lines are not read then. */
function reportProblems(context: Context): void {
  if (reported.has(context)) return;
  reported.add(context);
  const { config, problem } = context.loadConfig();
  const { problems } = describedTools(config.tools, tasksOf(context));
  for (const one of problem === undefined ? problems : [problem, ...problems])
    context.io.err(`pith: ${context.verb}: ${one}\n`);
}

interface PassingLog {
  readonly templates: LineTemplates;
  readonly diagnostics: ReadonlySet<string>;
}

async function readPassing(file: string, context: Context): Promise<PassingLog> {
  const templates = new LineTemplates();
  const engine = createEngine({ ...parserOptions(context), onLine: (line) => templates.add(line.text) });
  await feed(engine, file, context);
  const judged = judgeLog(engine.end());
  if (judged.status === "failed")
    context.io.err(
      `pith: ${context.verb}: ${file} shows a failure itself; what it shares with the other log is not new.\n`,
    );
  return { templates, diagnostics: new Set(judged.diagnostics.map(keyOf)) };
}

function keyOf({ tool, severity, file, message }: Diagnostic): string {
  return [tool, severity, file, templateOf(message)].join("\0");
}

async function feed(
  engine: Engine,
  file: string,
  { verb, signal, io: { input }, environment: { cwd } }: Context,
): Promise<Masked | undefined> {
  if (file === "-" && input.isTTY === true)
    throw new PithError("invalid_input", `${verb}: name a file, or pipe a log in`, {
      suggestion: `make 2>&1 | pith ${verb}`,
    });
  const masking = new MaskingStream(new LineCounter(engine), 1, file);
  try {
    if (file !== "-") await refuseSpecial(resolve(cwd, file), { file, verb });
    const source = addAbortSignal(signal, file === "-" ? input : createReadStream(resolve(cwd, file)));
    for await (const chunk of source) masking.feed(Buffer.from(chunk as Uint8Array)); // streams without an encoding yield bytes
  } catch (error) {
    const known = toPithError(error);
    if (known.code !== "file_not_found" && known.code !== "permission_denied") throw error;
    const problem = known.message.replace(resolve(cwd, file), file);
    throw new PithError(known.code, `${verb}: cannot read ${problem}`, known.data, { cause: error });
  }
  masking.end();
  return maskedAt(masking.secrets);
}

/**
 * Refuses a folder, and a named pipe: opening one waits for a writer, and neither Ctrl-C nor a time limit ends that wait.
 * The pipes that a shell passes as /dev/fd/N are links and already have a writer.
 */
async function refuseSpecial(path: string, { file, verb }: { file: string; verb: string }): Promise<void> {
  if ((await stat(path)).isDirectory())
    throw new PithError("invalid_input", `${verb}: ${file} is a folder`, {
      suggestion: "Name a log file in it. For a folder with the log of each job: pith ci FOLDER",
    });
  if ((await lstat(path)).isFIFO())
    throw new PithError("not_text", `${verb}: ${file} is a named pipe`, {
      suggestion: `Read it from standard input: pith ${verb} < FILE`,
    });
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

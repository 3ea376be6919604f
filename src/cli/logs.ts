import { PithError } from "../kernel/errors.ts";
import { type Command, type Context, JSON_OPTION } from "./command.ts";
import { runTool } from "./run-tool.ts";
import { followLog } from "./terminal/follow-log.ts";

export const logs: Command = {
  name: "logs",
  summary: "Show the log of a run",
  usage: "RUN [--lines A-B | --tail N | --verbosity LEVEL] [--grep REGEX] [--wait SECONDS] [--follow]",
  options: {
    lines: { type: "string", value: "A-B", about: "From line A to line B; either may be omitted." },
    column: { type: "string", value: "N", about: "From character N of line A on." },
    tail: { type: "string", value: "N", about: "The last N lines, as many as fit into the reply." },
    grep: {
      type: "string",
      value: "REGEX",
      about: "Only the lines that match, with their numbers; with --verbosity, the findings that match.",
    },
    stream: {
      type: "string",
      value: "NAME",
      about: "stdout, stderr, both (default), or view: what its own filters printed.",
    },
    verbosity: {
      type: "string",
      short: "v",
      value: "LEVEL",
      about: "The result as exec reports it: minimal, normal (every failure) or full.",
    },
    wait: { type: "string", value: "SECONDS", about: "Wait for the run's end, or with --grep for a match." },
    follow: { type: "boolean", short: "f", about: "Print lines as they are written, until the run ends." },
    "max-tokens": { type: "string", value: "N", about: "At most this many tokens." },
    ...JSON_OPTION,
  },
  examples: [
    "pith logs k3j2h",
    "pith logs k3j2h -f",
    "pith logs k3j2h --tail 100",
    "pith logs k3j2h --grep 'error|warn'",
  ],
  async run(context) {
    const [run, ...more] = context.positionals;
    if (run === undefined || more.length > 0)
      throw new PithError("invalid_input", "logs: name one run", { suggestion: "pith runs lists them." });
    if (context.flag("follow")) {
      const { io, signal } = context;
      const services = context.openServices();
      return (await followLog(run, streamOf(context.text("stream")), { io, services, signal })) ? 0 : 130;
    }
    const wait = context.text("wait");
    const verbosity = context.text("verbosity");
    const answer = await runTool(context, "build", {
      action: "log",
      runId: run,
      ...(verbosity === undefined ? rangeOf(context) : { verbosity }),
      column: context.text("column"),
      grep: context.text("grep"),
      stream: context.text("stream"),
      ...(wait === undefined ? {} : { wait_ms: milliseconds(wait) }),
      ...(context.text("max-tokens") === undefined ? {} : { max_tokens: context.text("max-tokens") }),
    });
    return answer.isError ? 1 : 0;
  },
};

/** A stream that can be followed. What filters let through is known only at the end. */
function streamOf(text = "both"): "both" | "stdout" | "stderr" {
  if (text === "both" || text === "stdout" || text === "stderr") return text;
  throw new PithError("invalid_input", `logs: --stream ${text} cannot be followed`, {
    suggestion: "Use both, stdout or stderr with --follow.",
  });
}

/** Upper bound on the lines that one call of the log tool returns. */
const MAX_LINES = 500;

function rangeOf(context: Context): { startLine?: number; lineCount?: number; endLine?: number } {
  const tail = context.text("tail");
  if (tail !== undefined) return { startLine: -wholeNumber(tail, "--tail") };
  const lines = context.text("lines");
  if (lines === undefined) return { startLine: 1, lineCount: MAX_LINES };
  const [from = "", to = from] = lines.split("-");
  const start = wholeNumber(from || "1", "--lines");
  if (to === "") return { startLine: start, lineCount: MAX_LINES };
  const end = wholeNumber(to, "--lines");
  if (end < start) throw new PithError("invalid_input", `logs: --lines ${lines} ends before it begins`);
  return { startLine: start, endLine: end };
}

function milliseconds(seconds: string): number {
  const number = seconds.trim() === "" ? Number.NaN : Number(seconds);
  if (Number.isFinite(number) && number >= 0) return Math.round(number * 1000);
  throw new PithError("invalid_input", `logs: --wait ${seconds} is not a number of seconds`);
}

function wholeNumber(text: string, option: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new PithError("invalid_input", `logs: ${option} ${text} is not a number of lines`);
}

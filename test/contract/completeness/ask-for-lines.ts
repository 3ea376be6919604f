import type { Client } from "@modelcontextprotocol/client";
import { call as callTool } from "../../support/client.ts";
import type { ToolCall } from "./calls.ts";
import type { LineReply } from "./check-lines.ts";
import {
  fenced,
  type JsonCut,
  readFileReply,
  readFocusedRun,
  readJsonText,
  readLogReply,
  readOutput,
} from "./line-readers.ts";

export type Stream = "stdout" | "stderr" | "both";

/** Returns a function that calls any of the tools that show lines, and parses the reply. */
export function lineAsker(client: Client, total: number, stream: Stream = "stdout") {
  return async (call: ToolCall): Promise<LineReply> => {
    const text = await callTool(client, call.tool, call.args);
    if (call.tool === "read") return readFileReply(text, call);
    if (call.args["context_focus_question"] !== undefined) return readFocusedRun(text, call);
    return isPart(call) ? readLogReply(text, call) : readRunReply(text, call, { total, stream });
  };
}

/** Checks whether a call asks for lines of a log and not for a report on a run. */
function isPart({ tool, args }: ToolCall): boolean {
  if (tool === "build") return args["action"] === "log" && args["wait_ms"] === undefined;
  return tool === "get_job_logs" && (args["startLine"] !== undefined || args["column"] !== undefined);
}

interface RunJson {
  readonly runId?: string;
  readonly job_id?: string;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly truncated?: Readonly<Record<string, JsonCut>>;
}

/** Parses the output in a report on a run at full verbosity. */
function readRunReply(
  text: string,
  call: ToolCall,
  { total, stream }: { readonly total: number; readonly stream: Stream },
): LineReply {
  const format = call.args["response_format"];
  if (format === "json") {
    const reply = JSON.parse(text) as RunJson;
    const name = stream === "both" ? "stdout" : stream;
    const runId = reply.runId ?? reply.job_id ?? "";
    return readJsonText(reply[name], reply.truncated?.[name], { call, runId, total });
  }
  const [head = "", ...below] = text.split("\n");
  const runId = /\b(?:run|job) (\w+)/.exec(head)?.[1] ?? "";
  const body =
    format === "markdown"
      ? (fenced(text, "### Output") ?? fenced(text, "### stdout") ?? fenced(text) ?? [])
      : below.slice(below.findIndex((line) => /^(?:output|stdout):$/.test(line)) + 1);
  return readOutput(total === 0 ? [] : body, total, call, runId);
}

import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** One step of the model: a tool call, whose arguments may depend on the results so far. */
export interface Step {
  readonly tool: string;
  readonly args: (seen: readonly string[]) => Record<string, unknown>;
}

export interface ScriptedModel {
  readonly url: string;
  /** The text of each tool result as the model received it, with its text blocks joined. */
  readonly seen: string[];
  /** The names of the tools in the first request, with their namespaces. */
  readonly tools: string[];
  /** All that the model was shown last, as the client sent it. */
  readonly last: { body: string };
}

/** The protocols of the model APIs that clients speak. */
export type ModelProtocol = "anthropic" | "openai" | "gemini";

/** A client's message about a tool whose server has not answered yet, which happens on a busy machine. */
const NOT_CONNECTED_YET = /No such tool available|unsupported call|^Tool "\w+" not found/;

interface Turn {
  readonly results: readonly string[];
  readonly tools: readonly string[];
}

/** Starts a model on loopback that follows a script, records what it is shown, and speaks the client's protocol. */
export async function startScriptedModel(
  dialect: ModelProtocol,
  steps: readonly Step[],
  prefix = "mcp__pith__",
): Promise<ScriptedModel> {
  const seen: string[] = [];
  const tools: string[] = [];
  const last = { body: "" };
  const { read, write } = PROTOCOLS[dialect];
  let next = 0;
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => void (body += chunk));
    request.on("end", () => {
      const path = request.url?.split("?")[0] ?? "";
      if (request.method !== "POST" || !/\/(?:messages|responses)$|:\w*[gG]enerateContent$/.test(path)) {
        response.writeHead(request.method === "HEAD" ? 200 : 404).end();
        return;
      }
      const turn = read(JSON.parse(body));
      if (turn.tools.length > 0) last.body = body;
      if (tools.length === 0) tools.push(...turn.tools);
      if (NOT_CONNECTED_YET.test(turn.results.at(-1) ?? "")) next--;
      seen.splice(0, seen.length, ...turn.results.filter((result) => !NOT_CONNECTED_YET.test(result)));
      // A request without tools is made by the client itself, for example to generate a title.
      const step = turn.tools.length > 0 ? steps[next++] : undefined;
      write(
        response,
        next,
        step === undefined ? undefined : { tool: step.tool, prefix, args: step.args(seen) },
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, tools, last };
}

interface TextBlock {
  readonly type: string;
  readonly text?: string;
}

function textOf(content: string | readonly TextBlock[]): string {
  return typeof content === "string"
    ? content
    : content.map((block) => block.text ?? `<${block.type}>`).join("\n");
}

function readAnthropic(body: {
  tools?: readonly { name: string }[];
  messages: readonly {
    content: string | readonly (TextBlock & { content?: string | readonly TextBlock[] })[];
  }[];
}): Turn {
  const blocks = body.messages.flatMap(({ content }) => (typeof content === "string" ? [] : content));
  return {
    tools: (body.tools ?? []).map((tool) => tool.name),
    results: blocks
      .filter((block) => block.type === "tool_result")
      .map((block) => textOf(block.content ?? "")),
  };
}

function readOpenAi(body: {
  tools?: readonly { name?: string; type: string; tools?: readonly { name: string }[] }[];
  input: readonly { type: string; output?: string | readonly TextBlock[] }[];
}): Turn {
  const outputs = body.input.filter((item) => /^(?:function|custom_tool)_call_output$/.test(item.type));
  return {
    tools: (body.tools ?? []).flatMap((tool) => [
      tool.name ?? tool.type,
      ...(tool.tools ?? []).map((one) => `${tool.name}.${one.name}`),
    ]),
    results: outputs.map((item) => textOf(item.output ?? "")),
  };
}

interface Doing {
  readonly tool: string;
  /** The prefix that the client puts before our tool names. */
  readonly prefix: string;
  readonly args: Record<string, unknown>;
}

/**
 * A call of a tool of Pith, or with the prefix `own:` of one of Codex itself; apply_patch takes its text alone, and
 * `mcp__other/hello` is a tool of another server.
 */
function callItem(turn: number, { prefix, tool: named, args }: Doing): object {
  const [tool = "", server] = named.split("/").toReversed();
  const ids = { id: `fc_${turn}`, call_id: `call_${turn}`, name: tool };
  if (tool === "apply_patch") return { type: "custom_tool_call", ...ids, input: args["patch"] };
  const ours = prefix === "own:" ? undefined : "mcp__pith";
  const namespace = server ?? ours;
  return {
    type: "function_call",
    ...ids,
    ...(namespace !== undefined && { namespace }),
    arguments: JSON.stringify(args),
  };
}

/** Gemini's API: the results are in the parts of the contents, and errors too. */
function readGemini(body: {
  tools?: readonly { functionDeclarations?: readonly { name: string }[] }[];
  contents?: readonly {
    parts?: readonly { functionResponse?: { response: { output?: string; error?: string } } }[];
  }[];
}): Turn {
  const parts = (body.contents ?? []).flatMap((content) => content.parts ?? []);
  return {
    tools: (body.tools ?? []).flatMap((tool) => tool.functionDeclarations ?? []).map(({ name }) => name),
    results: parts.flatMap(({ functionResponse }) => {
      if (functionResponse === undefined) return [];
      const { output, error } = functionResponse.response;
      return [output ?? error ?? JSON.stringify(functionResponse.response)];
    }),
  };
}

function writeGemini(response: ServerResponse, _turn: number, doing: Doing | undefined): void {
  const part =
    doing === undefined
      ? { text: "done" }
      : { functionCall: { name: `${doing.prefix}${doing.tool}`, args: doing.args } };
  const answer = {
    candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  };
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  response.end(`data: ${JSON.stringify(answer)}\n\n`);
}

function event(response: ServerResponse, type: string, data: object): void {
  response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
}

function writeAnthropic(response: ServerResponse, turn: number, doing: Doing | undefined): void {
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = {
    id: `msg_${turn}`,
    type: "message",
    role: "assistant",
    model: "scripted",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  event(response, "message_start", { message });
  const block =
    doing === undefined
      ? { type: "text", text: "" }
      : { type: "tool_use", id: `toolu_${turn}`, name: `${doing.prefix}${doing.tool}`, input: {} };
  event(response, "content_block_start", { index: 0, content_block: block });
  const delta =
    doing === undefined
      ? { type: "text_delta", text: "done" }
      : { type: "input_json_delta", partial_json: JSON.stringify(doing.args) };
  event(response, "content_block_delta", { index: 0, delta });
  event(response, "content_block_stop", { index: 0 });
  event(response, "message_delta", {
    delta: { stop_reason: doing === undefined ? "end_turn" : "tool_use", stop_sequence: null },
    usage,
  });
  event(response, "message_stop", {});
  response.end();
}

function writeOpenAi(response: ServerResponse, turn: number, doing: Doing | undefined): void {
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  const id = `resp_${turn}`;
  const item =
    doing === undefined
      ? {
          type: "message",
          id: `m_${turn}`,
          role: "assistant",
          content: [{ type: "output_text", text: "done" }],
        }
      : callItem(turn, doing);
  const usage = {
    input_tokens: 1,
    input_tokens_details: null,
    output_tokens: 1,
    output_tokens_details: null,
    total_tokens: 2,
  };
  event(response, "response.created", { response: { id } });
  event(response, "response.output_item.done", { output_index: 0, item });
  event(response, "response.completed", { response: { id, usage } });
  response.end();
}

const PROTOCOLS = {
  anthropic: { read: readAnthropic, write: writeAnthropic },
  openai: { read: readOpenAi, write: writeOpenAi },
  gemini: { read: readGemini, write: writeGemini },
};

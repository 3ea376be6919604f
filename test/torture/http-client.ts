import { judgeReply, parseJson, asRecord, readReply, type Reply } from "./judge.ts";
import { MODERN_META, type Era } from "./peer.ts";

type Message = Readonly<Record<string, unknown>>;

/** A minimal HTTP client for both protocol versions, small enough to run a hundred of them at once. */
export class HttpClient {
  readonly #url: string;
  readonly #era: Era;
  #session: string | undefined;
  #id = 0;
  /** The status of the last response, which explains an empty one. */
  #status = 0;

  private constructor(url: string, era: Era) {
    this.#url = url;
    this.#era = era;
  }

  static async open(url: string, era: Era): Promise<HttpClient> {
    const client = new HttpClient(url, era);
    if (era === "modern") await client.request("server/discover");
    else {
      const clientInfo = { name: "torture", version: "1" };
      await client.request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
      await client.#post({ jsonrpc: "2.0", method: "notifications/initialized" });
    }
    return client;
  }

  async request(method: string, params: object = {}, signal?: AbortSignal): Promise<Message> {
    const meta = this.#era === "modern" ? { _meta: MODERN_META } : {};
    const id = ++this.#id;
    const text = await this.#post({ jsonrpc: "2.0", id, method, params: { ...params, ...meta } }, signal);
    const messages = text.startsWith("{")
      ? [text]
      : text.split("\n").filter((line) => line.startsWith("data: "));
    for (const message of messages) {
      const read = asRecord(parseJson(message.replace(/^data: /, "")));
      if (read?.["id"] === id) return read;
    }
    return { error: { message: `no answer with id ${id}: HTTP ${this.#status}, ${text.slice(0, 300)}` } };
  }

  /** Calls a tool and returns its reply; a reply that breaks a promise is reported as a finding. */
  async call(name: string, args: object = {}, signal?: AbortSignal): Promise<Reply> {
    const reply = readReply(await this.request("tools/call", { name, arguments: args }, signal));
    const complaint = judgeReply(reply);
    return complaint === undefined ? reply : { ...reply, text: `${complaint.kind}: ${complaint.what}` };
  }

  async close(): Promise<void> {
    if (this.#session === undefined) return;
    await fetch(this.#url, { method: "DELETE", headers: { "mcp-session-id": this.#session } }).then(
      (response) => response.body?.cancel(),
    );
  }

  async #post(body: Message, signal?: AbortSignal): Promise<string> {
    const response = await fetch(this.#url, {
      method: "POST",
      headers: this.#headers(body),
      body: JSON.stringify(body),
      ...(signal !== undefined && { signal }),
    });
    this.#status = response.status;
    this.#session ??= response.headers.get("mcp-session-id") ?? undefined;
    return response.text();
  }

  #headers(body: Message): Record<string, string> {
    const modern = this.#era === "modern";
    const name = asRecord(body["params"])?.["name"];
    return {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": modern ? "2026-07-28" : "2025-11-25",
      ...(modern && { "mcp-method": String(body["method"]) }),
      ...(modern && typeof name === "string" && { "mcp-name": name }),
      ...(this.#session !== undefined && { "mcp-session-id": this.#session }),
    };
  }
}

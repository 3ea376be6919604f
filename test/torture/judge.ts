import { ERROR_KINDS } from "../../src/kernel/errors.ts";
import { MAX_CHARACTERS } from "../../src/kernel/budget.ts";
import type { FindingKind } from "./attack.ts";

/** A tool's reply, or a protocol error. */
export interface Reply {
  readonly text: string;
  readonly isError: boolean;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Error code: one of the documented list, or `protocol` if the call did not reach a tool. */
  readonly error?: string;
  readonly suggestion?: string;
}

/** Parses a result of `tools/call`; a result that no client could read gets the error `no_text`. */
export function readReply(message: Readonly<Record<string, unknown>>): Reply {
  const failure = asRecord(message["error"]);
  if (failure !== undefined)
    return { text: String(failure["message"]), isError: true, meta: {}, error: "protocol" };
  const result = asRecord(message["result"]) ?? {};
  const content = Array.isArray(result["content"]) ? result["content"] : [];
  const block = asRecord(content[0]);
  const text = content.length === 1 && typeof block?.["text"] === "string" ? block["text"] : undefined;
  if (text === undefined) return { text: "", isError: true, meta: {}, error: "no_text" };
  const meta = asRecord(asRecord(result["_meta"])?.["pith"]) ?? {};
  const isError = result["isError"] === true;
  const error = isError ? asRecord(asRecord(parseJson(text))?.["error"]) : undefined;
  if (error === undefined) return { text, isError, meta };
  const suggestion = asRecord(error["data"])?.["suggestion"];
  return {
    text,
    isError,
    meta,
    error: String(error["code"]),
    ...(typeof suggestion === "string" && { suggestion }),
  };
}

/** Returns the defect of a reply, independent of the request, or undefined if it keeps all promises. */
export function judgeReply(
  reply: Reply,
  asked?: { maxTokens?: number },
): { kind: FindingKind; what: string } | undefined {
  const shown = reply.text.slice(0, 400);
  if (reply.error === "no_text") return { kind: "bad reply", what: "not one text block" };
  if (reply.error === "internal_error") return { kind: "internal error", what: shown };
  if (reply.error === "protocol") return undefined;
  if (reply.error !== undefined && !(reply.error in ERROR_KINDS))
    return { kind: "bad reply", what: `unlisted code ${reply.error}: ${shown}` };
  if (reply.error !== undefined && (reply.suggestion ?? "") === "")
    return { kind: "bad reply", what: `no suggestion: ${shown}` };
  if (reply.text.length > MAX_CHARACTERS)
    return { kind: "bad reply", what: `${reply.text.length} characters: ${shown}` };
  const tokens = reply.meta["tokens"];
  if (typeof tokens !== "number") return { kind: "bad reply", what: `no token count: ${shown}` };
  if (reply.error === undefined && asked?.maxTokens !== undefined && tokens > asked.maxTokens)
    return { kind: "bad reply", what: `${tokens} tokens of ${asked.maxTokens}: ${shown}` };
  return undefined;
}

export function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

/** Parses JSON; returns undefined for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import type { UiContext } from "../context.ts";
import type { Parameters } from "../parameters.ts";

/** Answers one request with an object that is sent as JSON. */
export type Handler = (parameters: Parameters, context: UiContext, signal: AbortSignal) => Promise<object>;

/** The parts of a hook's input that Pith reads. Clients add many more, and any of these may be missing. */
export interface HookEvent {
  readonly hook_event_name?: unknown;
  readonly tool_name?: unknown;
  readonly tool_input?: unknown;
  readonly tool_response?: unknown;
  readonly cwd?: unknown;
}

/** What a hook prints for its client: nothing, a note beside a tool's result, or the result's replacement. */
export interface HookReply {
  readonly additionalContext?: string;
  readonly updatedToolOutput?: Readonly<Record<string, unknown>>;
}

/** Returns the fields of a JSON object; none for any other value. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A tool call as an agent makes it. */
export interface ToolCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Parses the arguments that a reply writes as `name=value`. */
export function argumentsIn(words: string): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [, name = "", quoted, plain = ""] of words.matchAll(/(\w+)=(?:"([^"]*)"|([^\s,\])]+))/g)) {
    const value = quoted ?? plain;
    found[name] = /^-?\d+$/.test(value) ? Number(value) : value;
  }
  return found;
}

/** Parses a complete call: the name of a tool and its arguments. */
export function callIn(words: string): ToolCall {
  const [tool = ""] = words.trim().split(/\s/, 1);
  return { tool, args: argumentsIn(words) };
}

/** Arguments that select a part, which a call for another part replaces. */
const PLACES = new Set([
  "start_line",
  "end_line",
  "around_line",
  "radius",
  "column",
  "startLine",
  "endLine",
  "lineCount",
  "cursor",
]);

/** The same call for another part. */
export function again({ tool, args }: ToolCall, changes: Readonly<Record<string, unknown>>): ToolCall {
  const kept = Object.entries(args).filter(([name]) => !PLACES.has(name));
  return { tool, args: { ...Object.fromEntries(kept), ...changes } };
}

/**
 * A call of one of Pith's tools as data. Each interface (MCP, command line, HTTP) writes it in the syntax of its
 * reader, because not every reader has every tool.
 */
export interface NamedCall {
  readonly tool: string;
  readonly args?: CallArguments;
}

export type CallArguments = Readonly<Record<string, string | number | boolean>>;

/**
 * One possible next step after a reply or an error. The word `CALL` in its text is replaced by the call, in the
 * reader's syntax.
 */
export interface NextStep {
  readonly text: string;
  readonly call?: NamedCall;
}

/**
 * A next step as text, or alternatives in order of preference; the first one whose call the reader can make is shown.
 */
export type Suggestion = string | readonly NextStep[];

/** Writes a call in a reader's syntax, or returns undefined if the reader cannot make that call. */
export type Spell = (call: NamedCall) => string | undefined;

/** Writes a call in MCP syntax: `build action=log runId=k3j2h`. */
export function toolWords({ tool, args = {} }: NamedCall): string {
  return [tool, argumentWords(args)].filter(Boolean).join(" ");
}

/** Writes arguments as `name=value` pairs and quotes values that are not one plain word. */
export function argumentWords(args: CallArguments): string {
  return Object.entries(args)
    .map(([name, value]) => `${name}=${isPlainWord(value) ? value : JSON.stringify(value)}`)
    .join(" ");
}

function isPlainWord(value: string | number | boolean): boolean {
  return typeof value !== "string" || /^[^\s"',;]+$/.test(value);
}

/** Returns the first next step that the reader can follow, or an empty text if there is none. */
export function chooseStep(suggestion: Suggestion, spell: Spell): string {
  if (typeof suggestion === "string") return suggestion;
  for (const { text, call } of suggestion) {
    if (call === undefined) return text;
    const words = spell(call);
    if (words !== undefined) return text.replace("CALL", () => words);
  }
  return "";
}

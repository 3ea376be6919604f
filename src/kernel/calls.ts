/** A call of one of Pith's tools as data. Whoever shows it spells it for its reader, because not every reader has every tool. */
export interface NamedCall {
  readonly tool: string;
  readonly args?: CallArguments;
}

export type CallArguments = Readonly<Record<string, string | number | boolean>>;

/** One way to go on. `CALL` in the text stands for the call. */
export interface NextStep {
  readonly text: string;
  readonly call?: NamedCall;
}

/** The next step, or several ways, of which the first one is shown whose call the reader can make. */
export type Suggestion = string | readonly NextStep[];

/** Spells a call, or gives undefined where the reader cannot make it. */
export type Spell = (call: NamedCall) => string | undefined;

/** A call in the tools' own words: `build action=log runId=k3j2h`. */
export function toolWords({ tool, args = {} }: NamedCall): string {
  return [tool, argumentWords(args)].filter(Boolean).join(" ");
}

/** `name=value` pairs; a value that is not one plain word stands in quotes. */
export function argumentWords(args: CallArguments): string {
  return Object.entries(args)
    .map(([name, value]) => `${name}=${isPlainWord(value) ? value : JSON.stringify(value)}`)
    .join(" ");
}

function isPlainWord(value: string | number | boolean): boolean {
  return typeof value !== "string" || /^[^\s"',;]+$/.test(value);
}

/** The first way that the reader has; empty where there is none. */
export function chooseStep(suggestion: Suggestion, spell: Spell): string {
  if (typeof suggestion === "string") return suggestion;
  for (const { text, call } of suggestion) {
    if (call === undefined) return text;
    const words = spell(call);
    if (words !== undefined) return text.replace("CALL", () => words);
  }
  return "";
}

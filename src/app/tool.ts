import type { Services } from "./services.ts";
import type { Config } from "../config/keys.ts";
import type { JailedPath } from "../workspace/jail.ts";
import type { Format, Rendered, View } from "../render/rendered.ts";
import type { FoundSymbol } from "./file-target.ts";
import type { RequestTrace } from "./request-trace.ts";
import type { Fields, Values } from "./schema/field.ts";

export type Toolset = "code" | "run" | "files" | "index" | "jobs";

/** All four are always set and true: clients decide by them whether to ask the user. */
export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** What surrounds one call. */
export interface Call {
  readonly services: Services;
  /** The folder this call works in. */
  readonly workspace: JailedPath;
  readonly format: Format;
  /** What the reply may hold. */
  readonly maxTokens: number;
  /** The symbol that was named in place of a file. */
  readonly symbol?: FoundSymbol | undefined;
  /** The states this request goes through. */
  readonly trace: RequestTrace;
  readonly signal: AbortSignal;
  /** Tells the client how far the work is; the pipeline decides when to send it. */
  progress(message: string, done?: number, total?: number): void;
}

/** A tool's answer as data; the renderer turns it into text. */
export interface Reply<D> {
  readonly data: D;
  /** A failure of the call itself, such as a shell command that exits non-zero. */
  readonly isError?: boolean;
  /** All that was asked for, in tokens, where it is known: for `pith stats`. */
  readonly rawTokens?: number;
  /** The reply is what an earlier one left out. */
  readonly retrieval?: boolean;
  /** What the reply is about, where a later one about the same may fetch what this one leaves out. */
  readonly subject?: string;
}

export interface ToolSpec<F extends Fields, D> {
  readonly name: string;
  readonly title: string;
  readonly toolset: Toolset;
  /** One or two sentences: all that a model knows of the tool. */
  readonly description: string;
  readonly annotations: Annotations;
  readonly fields: F;
  /** Other names for the same arguments, accepted and not listed. */
  readonly aliases?: Readonly<Record<string, keyof F & string>>;
  /** Arguments of other agents' tools of this kind that mean nothing here: accepted and not looked at. */
  readonly ignored?: readonly string[];
  /** Turns arguments of other agents' tools into this tool's own; what it returns is put in their place. */
  adapt?(args: Values<F>): Partial<Values<F>>;
  /** The fields that a slim server lists; the others are accepted all the same. Left out: all. */
  readonly slimFields?: readonly (keyof F & string)[];
  /** Fields that are listed only where the configuration gives them a meaning; accepted all the same. */
  readonly fieldsFor?: (config: Config) => readonly (keyof F & string)[];
  /** Where lines of a file, a symbol or a result's id are taken for a path, and which arguments their lines become. */
  readonly targets?: {
    readonly path: keyof F & string;
    readonly lines?: Readonly<Record<"start" | "end" | "around", keyof F & string>>;
  };
  /** The default of max_tokens. */
  readonly maxTokens: number;
  /** Load this tool's schema at once in clients that defer the others. */
  readonly alwaysLoad?: boolean;
  /** Throws `invalid_input` for arguments that each are right and do not go together. Nothing has been done by then. */
  check?(args: Values<F>): void | Promise<void>;
  handle(args: Values<F>, call: Call): Promise<Reply<D>>;
  /** Turns the data into text. The tools import their renderers here, so that a server starts without them. */
  render(data: D, view: View): Rendered | Promise<Rendered>;
}

/** A tool of any kind, as the registry holds it. */
export type AnyTool = ToolSpec<Fields, unknown>;

/** The one way to make a tool; it exists for inference, and forgets the types that only the tool itself needs. */
export function defineTool<F extends Fields, D>(spec: ToolSpec<F, D>): AnyTool {
  return spec;
}

/** What a tool that only looks declares. */
export const READ_ONLY: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

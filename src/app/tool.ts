import type { Services } from "./services.ts";
import type { Config } from "../config/keys.ts";
import type { JailedPath } from "../workspace/jail.ts";
import type { Usage } from "../model/usage.ts";
import type { Format, Rendered, View } from "../render/rendered.ts";
import type { FileTarget, TargetArguments } from "./file-target.ts";
import type { RequestTrace } from "./request-trace.ts";
import type { Fields, Values } from "./schema/field.ts";

export type Toolset = "code" | "run" | "files" | "index" | "jobs";

/** Clients decide by these hints whether to ask the user, so all four are always set and must be true. */
export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** The context of one call, which the pipeline prepares for the tool. */
export interface Call {
  readonly services: Services;
  /** The folder this call works in. */
  readonly workspace: JailedPath;
  readonly format: Format;
  /** The size of the reply, at most. */
  readonly maxTokens: number;
  /** The targets that the caller named, in its order: files, lines of files, or symbols. It is empty for tools without targets. */
  readonly targets: readonly FileTarget[];
  /** Records the states that this request goes through. */
  readonly trace: RequestTrace;
  readonly signal: AbortSignal;
  /** Reports progress. The surface decides how often the client receives it. */
  progress(message: string, done?: number, total?: number): void;
}

/** The answer of a tool as data, which its renderer turns into text. */
export interface Reply<D> {
  readonly data: D;
  /** Marks a reply that the client shows as failed, such as that of a shell command that exits non-zero. */
  readonly isError?: boolean;
  /** The tokens of the raw output that the reply replaces, where they are known; `pith stats` compares the two. */
  readonly rawTokens?: number;
  /** True if the reply only completes an earlier one. */
  readonly retrieval?: boolean;
  /** The subject of the reply. A later call about the same subject counts as a retrieval where this one shows only a part. */
  readonly about?: Usage["about"];
}

export interface ToolSpec<F extends Fields, D> {
  readonly name: string;
  readonly title: string;
  readonly toolset: Toolset;
  /** One or two sentences. A model knows nothing else of the tool. */
  readonly description: string;
  readonly annotations: Annotations;
  readonly fields: F;
  /** Other names of the same arguments, which are accepted but not listed. */
  readonly aliases?: Readonly<Record<string, keyof F & string>>;
  /** Arguments of similar tools of other agents that mean nothing here. They are accepted and ignored. */
  readonly ignored?: readonly string[];
  /** Translates arguments of similar tools of other agents; the returned values replace the given ones. */
  adapt?(args: Values<F>): Partial<Values<F>>;
  /** The fields that a slim server lists (default: all). The others are still accepted. */
  readonly slimFields?: readonly (keyof F & string)[];
  /** Hidden fields that are listed where the configuration gives them a meaning. They are accepted in any case. */
  readonly fieldsFor?: (config: Config) => readonly (keyof F & string)[];
  /** Names the argument that accepts targets in place of a path. */
  readonly targets?: TargetArguments<keyof F & string>;
  /** Default of the argument max_tokens. */
  readonly maxTokens: number;
  /** Asks clients that load tool schemas on demand to load this one at once. */
  readonly alwaysLoad?: boolean;
  /** Throws `invalid_input` for arguments that are valid one by one but not together. It runs before the handler. */
  check?(args: Values<F>): void | Promise<void>;
  handle(args: Values<F>, call: Call): Promise<Reply<D>>;
  /** Turns the data into text. The tools import their renderers here, so that a server starts without them. */
  render(data: D, view: View): Rendered | Promise<Rendered>;
}

/** A tool without the types of its own arguments and data, as the registry holds it. */
export type AnyTool = ToolSpec<Fields, unknown>;

/** Defines a tool. It infers the types that the tool itself needs and hides them from everybody else. */
export function defineTool<F extends Fields, D>(spec: ToolSpec<F, D>): AnyTool {
  return spec;
}

/** The annotations of a tool that changes nothing. */
export const READ_ONLY: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

import type { Services } from "./services.ts";
import type { Config } from "../config/keys.ts";
import type { JailedPath } from "../workspace/jail.ts";
import type { Usage } from "../model/usage.ts";
import type { Reader } from "../render/reader/reader.ts";
import type { Format, Rendered, View } from "../render/rendered.ts";
import type { FileTarget, TargetArguments } from "./file-target.ts";
import type { SearchedProjects } from "./projects.ts";
import type { RequestTrace } from "./request-trace.ts";
import type { SearchPathArguments } from "./search-paths.ts";
import type { Fields, Values } from "./schema/field.ts";

export type Toolset = "code" | "run" | "files" | "index" | "jobs";

/**
 * The hints about a tool by which clients decide whether to ask the user. All four are always set, and they must be
 * true.
 */
export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** The context of one call, which the pipeline prepares for the tool. */
export interface Call {
  readonly services: Services;
  /** The folder in which this call works. */
  readonly workspace: JailedPath;
  /** The projects that the question is about, if the caller named several. */
  readonly several?: SearchedProjects;
  readonly format: Format;
  /** The reader of the reply, which decides the calls that it names. */
  readonly reader: Reader;
  /** The most tokens of the reply. */
  readonly maxTokens: number;
  /**
   * The files, lines of files or symbols that the caller named, in its order; empty for tools without such an argument.
   */
  readonly targets: readonly FileTarget[];
  /** Records the states that this request goes through, for the log. */
  readonly trace: RequestTrace;
  readonly signal: AbortSignal;
  /** Sends a progress message. The surface (MCP, shell, HTTP) decides how often the client receives one. */
  progress(message: string, done?: number, total?: number): void;
}

/** The answer of a tool as data, which its renderer turns into text. */
export interface Reply<D> {
  readonly data: D;
  /** True if the client shows the reply as failed, as for a shell command that exits with a nonzero code. */
  readonly isError?: boolean;
  /** The tokens of the raw output that the reply replaces, if they are known; `pith stats` compares the two. */
  readonly rawTokens?: number;
  /** True if the reply only shows what an earlier reply left out. */
  readonly retrieval?: boolean;
  /**
   * The subject of the reply, such as a file. If this reply shows only a part of it, a later call about the same
   * subject counts as completing it.
   */
  readonly about?: Usage["about"];
}

export interface ToolSpec<F extends Fields, D> {
  readonly name: string;
  readonly title: string;
  readonly toolset: Toolset;
  /** One or two sentences for the model, which knows nothing else about the tool. */
  readonly description: string;
  /**
   * Words by which an agent may look for the tool. A client that loads tools on demand searches them next to the name and
   * the description; a model never reads them.
   */
  readonly searchHint: string;
  readonly annotations: Annotations;
  readonly fields: F;
  /** Other names of the same arguments, which are accepted but not listed. */
  readonly aliases?: Readonly<Record<string, keyof F & string>>;
  /** Arguments that similar tools of other agents have and that mean nothing here. They are accepted and ignored. */
  readonly ignored?: readonly string[];
  /** Translates arguments that similar tools of other agents have; the returned values replace the given ones. */
  adapt?(args: Values<F>): Partial<Values<F>>;
  /**
   * The arguments that the schema shows on a server with the setting `slim` (default: all). The others are still
   * accepted.
   */
  readonly slimFields?: readonly (keyof F & string)[];
  /**
   * Returns the hidden arguments that the schema shows because this configuration gives them a meaning. They are
   * accepted in any case.
   */
  readonly fieldsFor?: (config: Config) => readonly (keyof F & string)[];
  /** Names the argument that accepts lines of a file, a symbol or a result id in place of a path. */
  readonly targets?: TargetArguments<keyof F & string>;
  /** Names the arguments with the paths of a search, of which those that begin with `!` are left out. */
  readonly searchPaths?: SearchPathArguments<keyof F & string>;
  /**
   * Set if paths may name installed dependencies, such as `dep:zod`. With `folders`, the path of a package's folder
   * means the package too; with `names`, a path inside the workspace stays one.
   */
  readonly dependencies?: "names" | "folders";
  /** True if the argument `workspace` may name several projects. */
  readonly severalProjects?: true;
  /** The default of the argument `max_tokens`. */
  readonly maxTokens: number;
  /** True if clients that load tool schemas on demand should load this one at once. */
  readonly alwaysLoad?: boolean;
  /**
   * Throws `invalid_input` for arguments that are valid one by one but not together. It is called before the handler.
   */
  check?(args: Values<F>): void | Promise<void>;
  handle(args: Values<F>, call: Call): Promise<Reply<D>>;
  /**
   * Turns the data of a reply into text. Tools import their renderers inside this function, so that a server starts
   * without them.
   */
  render(data: D, view: View): Rendered | Promise<Rendered>;
}

/** A tool without the types of its own arguments and data, as the registry holds it. */
export type AnyTool = ToolSpec<Fields, unknown>;

/** Defines a tool. The types of its arguments and data are inferred here and hidden from all other code. */
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

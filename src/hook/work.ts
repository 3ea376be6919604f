import type { EditedFile } from "../model/edits.ts";

/** What a client's tool did, in terms that do not depend on the client. */
export type HookWork = ShellWork | ReadWork | EditWork | StartWork;

/** A shell command that succeeded, with all that it printed. */
export interface ShellWork {
  readonly kind: "shell";
  readonly cwd: string;
  readonly command: string;
  readonly stdout: string;
  readonly stderr: string;
}

/** A file that was read from its beginning. */
export interface ReadWork {
  readonly kind: "read";
  readonly cwd: string;
  readonly path: string;
  readonly totalLines: number;
}

/** Files that were edited, with their paths as the client wrote them. */
export interface EditWork {
  readonly kind: "edits";
  readonly cwd: string;
  readonly files: readonly EditedFile[];
}

/** A session that begins. */
export interface StartWork {
  readonly kind: "start";
  readonly cwd: string;
}

/** What a hook has to say: a text in place of a tool's output, or a note beside it. */
export type HookReply = { readonly replacement: string } | { readonly note: string };

/** How one client talks to its hooks. */
export interface Dialect {
  /** Reads the client's message; undefined if there is nothing to do about it. */
  read(message: Fields): HookWork | undefined;
  /** Returns what to print for the client. */
  write(reply: HookReply, message: Fields): object;
}

export type Fields = Readonly<Record<string, unknown>>;

/** Returns the fields of a JSON object; none for any other value. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

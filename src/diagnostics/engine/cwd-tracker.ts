/** Matches `> shop@1.0.0 test` of npm and pnpm, followed by the folder in some versions. The second pattern matches `> nx run web:build`. */
const SCRIPT = /^> (@?[\w./-]{1,200})@\d[\w.+-]{0,60} [\w:.-]{1,80}(?: ((?:\/|[A-Za-z]:[\\/])\S.*))?$/;
const NX = /^> nx run (@?[\w./-]{1,200}):/;
/** make and ninja print when they enter and leave a folder. */
const ENTERS = /^(?:g?make(?:\[\d+\])?|ninja): Entering directory [`'](.{1,1000})'$/;
const LEAVES = /^(?:g?make(?:\[\d+\])?|ninja): Leaving directory /;

/** More deeply nested folders are not tracked. */
const MAX_DEPTH = 50;

/**
 * Tracks where the tool that writes the current lines runs: the folder or package that task runners and make announce. Printed paths are relative
 * to it, and the same path in two packages means two files.
 */
export class CwdTracker {
  readonly #channel: string | undefined;
  readonly #folders: string[] = [];
  #package: string | undefined;

  /** `channel` is the name that a task runner prints before the lines of a package. */
  constructor(channel: string) {
    const [name = ""] = channel.split("\t", 1);
    this.#channel = name === "" ? undefined : name.replace(/: $/, "");
  }

  /** The current folder, package name or task name; undefined if the output names none. */
  get now(): string | undefined {
    return this.#folders.at(-1) ?? this.#package ?? this.#channel;
  }

  observe(text: string): void {
    if (text.startsWith("> ")) {
      const script = SCRIPT.exec(text);
      this.#package = script?.[2] ?? script?.[1] ?? NX.exec(text)?.[1] ?? this.#package;
    } else if (text.includes(" directory ")) {
      const entered = ENTERS.exec(text)?.[1];
      if (entered !== undefined && this.#folders.length < MAX_DEPTH) this.#folders.push(entered);
      else if (LEAVES.test(text)) this.#folders.pop();
    }
  }
}

/** `> shop@1.0.0 test` of npm and pnpm, with the folder behind it in some versions; `> nx run web:build`. */
const SCRIPT = /^> (@?[\w./-]{1,200})@\d[\w.+-]{0,60} [\w:.-]{1,80}(?: ((?:\/|[A-Za-z]:[\\/])\S.*))?$/;
const NX = /^> nx run (@?[\w./-]{1,200}):/;
/** make and ninja tell which folder they go to, and that they go back. */
const ENTERS = /^(?:g?make(?:\[\d+\])?|ninja): Entering directory [`'](.{1,1000})'$/;
const LEAVES = /^(?:g?make(?:\[\d+\])?|ninja): Leaving directory /;

/** Folders inside folders beyond this are not followed. */
const MAX_DEPTH = 50;

/**
 * Where the tool runs whose lines are read: the folder or the package that task runners and make name. Paths that it prints are relative to
 * there, and the same path in two packages is two files.
 */
export class Whereabouts {
  readonly #channel: string | undefined;
  readonly #folders: string[] = [];
  #package: string | undefined;

  /** A channel has the name that a task runner puts before the lines of a package. */
  constructor(channel: string) {
    const [name = ""] = channel.split("\t", 1);
    this.#channel = name === "" ? undefined : name.replace(/: $/, "");
  }

  /** A folder, a package's name, or what a task runner calls it; undefined where nothing is said. */
  get now(): string | undefined {
    return this.#folders.at(-1) ?? this.#package ?? this.#channel;
  }

  see(text: string): void {
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

import type { Announced } from "./tool-facts.ts";

/** Upper bound on nested folders that are tracked. */
const MAX_DEPTH = 50;

/**
 * Tracks where the tool that writes the current lines runs: the folder or package that task runners and make announce. Printed paths are relative
 * to it, and the same path in two packages means two files.
 */
export class CwdTracker {
  readonly #channel: string | undefined;
  readonly #folders: string[] = [];
  #package: string | undefined;

  /** `channel` is the name that a task runner prints before each line of a package. */
  constructor(channel: string) {
    const [name = ""] = channel.split("\t", 1);
    this.#channel = name === "" ? undefined : name.replace(/: $/, "");
  }

  /** The current folder, package name or task name; undefined if the output names none. */
  get now(): string | undefined {
    return this.#folders.at(-1) ?? this.#package ?? this.#channel;
  }

  observe(announced: Announced): void {
    this.#package = announced.package ?? this.#package;
    if (announced.enters !== undefined && this.#folders.length < MAX_DEPTH)
      this.#folders.push(announced.enters);
    if (announced.leaves) this.#folders.pop();
  }
}

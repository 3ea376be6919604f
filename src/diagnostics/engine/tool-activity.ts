import type { BuildTool } from "../tool.ts";

/** Tools with their rank in the order in which they are offered a line. */
export type RankedTools = ReadonlyMap<BuildTool, number>;

/** Number of characters of a channel's output that form a stretch. */
const STRETCH = 64 * 1024;

/**
 * Knows which tools may have written which part of a channel's output: those whose signatures occur in the same stretch,
 * the one before or the one after. A long log holds the output of many tools, and offering each line to all of them would
 * take most of the time.
 */
export class ToolActivity {
  readonly #always: RankedTools;
  readonly #found = new Map<number, Map<BuildTool, number>>();
  #length = 0;
  #notes = 0;

  /** Number of different pairs of a stretch and a tool that were noted; what `at` returns changes only with it. */
  get notes(): number {
    return this.#notes;
  }

  /** The tools of `always` are active without a signature. */
  constructor(always: RankedTools) {
    this.#always = always;
  }

  /** Returns the stretch to which a line of this length belongs; called once for each line, in order. */
  add(length: number): number {
    const stretch = Math.floor(this.#length / STRETCH);
    this.#length += length;
    return stretch;
  }

  /** Notes that a stretch contains a signature of a tool. */
  note(stretch: number, tool: BuildTool, rankOf: (tool: BuildTool) => number): void {
    let tools = this.#found.get(stretch);
    if (tools === undefined) this.#found.set(stretch, (tools = new Map<BuildTool, number>()));
    if (tools.has(tool)) return;
    tools.set(tool, rankOf(tool));
    this.#notes++;
  }

  /** Returns the tools that may have written a line of this stretch. Earlier stretches are forgotten. */
  at(stretch: number): RankedTools {
    for (const known of this.#found.keys()) if (known < stretch - 1) this.#found.delete(known);
    const near = [stretch - 1, stretch, stretch + 1].flatMap((one) => [...(this.#found.get(one) ?? [])]);
    return new Map([...this.#always, ...near]);
  }
}

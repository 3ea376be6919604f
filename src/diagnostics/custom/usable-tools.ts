import { PithError } from "../../kernel/errors.ts";
import type { CustomTool } from "../../model/custom-tool.ts";
import type { BuildTool } from "../tool.ts";
import { readCustomTool } from "./read-tool.ts";

/** The tools read last, and what they were read from: the runs of a workspace have the same ones. */
let last: { readonly from: string; readonly tools: readonly BuildTool[] } | undefined;

/**
 * Reads the tools that configuration files describe, without those that cannot be used: `build` with action `list`, and
 * `pith tools`, say what is wrong with them.
 */
export function usableTools(described: readonly CustomTool[], tasksJson?: string): readonly BuildTool[] {
  if (described.length === 0) return NONE;
  const from = JSON.stringify([described, tasksJson]);
  if (last?.from !== from) last = { from, tools: described.flatMap((one) => usable(one, tasksJson)) };
  return last.tools;
}

const NONE: readonly BuildTool[] = [];

function usable(described: CustomTool, tasksJson: string | undefined): BuildTool[] {
  try {
    return [readCustomTool(described, tasksJson).tool];
  } catch (error) {
    // The lists of tools report the error; a run must not fail because of it.
    if (error instanceof PithError) return [];
    throw error;
  }
}

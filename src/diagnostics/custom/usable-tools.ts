import { PithError } from "../../kernel/errors.ts";
import type { CustomTool } from "../../model/custom-tool.ts";
import type { BuildTool } from "../tool.ts";
import { readCustomTool } from "./read-tool.ts";

/** The tools that configuration files describe, and what is wrong with those that cannot be used. */
export interface DescribedTools {
  readonly tools: readonly BuildTool[];
  readonly problems: readonly string[];
}

/** The tools read last, and what they were read from: the runs of a workspace have the same ones. */
let last: (DescribedTools & { readonly from: string }) | undefined;

const NONE: DescribedTools = { tools: [], problems: [] };

/** Reads the tools that configuration files describe. A run must not fail because one of them cannot be used. */
export function describedTools(described: readonly CustomTool[], tasksJson?: string): DescribedTools {
  if (described.length === 0) return NONE;
  const from = JSON.stringify([described, tasksJson]);
  if (last?.from === from) return last;
  const read = described.map((one) => readOrExplain(one, tasksJson));
  last = {
    from,
    tools: read.flatMap((one) => (typeof one === "string" ? [] : [one])),
    problems: read.filter((one) => typeof one === "string"),
  };
  return last;
}

/** Returns only the tools that can be used: `build` with action `list`, and `pith tools`, say what is wrong with the others. */
export function usableTools(described: readonly CustomTool[], tasksJson?: string): readonly BuildTool[] {
  return describedTools(described, tasksJson).tools;
}

function readOrExplain(described: CustomTool, tasksJson: string | undefined): BuildTool | string {
  try {
    return readCustomTool(described, tasksJson).tool;
  } catch (error) {
    if (error instanceof PithError) return error.message;
    throw error;
  }
}

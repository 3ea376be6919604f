import type { BuildTool } from "../tool.ts";

/** Python, Rust, Go, C and C++. */
export const systemTools: readonly BuildTool[] = [];

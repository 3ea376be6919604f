import type { BuildTool } from "../tool.ts";

/** Java, .NET, Ruby, PHP, Swift and infrastructure. */
export const platformTools: readonly BuildTool[] = [];

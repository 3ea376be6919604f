import type { BuildTool } from "../tool.ts";

/** Report formats that many tools write. */
export const reportFormats: readonly BuildTool[] = [];

import type { BuildTool } from "../tool.ts";
import { tsc } from "../tools/tsc/tool.ts";

/** JavaScript and TypeScript. */
export const javascriptTools: readonly BuildTool[] = [tsc];

import type { BuildTool } from "../tool.ts";
import { jest } from "../tools/jest/tool.ts";
import { tsc } from "../tools/tsc/tool.ts";
import { vitest } from "../tools/vitest/tool.ts";

/** JavaScript and TypeScript. */
export const javascriptTools: readonly BuildTool[] = [jest, tsc, vitest];

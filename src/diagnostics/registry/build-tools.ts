import { compareText } from "../../kernel/nearest.ts";
import * as tools from "./tools.ts";
import type { BuildTool } from "../tool.ts";

/** All tools whose output Pith understands, sorted by id. */
export const buildTools: readonly BuildTool[] = Object.values(tools).sort((a, b) => compareText(a.id, b.id));

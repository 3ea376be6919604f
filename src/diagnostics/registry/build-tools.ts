import { compareText } from "../../kernel/nearest.ts";
import { javascriptTools } from "./javascript.ts";
import { platformTools } from "./platforms.ts";
import { reportFormats } from "./reports.ts";
import { systemTools } from "./systems.ts";
import type { BuildTool } from "../tool.ts";

/** All tools whose output Pith understands, sorted by id. */
export const buildTools: readonly BuildTool[] = [
  ...javascriptTools,
  ...systemTools,
  ...platformTools,
  ...reportFormats,
].sort((a, b) => compareText(a.id, b.id));

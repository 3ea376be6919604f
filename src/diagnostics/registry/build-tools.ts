import { compareText } from "../../kernel/nearest.ts";
import { javascriptTools } from "./javascript.ts";
import { platformTools } from "./platforms.ts";
import { reportFormats } from "./reports.ts";
import { systemTools } from "./systems.ts";
import type { BuildTool } from "../tool.ts";

/** Every tool whose output Pith understands, by id. */
export const buildTools: readonly BuildTool[] = [
  ...javascriptTools,
  ...systemTools,
  ...platformTools,
  ...reportFormats,
].sort((a, b) => compareText(a.id, b.id));

import packageJson from "../../../package.json" with { type: "json" };
import type { UiState } from "../wire.ts";
import { calls, turnCalls } from "./calls.ts";
import { map, relations, search, source } from "./code.ts";
import type { Handler } from "./handler.ts";
import { history } from "./history.ts";
import { index } from "./index-status.ts";
import { line, log, searchLog } from "./log.ts";
import { pool } from "./pool.ts";
import { again, compare, run, runs, stop } from "./runs.ts";
import { tokens } from "./tokens.ts";

const state: Handler = async (_parameters, { services }): Promise<UiState> => ({
  version: packageJson.version,
  home: services.workspaces.home,
  hasPool: services.pool !== undefined,
  canRun: !services.config.server.read_only,
});

/** The routes below /ui/api/. Whatever changes something is a POST. */
export const API: Readonly<Record<string, Handler>> = {
  "GET state": state,
  "GET runs": runs,
  "GET run": run,
  "GET compare": compare,
  "GET log": log,
  "GET log/search": searchLog,
  "GET log/line": line,
  "POST stop": stop,
  "POST again": again,
  "GET history": history,
  "GET tokens": tokens,
  "GET code/search": search,
  "GET code/relations": relations,
  "GET code/source": source,
  "GET code/map": map,
  "GET index": index,
  "GET pool": pool,
  "GET calls": calls,
  "POST calls": turnCalls,
};

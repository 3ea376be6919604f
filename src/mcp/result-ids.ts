import type { Services } from "../app.ts";
import { isResultId } from "../index/result-id.ts";
import type { AnyTool } from "./tool.ts";

/** Puts the file and the lines of a search's result in the place of its id, so that they are checked like any others. */
export async function followResult(
  { results }: AnyTool,
  values: Record<string, unknown>,
  { services, root, signal }: { services: Services; root: string; signal: AbortSignal },
): Promise<void> {
  if (results === undefined) return;
  const id = values[results.path];
  if (typeof id !== "string" || !isResultId(id)) return;
  const index = await services.index();
  const ref = values["ref"];
  const found = await index.result({ root, id, signal, ...(typeof ref === "string" && { ref }) });
  values[results.path] = found.path;
  if (results.lines === undefined || results.lines.some((name) => values[name] !== undefined)) return;
  const [start, end] = results.lines;
  values[start] = found.lineStart;
  values[end] = found.lineEnd;
}

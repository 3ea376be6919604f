import type { LogSlice, RunReport } from "../../model/run-report.ts";
import type { TestChoice } from "../../model/test-choice.ts";
import { renderLog } from "../log/log.ts";
import { EVERY_TOOL, spellFor } from "../reader/reader.ts";
import { jsonReply, type Rendered, type View } from "../rendered.ts";
import { renderRun } from "./run.ts";
import { renderNoTests } from "./test-choice.ts";
import { renderToolList, type ToolListReply } from "./tool-list.ts";

interface NearestNames {
  readonly unknown: string;
  readonly nearest: readonly string[];
}

type BuildAnswer =
  | { readonly kind: "run"; readonly report: RunReport; readonly awaited?: string }
  | { readonly kind: "no_tests"; readonly choice: TestChoice; readonly command?: string }
  | { readonly kind: "log"; readonly slice: LogSlice }
  | ({ readonly kind: "list" } & ToolListReply)
  | { readonly kind: "unknown"; readonly tool: NearestNames }
  | { readonly kind: "missing"; readonly parameter: string; readonly action: string };

/** Writes the reply of the tool `build`, whichever action was called: a run, a log, a list of tools or an error. */
export function renderBuild(answer: BuildAnswer, view: View): Rendered {
  switch (answer.kind) {
    case "run":
      return answer.awaited === undefined
        ? renderRun(answer.report, view)
        : renderUnmatched(answer.report, answer.awaited, view);
    case "no_tests":
      return renderNoTests(answer, view);
    case "log":
      return renderLog(answer.slice, view);
    case "list":
      return renderToolList(answer, view);
    case "unknown":
      return renderUnknown(answer.tool, view);
    case "missing":
      return jsonReply(
        { error: `Missing required parameter '${answer.parameter}' for action ${answer.action}` },
        { meta: { error: "invalid_input" } },
      );
    default:
      return answer satisfies never;
  }
}

const MAX_SHOWN_PATTERN = 60;

/** Writes the result of a run that ended without the line that the caller waited for. */
function renderUnmatched(report: RunReport, awaited: string, view: View): Rendered {
  const pattern = awaited.length > MAX_SHOWN_PATTERN ? `${awaited.slice(0, MAX_SHOWN_PATTERN)}…` : awaited;
  const note = `ended without a line that matches ${JSON.stringify(pattern)}`;
  view.budget.reserve(note);
  const rendered = renderRun(report, view);
  return rendered.json === undefined
    ? { ...rendered, text: `${rendered.text}\n${note}` }
    : jsonReply({ ...rendered.json, matches: 0 }, rendered);
}

function renderUnknown({ unknown, nearest }: NearestNames, { format, reader = EVERY_TOOL }: View): Rendered {
  const list = spellFor(reader)({ tool: "build", args: { action: "list" } });
  const hint =
    nearest.length > 0
      ? `Did you mean ${nearest.join(" or ")}? ${list} shows what fits this folder.`
      : `${list} shows what fits this folder; a command line works too.`;
  const message = `No build tool ${JSON.stringify(unknown.slice(0, 100))}`;
  const errors = [{ code: "UNKNOWN_TOOL", message, nearest }];
  const meta = { error: "unknown_tool", success: false };
  if (format === "json") return jsonReply({ success: false, errors, hint }, { meta });
  return { text: `UNKNOWN_TOOL: ${message}. ${hint}`, meta };
}

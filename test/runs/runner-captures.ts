import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunReport } from "../../src/model/run-report.ts";
import type { RunEnd } from "../../src/model/run.ts";
import type { RunService } from "../../src/runs/service.ts";

/** The captured output and end of a runner in a test case, for machines without the runner. */
export interface RunnerCapture {
  readonly command: string;
  readonly end: RunEnd;
  readonly output: string;
}

const FILE = join(import.meta.dirname, "runner-captures.json");
const MAX_LINES = 400;
/** Matches the folder of the runners on the machine where they were captured. */
const TOOLS = /[^\s'"(:]*\/\.cache\/runners(?=\/)/g;

/** Loads the captures by `<runner>: <case>`. */
export function runnerCaptures(): Readonly<Record<string, RunnerCapture>> {
  return existsSync(FILE) ? JSON.parse(readFileSync(FILE, "utf8")) : {};
}

/** Saves the output of a real run as a capture. */
export async function captureRun(
  name: string,
  { command, report, service }: { command: string; report: RunReport; service: RunService },
): Promise<void> {
  const { id, cwd, end } = report.run;
  if (end === undefined) return;
  const { lines } = await service.log({ runId: id, stream: "both", startLine: 1, lineCount: MAX_LINES });
  const output = lines
    .map(({ text }) => `${text}\n`.replaceAll(cwd, "/home/dev/demo").replaceAll(TOOLS, "/home/dev/runners"))
    .join("");
  const all = { ...runnerCaptures(), [name]: { command, end, output } };
  const sorted = Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(FILE, `${JSON.stringify(sorted, null, 2)}\n`);
}

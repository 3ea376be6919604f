import type { SectionMark } from "../clean/prefixes.ts";
import type { StepStart } from "./step-start.ts";

/** The headings of the sections that gitlab-runner itself opens. A log copied from its page has them without the marks of sections. */
const HEADINGS: ReadonlyMap<string, StepStart> = new Map<string, StepStart>([
  ['Executing "step_script" stage of the job script', {}],
  ['Executing "build_script" stage of the job script', {}],
  ["Running after_script", { cleanup: "harmless" }],
  ["Uploading artifacts for failed job", { cleanup: "harmless" }],
  ["Saving cache for failed job", { cleanup: "harmless" }],
  ["Cleaning up project directory and file based variables", { cleanup: "harmless" }],
  ["Cleaning up file based variables", { cleanup: "harmless" }],
  ["Uploading artifacts for successful job", { name: "Uploading artifacts for successful job" }],
]);

/** Literal texts in these headings. */
export const HEADING_SIGNATURES: readonly string[] = [
  '_script" stage of the job script',
  "Running after_script",
  "Uploading artifacts for ",
  "Saving cache for failed job",
  "Cleaning up ",
];

/** The names of the runner's own sections whose headings need not be on the same line. */
const SECTIONS: ReadonlyMap<string, StepStart> = new Map<string, StepStart>([
  ["step_script", {}],
  ["build_script", {}],
  ["after_script", { cleanup: "harmless" }],
  ["archive_cache_on_failure", { cleanup: "harmless" }],
  ["upload_artifacts_on_failure", { cleanup: "harmless" }],
  ["cleanup_file_variables", { cleanup: "harmless" }],
]);

/** Reads a heading of gitlab-runner, or returns undefined for any other line. */
export function readHeading(text: string): StepStart | undefined {
  return HEADINGS.get(text.trim());
}

/** Reads a line with the mark of a section: one of the runner, or one that the job's script prints around its commands. */
export function readSection({ name, starts }: SectionMark, text: string): StepStart | undefined {
  const known = SECTIONS.get(name) ?? readHeading(text);
  if (starts) return known ?? { name: text.trim() === "" ? name : text.trim() };
  // The verdict on the job's script comes after the end of its section and after all cleanup.
  return known === undefined ? { ends: name } : undefined;
}

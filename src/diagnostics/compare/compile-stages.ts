import type { Diagnostic } from "../../model/diagnostic.ts";

/**
 * How far a compiler had come when it complained. Complaints of a later stage show that the earlier ones were passed; those of an earlier stage keep
 * the later ones from being looked for at all.
 */
export function stageOf({ tool, code = "", severity }: Diagnostic): number | undefined {
  if (TYPESCRIPT.has(tool)) return typescriptStage(Number(/^TS(\d+)$/.exec(code)?.[1]));
  if (RUST.has(tool)) return rustStage(code, severity);
  return undefined;
}

/** Whether a stage reports all its complaints before the compiler stops. */
export function isReportedWhole({ tool }: Diagnostic, stage: number): boolean {
  return TYPESCRIPT.has(tool) && stage >= SYNTAX;
}

const TYPESCRIPT: ReadonlySet<string> = new Set(["tsc", "vue-tsc"]);
const RUST: ReadonlySet<string> = new Set(["cargo", "cargo-json", "rustc", "clippy"]);

const OPTIONS = 0;
const SYNTAX = 1;
const TYPES = 2;

/** TypeScript's codes by what finds them: 1000s the parser, 5000s and 6000s the options, most others the type checker. */
function typescriptStage(code: number): number | undefined {
  if (Number.isNaN(code)) return undefined;
  if ((code >= 5_000 && code < 7_000) || code === 18_002 || code === 18_003) return OPTIONS;
  return code < 2_000 ? SYNTAX : TYPES;
}

/** Names that cannot be resolved, and what the borrow checker finds. */
const RESOLVED = /^E0(?:40[1-9]|41[2-9]|42[2-9]|43[0-7])$/;
const BORROWED = /^E0(?:38[1-4]|49[69]|50[1-9]|51[0-5]|59[4-7]|62[16]|71[2367])$/;

function rustStage(code: string, severity: Diagnostic["severity"]): number {
  if (severity !== "error") return 4;
  if (!/^E\d{4}$/.test(code)) return code === "" ? 0 : 4;
  if (RESOLVED.test(code)) return 1;
  return BORROWED.test(code) ? 3 : 2;
}

import type { Diagnostic } from "../../model/diagnostic.ts";

/**
 * Returns the compilation stage that reported the diagnostic. Diagnostics of a later stage prove that the earlier stages passed; errors in an early
 * stage keep the compiler from running the later ones.
 */
export function stageOf({ tool, code = "", severity }: Diagnostic): number | undefined {
  if (TYPESCRIPT.has(tool)) return typescriptStage(Number(/^TS(\d+)$/.exec(code)?.[1]));
  if (RUST.has(tool)) return rustStage(code, severity);
  return undefined;
}

/** Returns whether the compiler always reports all problems of this stage before it stops. */
export function isReportedCompletely({ tool }: Diagnostic, stage: number): boolean {
  return TYPESCRIPT.has(tool) && stage >= SYNTAX;
}

const TYPESCRIPT: ReadonlySet<string> = new Set(["tsc", "vue-tsc"]);
const RUST: ReadonlySet<string> = new Set(["cargo", "cargo-json", "rustc", "clippy"]);

const OPTIONS = 0;
const SYNTAX = 1;
const TYPES = 2;

/**
 * Maps TypeScript's codes to the stage that reports them: the 1000s come from the parser, the 5000s and 6000s from the options, most others from
 * the type checker.
 */
function typescriptStage(code: number): number | undefined {
  if (Number.isNaN(code)) return undefined;
  if ((code >= 5_000 && code < 7_000) || code === 18_002 || code === 18_003) return OPTIONS;
  return code < 2_000 ? SYNTAX : TYPES;
}

/** Error codes of Rust's name resolution, and below those of its borrow checker. */
const NAME_RESOLUTION = /^E0(?:40[1-9]|41[2-9]|42[2-9]|43[0-7])$/;
const BORROW_CHECKER = /^E0(?:38[1-4]|49[69]|50[1-9]|51[0-5]|59[4-7]|62[16]|71[2367])$/;

function rustStage(code: string, severity: Diagnostic["severity"]): number {
  if (severity !== "error") return 4;
  if (!/^E\d{4}$/.test(code)) return code === "" ? 0 : 4;
  if (NAME_RESOLUTION.test(code)) return 1;
  return BORROW_CHECKER.test(code) ? 3 : 2;
}

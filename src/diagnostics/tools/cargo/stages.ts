import type { Diagnostic } from "../../../model/diagnostic.ts";
import type { CompileStage } from "../../tool.ts";

/** Matches the error codes of Rust's name resolution; `BORROW_CHECKER` matches those of its borrow checker. */
const NAME_RESOLUTION = /^E0(?:40[1-9]|41[2-9]|42[2-9]|43[0-7])$/;
const BORROW_CHECKER = /^E0(?:38[1-4]|49[69]|50[1-9]|51[0-5]|59[4-7]|62[16]|71[2367])$/;

/** Maps Rust's error codes to the stage of the compiler that reports them; lints come last. */
export function rustStage(diagnostic: Diagnostic): CompileStage {
  return { order: orderOf(diagnostic), isReportedCompletely: false };
}

function orderOf({ code = "", severity }: Diagnostic): number {
  if (severity !== "error") return 4;
  if (!/^E\d{4}$/.test(code)) return code === "" ? 0 : 4;
  if (NAME_RESOLUTION.test(code)) return 1;
  return BORROW_CHECKER.test(code) ? 3 : 2;
}

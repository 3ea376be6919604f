import type { Diagnostic } from "../../../model/diagnostic.ts";
import type { CompileStage } from "../../tool.ts";

const OPTIONS = { order: 0, isReportedCompletely: false };
const SYNTAX = { order: 1, isReportedCompletely: true };
const TYPES = { order: 2, isReportedCompletely: true };

/**
 * Maps TypeScript's codes to the stage that reports them: the 1000s come from the parser, the 5000s and 6000s from the options, most others from
 * the type checker.
 */
export function typescriptStage({ code = "" }: Diagnostic): CompileStage | undefined {
  const number = Number(/^TS(\d+)$/.exec(code)?.[1]);
  if (Number.isNaN(number)) return undefined;
  if ((number >= 5_000 && number < 7_000) || number === 18_002 || number === 18_003) return OPTIONS;
  return number < 2_000 ? SYNTAX : TYPES;
}

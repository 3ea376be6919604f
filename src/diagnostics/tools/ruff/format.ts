import { colonPlace } from "../../parsing/place.ts";
import type { Found } from "../../tool.ts";

const WOULD = /^Would reformat: (.+)$/;
const NOISE =
  /^\d{1,7} files? (?:would be reformatted|already formatted|reformatted|left unchanged|would be left unchanged)/;
const FAILED = /^(error|warning): Failed to (?:parse|format|lint) (.+?):?(\d{1,7}:\d{1,7})?: (.+)$/;

/** Reads a line of `ruff format --check`, or of a file that ruff cannot parse. */
export function readFormatLine(text: string): Found | "noise" | undefined {
  const would = WOULD.exec(text);
  if (would !== null)
    return { severity: "error", message: "Would reformat", file: would[1] ?? "", help: ["ruff format"] };
  if (NOISE.test(text)) return "noise";
  const failed = FAILED.exec(text);
  if (failed === null || !/\.(?:pyi?|ipynb|toml)$/.test(failed[2] ?? "")) return undefined;
  const place =
    failed[3] === undefined ? { file: failed[2] ?? "" } : colonPlace(`${failed[2] ?? ""}:${failed[3]}`);
  return { severity: failed[1] === "warning" ? "warning" : "error", message: failed[4] ?? "", ...place };
}

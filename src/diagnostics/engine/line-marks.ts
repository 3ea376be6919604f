import { BUILD_SIGNATURES } from "../ci/build-spans.ts";
import { MANIFEST_SIGNATURES } from "../ci/manifests.ts";
import { REPORT_SIGNATURES } from "../ci/last-words.ts";
import { STEP_SIGNATURES } from "../ci/step-lines.ts";
import { VERDICT_SIGNATURES } from "../ci/verdict-lines.ts";
import { FAILURE_SIGNATURES, SUCCESS_SIGNATURES } from "../fallback/evidence-strength.ts";
import { signatureSearch } from "./signatures.ts";
import type { BuildTool } from "../tool.ts";

/**
 * Bits for the kinds of text that are searched besides the tools' signatures: a line with one may be a CI system's
 * verdict, the start of a CI step, evidence of a failure, evidence of success, the end of a build, the beginning of
 * a build tool's report that the build failed, or the name of a file that lists dependencies.
 */
export const VERDICT = 1;
export const STEP = 2;
export const FAILURE = 4;
export const SUCCESS = 8;
export const BUILD = 16;
export const REPORT = 32;
export const MANIFEST = 64;
const MARKS: readonly { readonly bit: number; readonly signatures: readonly string[] }[] = [
  { bit: VERDICT, signatures: VERDICT_SIGNATURES },
  { bit: STEP, signatures: STEP_SIGNATURES },
  { bit: FAILURE, signatures: FAILURE_SIGNATURES },
  { bit: SUCCESS, signatures: SUCCESS_SIGNATURES },
  { bit: BUILD, signatures: BUILD_SIGNATURES },
  { bit: REPORT, signatures: REPORT_SIGNATURES },
  { bit: MANIFEST, signatures: MANIFEST_SIGNATURES },
];

/** Searches a line for the signatures of all tools and for the texts above, in one pass. */
export interface LineSearch {
  /** Calls `found` for each tool with a signature in the line, and returns the bits of the other texts in it. */
  scan(text: string, found: (tool: BuildTool) => void): number;
}

const searches = new WeakMap<readonly BuildTool[], LineSearch>();

/** Returns the search for a list of tools, which is built once per list. */
export function lineSearch(tools: readonly BuildTool[]): LineSearch {
  const known = searches.get(tools);
  if (known !== undefined) return known;
  const search = signatureSearch([...tools, ...MARKS].map((one) => one.signatures));
  const built: LineSearch = {
    scan(text, found) {
      let marks = 0;
      search.scan(text, (owner) => {
        const tool = tools[owner];
        if (tool === undefined) marks |= MARKS[owner - tools.length]?.bit ?? 0;
        else found(tool);
      });
      return marks;
    },
  };
  searches.set(tools, built);
  return built;
}

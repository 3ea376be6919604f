import { isFrame } from "../../javascript/frames.ts";
import { trimBlank } from "../../javascript/diff.ts";
import { colonPlace } from "../../parsing/place.ts";
import type { Found } from "../../tool.ts";

const LINTED = /^Occurred while linting (.+)$/;
const RULE = /^Rule: "(.+)"$/;
const NOISE = /^ESLint: \d|^If you still (?:have|can't)/;

/** What made ESLint give up, from the lines below its "Oops!". */
export function readCrash(lines: readonly string[]): Found {
  const end = lines.findIndex(isFrame);
  const said = end < 0 ? lines : lines.slice(0, end);
  const linted = said.map((line) => LINTED.exec(line)?.[1]).find((file) => file !== undefined);
  const rule = said.map((line) => RULE.exec(line)?.[1]).find((name) => name !== undefined);
  const message = trimBlank(
    said.filter((line) => !NOISE.test(line) && !LINTED.test(line) && !RULE.test(line)),
  ).join("\n");
  return {
    severity: "error",
    message: message === "" ? "ESLint could not run" : message,
    ...(linted === undefined ? {} : (colonPlace(linted) ?? { file: linted })),
    ...(rule === undefined ? {} : { code: rule }),
  };
}

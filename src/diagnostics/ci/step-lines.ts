import type { SectionMark } from "../clean/prefixes.ts";
import type { Line } from "../tool.ts";
import { HEADING_SIGNATURES, readHeading, readSection } from "./gitlab-sections.ts";
import type { StepStart } from "./step-start.ts";

/** Literal texts with which CI systems start a step; they are searched in the line before its prefixes are removed. */
export const STEP_SIGNATURES: readonly string[] = [
  "##[group]Run ",
  "##[section]Starting: ",
  "travis_time:start:",
  "section_start:",
  "##[section]Finishing: ",
  "#!/bin/bash -eo pipefail",
  "#!/bin/bash --login -eo pipefail",
  "#!/bin/sh -eo pipefail",
  '" skipped due to earlier failure(s)',
  "[Pipeline] { (",
  "[Pipeline] sh",
  "[Pipeline] bat",
  "section_end:",
  ...HEADING_SIGNATURES,
];

/** Matches the headings of Buildkite's log: `--- :npm: Install`, `~~~ Running commands`. Without an emoji, `---` and `+++` may be a diff. */
const BUILDKITE = /^(?:~~~ (?=[A-Z:])|(?:---|\+\+\+) (?=:[\w+-]{1,40}: ))(\S.{0,200})$/;
const STAGE = /^\[Pipeline\] \{ \((.{1,200})\)$/;
/** Matches the shell that CircleCI prints above the script of a step; the option `--login` is that of its macOS machines. */
const CIRCLECI_SHELL = /^#!\/bin\/(?:ba)?sh (?:--login )?-eo pipefail$/;
const SKIPPED_STAGE = /^Stage ".{1,200}" skipped due to earlier failure\(s\)$/;
/** Matches lines of CI systems that only structure the log. */
const FRAME =
  /^(?:\[Pipeline\] (?:[{}]$|\/\/ |End of Pipeline$|getContext$|isUnix$|withEnv$|stage$)|\^\^\^ \+\+\+$|Cleaning up project directory and file based variables$|\d\d:\d\d$)/;

/** Returns whether a line only structures the log of a CI system and says nothing about the failure. */
export function isFrameLine(text: string): boolean {
  return FRAME.test(text.trim());
}

/**
 * Reads the start of a step from a line with one of `STEP_SIGNATURES`; the prefixes of the CI system are already removed, and `section` is
 * the mark of a section that was among them.
 */
export function readStepStart(text: string, section?: SectionMark): StepStart | undefined {
  if (section !== undefined) return readSection(section, text);
  const heading = readHeading(text);
  if (heading !== undefined) return heading;
  if (HEADING_SIGNATURES.some((one) => text.includes(one))) return undefined;
  if (text.startsWith("Run ")) return { command: shortCommand(text.slice(4)) };
  if (text.startsWith("Starting: ")) return { name: text.slice(10).trim() };
  if (text.startsWith("Finishing: ")) return { ends: text.slice(11).trim() };
  const stage = STAGE.exec(text)?.[1];
  if (stage === "Declarative: Post Actions") return { name: stage, cleanup: "decisive" };
  if (stage !== undefined) return { name: stage };
  if (SKIPPED_STAGE.test(text)) return { isSkipped: true };
  // CircleCI shows the script of a step below its shell, and Jenkins the command below the name of its own step.
  if (CIRCLECI_SHELL.test(text)) return { isAbove: true };
  return text.startsWith("[Pipeline] ") ? { isAbove: true, isCommand: true } : {};
}

const DOLLAR = 36;
const PLUS = 43;
const DASH = 45;
const TILDE = 126;
/** A step that runs a script shows at most this many characters of it. */
const MAX_COMMAND = 200;

/** Shortens a command to its first line and to a length that a reply can show. */
export function shortCommand(text: string): string {
  const line = text.trim().replace(/^\+ /, "");
  return line.length > MAX_COMMAND ? `${line.slice(0, MAX_COMMAND)}…` : line;
}

/**
 * Reads a line with which a shell or a CI system shows the command that it starts (`$ npm test`, `+ npm test`), or a heading of Buildkite.
 * It is called for every line, so the first character decides.
 */
export function readCommand({ text }: Pick<Line, "text">): StepStart | undefined {
  const code = text.charCodeAt(0);
  if (code !== DOLLAR && code !== PLUS && code !== DASH && code !== TILDE) return undefined;
  if (text.startsWith("$ ")) return { command: shortCommand(text.slice(2)), isCommand: true };
  const heading = BUILDKITE.exec(text)?.[1];
  return heading === undefined ? undefined : { name: heading };
}

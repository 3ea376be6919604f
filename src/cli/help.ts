import type { ErrorCode, PithError } from "../kernel/errors.ts";
import { spellFor } from "../render/reader/reader.ts";
import { type Command, type Option, shortsOf } from "./command.ts";
import { paint } from "./io.ts";
import type { Io } from "./io.ts";

/** Formats the help page of one command: what it does, its options, and examples to copy. */
export function commandHelp(command: Command, io: Io): string {
  const sections = [
    `${paint(io, "bold", `pith ${command.name}`)}  ${command.summary}`,
    `Usage: pith ${command.name} ${command.usage}`.trimEnd(),
    command.details ?? "",
    optionLines(command),
    command.examples.length === 0
      ? ""
      : `Examples:\n${command.examples.map((line) => `  ${line}`).join("\n")}`,
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

function optionLines(command: Command): string {
  const rows = Object.entries(command.options).map(
    ([name, option]) => [spelling(name, option), option.about] as const,
  );
  if (rows.length === 0) return "";
  return `Options:\n${alignRows(rows)}`;
}

function spelling(name: string, option: Option): string {
  const short = shortsOf(option)
    .map((letter) => `-${letter}, `)
    .join("");
  return `${short}--${name}${option.type === "string" ? ` ${option.value ?? "TEXT"}` : ""}`;
}

/** The advice after errors for which the usual one speaks of the calls that an agent makes. */
const CLI_STEPS: Partial<Record<ErrorCode, string>> = {
  file_not_found: "Check the spelling of the path.",
  invalid_cwd: "Name an existing folder with --cwd.",
  permission_required:
    "Allow it with the named rule: pith config permissions shows the rules and their file.",
  permission_denied: "Use another command, or change the rules: pith config permissions.",
  timed_out: "Ask for less, or allow more time.",
  workspace_not_registered: "Name a folder that exists.",
};

/** Returns the advice shown after an error, worded for the command line. */
export function nextStep(error: PithError, verb: string): string {
  if (error.code === "run_not_found" && error.data["aside"] === undefined)
    return "pith runs lists the runs that are kept.";
  if (error.data.suggestion !== undefined) return error.suggestionFor(spellFor({ surface: "cli" }));
  if (error.code === "invalid_input") return `pith ${verb} --help shows what it takes.`;
  return CLI_STEPS[error.code] ?? error.suggestionFor(spellFor({ surface: "cli" }));
}

/** Formats two aligned, indented columns. */
export function alignRows(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(0, ...rows.map(([left]) => left.length).filter((length) => length <= MAX_LEFT));
  return rows
    .map(([left, right]) => {
      const gap = left.length > width ? `\n${" ".repeat(width + 2)}` : " ".repeat(width - left.length);
      return `  ${left}${gap}  ${right}`;
    })
    .join("\n");
}

/** A longer text on the left has its explanation on the next line, so that it does not move those of all others. */
const MAX_LEFT = 44;

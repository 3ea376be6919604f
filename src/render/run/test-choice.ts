import { posix } from "node:path";
import { pluralize } from "../../kernel/pluralize.ts";
import type { ChosenTest, TestChoice, TestReason } from "../../model/test-choice.ts";
import { EVERY_TOOL, type Reader, spellFor } from "../reader/reader.ts";
import { jsonReply, type Rendered, type View } from "../rendered.ts";

/** The chosen files that a reply names; the command line of the run has all of them. */
const MAX_NAMED = 12;
const MAX_REASONS = 2;
const MAX_SHARED = 3;

/** Says which test files run, why, and what is left out. */
export function choiceLines(choice: TestChoice, reader: Reader = EVERY_TOOL): string[] {
  const { chosen, elsewhere, changedFiles, since } = choice;
  const others = [...elsewhere, ...(choice.notBuilt === undefined ? [] : [choice.notBuilt])];
  const all = chosen.length + choice.leftOut + others.reduce((sum, { tests }) => sum + tests.length, 0);
  const named = chosen.slice(0, MAX_NAMED).map(testText);
  const more = chosen.length > named.length ? [`${chosen.length - named.length} more`] : [];
  const compared = since === undefined ? "" : ` since ${since}`;
  return [
    `${chosen.length} of ${pluralize(all, "test file")} for ${pluralize(changedFiles, "changed file")}${compared}: ${[...named, ...more].join(", ")}`,
    ...(choice.besides === undefined ? [] : [`runs too: ${choice.besides}`]),
    leftOutLine(choice),
    sharedLine(choice),
    ...(choice.notBuilt === undefined
      ? []
      : [`not run: also chosen ${notBuiltText(choice.notBuilt, choice)}`]),
    ...elsewhere.map((other) => elsewhereLine(other, choice, reader)),
    ...(choice.lacksHistory ? ["git's history was not read in time and did not count"] : []),
    choice.folder === "" ? "" : `run in ${choice.folder}: paths below begin there`,
  ].filter((line) => line !== "");
}

function testText({ path, reasons }: ChosenTest): string {
  return `${path} (${reasons.slice(0, MAX_REASONS).map(reasonText).join(", ")})`;
}

function reasonText(reason: TestReason): string {
  switch (reason.kind) {
    case "changed":
      return "changed";
    case "name":
      return `named like ${posix.basename(reason.file)}`;
    case "uses":
      return reason.through === undefined || reason.through === reason.name
        ? `uses ${reason.name}`
        : `uses ${reason.through}, which leads to ${reason.name}`;
    case "imports":
      return `imports ${posix.basename(reason.file)}`;
    case "history":
      return `changed with ${posix.basename(reason.file)} ${reason.count}x`;
    case "topic":
      return `named like ${reason.name}`;
    case "mentions":
      return `mentions ${reason.name}`;
    case "words":
      return `has words of ${reason.name}`;
    case "failed":
      return `failed in run ${reason.run}`;
    case "near":
      return `near ${posix.basename(reason.file)}`;
    default:
      return reason satisfies never;
  }
}

function leftOutLine({ leftOut, runAll, folder }: TestChoice): string {
  const where = folder === "" ? "" : ` in ${folder}`;
  const all = runAll === "" ? "" : `; all: ${runAll}${where}`;
  return leftOut === 0 && all === "" ? "" : `not chosen: ${pluralize(leftOut, "other test file")}${all}`;
}

/** Says that no choice of tests covers what changed. */
function sharedLine({ shared = [], leftOut }: TestChoice): string {
  if (shared.length === 0 || leftOut === 0) return "";
  const more = shared.length > MAX_SHARED ? ` and ${shared.length - MAX_SHARED} more` : "";
  return `any test may depend on ${shared.slice(0, MAX_SHARED).join(", ")}${more}, so only all tests cover the change`;
}

function notBuiltText(
  { tests, configure }: NonNullable<TestChoice["notBuilt"]>,
  { folder }: TestChoice,
): string {
  const where = folder === "" ? "" : ` in ${folder}`;
  const them = tests.length === 1 ? "it" : "them";
  return `${tests.join(", ")}, but no configured build folder compiles ${them} into a test. To configure: ${configure}${where}`;
}

function elsewhereLine(
  { folder, tests }: TestChoice["elsewhere"][number],
  { since }: TestChoice,
  reader: Reader,
): string {
  const tool = since === undefined ? "tests of my changes" : `tests of my changes since ${since}`;
  const call = spellFor(reader)({
    tool: "build",
    args: { action: "exec", tool, cwd: folder === "" ? "." : folder },
  });
  const how = call === undefined ? "" : `: ${call}`;
  return `not run: ${tests.join(", ")}, chosen too, but of another package${how}`;
}

/** The same facts for programs. */
export function choiceFields(choice: TestChoice): Readonly<Record<string, unknown>> {
  const { since, changedFiles, chosen, elsewhere, leftOut, runAll, folder, lacksHistory } = choice;
  return {
    ...(since === undefined ? {} : { since }),
    changed_files: changedFiles,
    chosen: chosen.map(({ path, reasons }) => ({ path, why: reasons.map(reasonText) })),
    ...(elsewhere.length === 0 ? {} : { other_packages: elsewhere }),
    ...(choice.notBuilt !== undefined && { not_built: choice.notBuilt }),
    ...(choice.besides !== undefined && { runs_too: choice.besides }),
    ...(choice.shared !== undefined && { concerns_all_tests: choice.shared }),
    left_out: leftOut,
    ...(runAll === "" ? {} : { run_all: runAll }),
    ...(folder === "" ? {} : { folder }),
    ...(lacksHistory ? { lacks_history: true } : {}),
  };
}

interface NothingRun {
  readonly choice: TestChoice;
  /** The command that would run the chosen tests, if the caller asked only for the choice. */
  readonly command?: string;
}

/** Writes the reply if nothing ran: no changes, no test found for them, or only the choice was asked for. It is never a pass. */
export function renderNoTests(
  { choice, command }: NothingRun,
  { format, reader = EVERY_TOOL }: View,
): Rendered {
  const text =
    command === undefined
      ? whyNone(choice, reader)
      : [...choiceLines(choice, reader), `nothing run; the command: ${command}`].join("\n");
  const meta = { success: false, passed: false };
  if (format !== "json") return { text, meta };
  const detail = command === undefined ? text : "nothing run";
  return jsonReply(
    {
      success: false,
      detail,
      tests_of_changes: choiceFields(choice),
      ...(command !== undefined && { command }),
    },
    { meta },
  );
}

function whyNone(choice: TestChoice, reader: Reader): string {
  const { changedFiles, since, leftOut, elsewhere, runAll, folder } = choice;
  const where = folder === "" ? "" : ` in ${folder}`;
  const base = since ?? "HEAD";
  const all = runAll === "" ? "" : ` Run all: ${runAll}`;
  const compare = spellFor(reader)({
    tool: "build",
    args: { action: "exec", tool: "tests of my changes since REF" },
  });
  const later =
    since === undefined && compare !== undefined ? ` To compare with a branch or commit: ${compare}.` : "";
  const found = elsewhere.flatMap(({ tests }) => tests);
  if (choice.notBuilt !== undefined)
    return [
      `No tests run: chose ${notBuiltText(choice.notBuilt, choice)}`,
      ...elsewhere.map((other) => elsewhereLine(other, choice, reader)),
    ].join("\n");
  const message =
    changedFiles === 0
      ? `No tests run: no file differs from ${base}.${later}${all}`
      : found.length > 0
        ? `No tests run: chose ${found.join(", ")}, but no test runner that takes files was found.${all}`
        : `No tests run: none of ${pluralize(leftOut, "test file")}${where} seems to test the ${pluralize(changedFiles, "changed file")}.${all}`;
  return [message.trim(), sharedLine(choice)].filter((line) => line !== "").join("\n");
}

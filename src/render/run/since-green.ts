import { firstCharacters } from "../../kernel/characters.ts";
import { pluralize } from "../../kernel/pluralize.ts";
import type {
  ChangedLines,
  GreenRun,
  RunReport,
  SinceGreen,
  SuspectCommit,
  SuspectFile,
} from "../../model/run-report.ts";
import { timeText } from "../time-text.ts";

type Changed = Extract<SinceGreen, { readonly kind: "changed" }>;
type Commits = Extract<SinceGreen, { readonly kind: "commits" }>;

/** Lines for suspects, including one that counts the others. */
const MAX_FILE_LINES = 4;
const MAX_COMMIT_LINES = 3;
/** A reply with less room than this names one suspect. */
const SMALL_REPLY_TOKENS = 500;
const MAX_PLACES = 4;
const MAX_COMMIT_FILES = 3;
const MAX_SUBJECT = 60;

/** Names the last green run of the same command and what changed since, or the recent commits to the files of the failures. */
export function sinceGreenLines({ sinceGreen }: RunReport, tokens: number): string[] {
  const isSmall = tokens < SMALL_REPLY_TOKENS;
  switch (sinceGreen?.kind) {
    case undefined:
      return [];
    case "same":
      return [`${greenText(sinceGreen.green)} on the same tree: flaky, or a cause outside of git?`];
    case "changed":
      return changedLines(sinceGreen, isSmall ? 1 : MAX_FILE_LINES);
    case "commits":
      return commitLines(sinceGreen, isSmall ? 1 : MAX_COMMIT_LINES);
    default:
      return sinceGreen satisfies never;
  }
}

function greenText({ id, earlierMs }: GreenRun): string {
  return `green ${timeText(earlierMs)} earlier (run ${id})`;
}

function changedLines({ green, suspects, others, isOpen }: Changed, room: number): string[] {
  const edits = green.uncommitted === 0 ? "" : ` + ${pluralize(green.uncommitted, "uncommitted file")}`;
  const head = `${greenText(green)} at ${green.commit}${edits}`;
  const total = suspects.length + others;
  const [first] = suspects;
  if (first !== undefined && total === 1 && isOpen === undefined)
    return [`${head}; suspect: ${fileText(first)}`];
  const needsRest = total > room || isOpen === true;
  const shown = suspects.slice(0, needsRest ? Math.max(1, room - 1) : room);
  const rest = total - shown.length;
  const untracked = isOpen === true ? ["untracked files, which were not compared"] : [];
  const left = [...(rest > 0 ? [pluralize(rest, "more file")] : []), ...untracked].join(", and ");
  return [
    `${head}; suspects, the likeliest first:`,
    ...shown.map((one) => ` ${fileText(one)}`),
    ...(needsRest ? [` and ${left}: git diff --stat ${green.commit}; git status`] : []),
  ];
}

function fileText({ path, change, lines, commit, isUncommitted, isUndone }: SuspectFile): string {
  const older = commit === undefined || commit.others === 0 ? "" : ` and ${commit.others} before`;
  const facts = [
    change === "modified" ? "" : change,
    commit === undefined ? "" : `commit ${commit.id} ${subjectText(commit.subject)}${older}`,
    isUncommitted ? "uncommitted" : "",
    isUndone ? "uncommitted edit undone" : "",
  ].filter(Boolean);
  return `${path}${linesText(lines)}${facts.length === 0 ? "" : ` (${facts.join(", ")})`}`;
}

function linesText(lines: readonly ChangedLines[]): string {
  if (lines.length === 0) return "";
  const places = lines
    .slice(0, MAX_PLACES)
    .map(({ start, end }) => (start === end ? String(start) : `${start}-${end}`));
  const rest = lines.length - places.length;
  return `:${places.join(",")}${rest > 0 ? ` and ${pluralize(rest, "more place")}` : ""}`;
}

function commitLines({ edits, suspects, others }: Commits, limit: number): string[] {
  const uncommitted = edits.length === 0 ? [] : [`suspect: uncommitted ${firstFiles(edits)}`];
  const total = suspects.length + others;
  const room = Math.max(1, limit - uncommitted.length);
  const shown = suspects.slice(0, total > room ? Math.max(1, room - 1) : room);
  const rest = total - shown.length;
  return [
    ...uncommitted,
    ...shown.map(commitText),
    ...(rest > 0
      ? [`and ${pluralize(rest, "more recent commit")} to the files of the failures: git log --stat`]
      : []),
  ];
}

function commitText({ id, subject, earlierMs, files, otherFiles }: SuspectCommit): string {
  return `suspect: commit ${id}, ${timeText(earlierMs)} earlier, ${subjectText(subject)}: ${firstFiles(files, otherFiles)}`;
}

function firstFiles(files: readonly string[], others = 0): string {
  const shown = files.slice(0, MAX_COMMIT_FILES);
  const rest = files.length - shown.length + others;
  return `${shown.join(", ")}${rest > 0 ? ` and ${pluralize(rest, "more file")}` : ""}`;
}

function subjectText(subject: string): string {
  const shown = firstCharacters(subject, MAX_SUBJECT);
  return `"${shown}${shown.length < subject.length ? "…" : ""}"`;
}

/** The same facts for programs. */
export function sinceGreenFields({ sinceGreen }: RunReport): Readonly<Record<string, unknown>> | undefined {
  switch (sinceGreen?.kind) {
    case undefined:
      return undefined;
    case "same":
      return { ...greenFields(sinceGreen.green), same_tree: true };
    case "changed":
      return {
        ...greenFields(sinceGreen.green),
        suspects: sinceGreen.suspects.map(fileFields),
        ...(sinceGreen.others > 0 && { more_files: sinceGreen.others }),
        ...(sinceGreen.isOpen && { untracked_not_compared: true }),
        ...((sinceGreen.others > 0 || sinceGreen.isOpen) && {
          all: `git diff --stat ${sinceGreen.green.commit}; git status`,
        }),
      };
    case "commits":
      return {
        suspects: sinceGreen.suspects.map(({ id, subject, earlierMs, files, otherFiles }) => ({
          commit: id,
          subject,
          seconds_earlier: Math.round(earlierMs / 1000),
          files,
          ...(otherFiles > 0 && { more_files: otherFiles }),
        })),
        ...(sinceGreen.edits.length > 0 && { uncommitted: sinceGreen.edits }),
        ...(sinceGreen.others > 0 && { more_commits: sinceGreen.others }),
      };
    default:
      return sinceGreen satisfies never;
  }
}

function greenFields({ id, earlierMs, commit, uncommitted }: GreenRun): Record<string, unknown> {
  return {
    green_run: id,
    seconds_earlier: Math.round(earlierMs / 1000),
    commit,
    ...(uncommitted > 0 && { uncommitted_files: uncommitted }),
  };
}

function fileFields({
  path,
  change,
  lines,
  commit,
  isUncommitted,
  isUndone,
}: SuspectFile): Record<string, unknown> {
  return {
    file: path,
    change,
    ...(lines.length > 0 && { lines: lines.map(({ start, end }) => [start, end]) }),
    ...(commit && { commit: commit.id, subject: commit.subject }),
    ...(commit && commit.others > 0 && { older_commits: commit.others }),
    ...(isUncommitted && { uncommitted: true }),
    ...(isUndone && { undone: true }),
  };
}

/**
 * The shell text by which a script tells what its stages do. It is plain POSIX: no PIPESTATUS, no pipefail, so that both keep the
 * values that the script's author expects. Stream 9 is a socket to Pith, stream 8 takes output that is recorded and not shown.
 *
 * Messages: `s ID STATUS` a stage ended; `b` and `e` what is printed between them is a view on what is recorded, each answered by a
 * line so that no output can pass it; `t ID PID` the copy of a stage's output began, `d ID` it is over; `h ID` the filter behind it
 * has ended; `k ID` so it ended before the stage; `w ID` and yet nothing of its output was missed.
 */

/** Programs that the text calls, by their paths: the script may change PATH. */
export interface RecordingPrograms {
  readonly tee: string;
  readonly head: string;
  readonly tail: string;
  readonly wc: string;
  /** Not everywhere; without it the output is cut where its filter ended. */
  readonly timeout?: string;
}

/** No program of the script may hold a stream of ours, lest it outlives the script. */
const CLOSE = "8>&- 9>&-";

/**
 * When the filter ended first, the stage may still write as much as a pipe holds and for as long as a burst lasts; then it gets
 * its SIGPIPE.
 */
const BURST_BYTES = 65_536;
const BURST_SECONDS = 0.25;
/** How the copy ends when Pith ends it by SIGTERM, because nothing came after the filter had ended. */
const IDLE_STATUS = 128 + 15;
/** Of a file that a stage wrote no more than this is recorded, from its end. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;

/** The functions, on one line, so that the numbers of the script's own lines stay as they are. */
export function recordingFunctions({ tee, head, tail, wc, timeout }: RecordingPrograms): string {
  const drain =
    timeout === undefined
      ? ""
      : `${timeout} ${BURST_SECONDS} ${head} -c ${BURST_BYTES} >&8 9>&- && ` +
        `[ "$(${timeout} 0.05 ${head} -c 1 8>&- 9>&- | ${wc} -c)" -eq 0 ] && __pith_m w "$1";`;
  return [
    `__pith_m() ( printf '%s %s %s\\n' "$1" "\${2-}" "\${3-}" >&9 || : ) 2>/dev/null`,
    `__pith_ask() ( printf '%s\\n' "$1" >&9 && read -r answer <&9 || : ) 2>/dev/null`,
    `__pith_r() ( __pith_m s "$1" "$2"; exit "$2" )`,
    `__pith_b() { __pith_ask b; }`,
    `__pith_e() ( __pith_m h "$1"; __pith_ask e; exit "$2" )`,
    `__pith_h() ( __pith_m h "$1"; exit "$2" )`,
    // A job in the background has its stdin closed, but for a stream of another number.
    `__pith_t() ( exec 4<&0; ${tee} /dev/fd/5 <&4 4<&- 5>&1 >&8 ${CLOSE} & exec 4<&-; __pith_m t "$1" "$!"; s=0; wait "$!" || s=$?; __pith_m d "$1"; case $s in 0) ;; ${IDLE_STATUS}) __pith_m k "$1";; *) __pith_m k "$1"; ${drain} esac; exit 0 ) 2>/dev/null`,
    `__pith_c() ( [ -f "$1" ] && ${tail} -c "+$((\${2:-0} + 1))" <"$1" | ${tail} -c ${MAX_FILE_BYTES} >&8 9>&-; exit 0 ) 2>/dev/null`,
    `__pith_n() ( [ -f "$1" ] && ${wc} -c <"$1" || echo 0 ) 2>/dev/null`,
    "",
  ].join("; ");
}

/** A file whose new contents are part of the record. */
export interface RecordedFile {
  /** As the shell has to read it. */
  readonly word: string;
  /** What was in it before does not count. */
  readonly isAppended: boolean;
}

/** What stands before and behind a stage's own text. */
export interface StageFrame {
  readonly before: string;
  readonly after: string;
}

/** A stage as it is. */
export const EMPTY_FRAME: StageFrame = { before: "", after: "" };

/** A command as it is, but for our streams. They are closed around it, so that what the shell says of it names it as it is. */
export const PLAIN_FRAME: StageFrame = { before: "{ ", after: `; } ${CLOSE}` };

/** The same of a group. Not around it: there dash would forget a redirection of the group itself. */
export const PLAIN_GROUP_FRAME: StageFrame = { before: "", after: ` ${CLOSE}` };

interface ReportOptions {
  readonly id: number;
  /** `set -e` is on: a failure must be taken up before it ends the shell. */
  readonly errexit: boolean;
  readonly files: readonly RecordedFile[];
  /** The stage as it is framed otherwise. */
  readonly inside: StageFrame;
}

/** A stage that reports its exit code and what it wrote into files. */
export function reportingFrame({ id, errexit, files, inside }: ReportOptions): StageFrame {
  const sizes = files.map(({ word, isAppended }, i) =>
    isAppended ? `__pith_n${i}=$(__pith_n ${word}); ` : "",
  );
  const copies = files.map(
    ({ word, isAppended }, i) => `__pith_c ${word}${isAppended ? ` "$__pith_n${i}"` : ""}; `,
  );
  const status = errexit ? " && __pith_s=0 || __pith_s=$?; " : "; __pith_s=$?; ";
  return {
    before: `{ ${sizes.join("")}${inside.before}`,
    after: `${inside.after}${status}${copies.join("")}__pith_r ${id} "$__pith_s"; }`,
  };
}

/** From the beginning of this stage on, what the script prints is a view. */
export function openingView({ before, after }: StageFrame): StageFrame {
  return { before: `{ __pith_b; ${before}`, after: `${after}; }` };
}

interface EndingOptions {
  /** The stage whose output this one is the first to read. */
  readonly copyOf?: number;
  /** Whether the view ends with this stage. */
  readonly closesView: boolean;
  readonly errexit: boolean;
}

/** A stage whose end is told, because another one's output goes through it or because it prints the view. */
export function endingFrame(frame: StageFrame, { copyOf, closesView, errexit }: EndingOptions): StageFrame {
  if (copyOf === undefined && !closesView) return frame;
  const call = `${closesView ? "__pith_e" : "__pith_h"} ${copyOf ?? 0}`;
  const end = errexit ? ` && ${call} 0 || ${call} "$?"` : `; ${call} "$?"`;
  const { before, after } = frame;
  return copyOf === undefined
    ? { before: `{ ${before}`, after: `${after}${end}; }` }
    : { before: `{ __pith_t ${copyOf} | { ${before}`, after: `${after}${end}; }; }` };
}

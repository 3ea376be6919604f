/**
 * Shell text that makes a script report its stages. It is plain POSIX and uses neither PIPESTATUS nor pipefail, so that both
 * keep the values that the script's author expects. Descriptor 9 is a socket to Pith; descriptor 8 takes output that is
 * recorded but not shown.
 *
 * Messages: `s ID STATUS`: a stage ended. `b` and `e`: the output between them is a filtered view of recorded output; Pith
 * responds to each with a line, so that no output overtakes it. `t ID PID`: a process started to copy a stage's output;
 * `d ID`: the copy is complete. `h ID`: the filter after the stage has ended; `k ID`: it ended before the stage did;
 * `w ID`: all output of the stage was recorded nevertheless.
 */

/**
 * The full paths of the programs that the recording functions call. The script may change PATH, so names would not do.
 */
export interface RecordingPrograms {
  readonly tee: string;
  readonly head: string;
  readonly tail: string;
  readonly wc: string;
  /** Absent on some systems; then the recording of a stage stops when the filter after it ends. */
  readonly timeout?: string;
}

/** Closes the file descriptors of Pith for programs of the script, since a background process would keep them open. */
const CLOSE = "8>&- 9>&-";

/**
 * How much a stage may still write, and for how long, after the filter that reads its output has ended: as much as a
 * pipe holds (64 KiB). Then it gets SIGPIPE.
 */
const BURST_BYTES = 65_536;
const BURST_SECONDS = 0.25;
/**
 * The exit code of the process that copies a stage's output if Pith ended it by SIGTERM, because no output came after
 * the filter had ended.
 */
const IDLE_STATUS = 128 + 15;
/** How many bytes are recorded of a file that a stage wrote, counted from its end. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;

/**
 * Defines the shell functions that record stages, all on one line, so that the line numbers of the script do not
 * change.
 */
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
    // The shell closes the stdin of a background job, so the input is moved to descriptor 4 first.
    `__pith_t() ( exec 4<&0; ${tee} /dev/fd/5 <&4 4<&- 5>&1 >&8 ${CLOSE} & exec 4<&-; __pith_m t "$1" "$!"; s=0; wait "$!" || s=$?; __pith_m d "$1"; case $s in 0) ;; ${IDLE_STATUS}) __pith_m k "$1";; *) __pith_m k "$1"; ${drain} esac; exit 0 ) 2>/dev/null`,
    `__pith_c() ( [ -f "$1" ] && ${tail} -c "+$((\${2:-0} + 1))" <"$1" | ${tail} -c ${MAX_FILE_BYTES} >&8 9>&-; exit 0 ) 2>/dev/null`,
    `__pith_n() ( [ -f "$1" ] && ${wc} -c <"$1" || echo 0 ) 2>/dev/null`,
    "",
  ].join("; ");
}

/** A file into which a stage writes, and whose new contents are recorded as output. */
export interface RecordedFile {
  /** The file name as a word in shell syntax. */
  readonly word: string;
  /** True if the stage appends to the file, so that only the part after its old end is recorded. */
  readonly isAppended: boolean;
}

/** Shell text that is inserted before and after a stage of a script to record it. */
export interface StageFrame {
  readonly before: string;
  readonly after: string;
}

/** The frame (text before and after a stage) that leaves the stage unchanged. */
export const EMPTY_FRAME: StageFrame = { before: "", after: "" };

/**
 * A frame that closes Pith's file descriptors for a command. Braces around the command keep the shell's error messages
 * unchanged.
 */
export const PLAIN_FRAME: StageFrame = { before: "{ ", after: `; } ${CLOSE}` };

/**
 * A frame that closes Pith's file descriptors for a group of commands. It has no braces, because dash would lose the
 * group's own redirections.
 */
export const PLAIN_GROUP_FRAME: StageFrame = { before: "", after: ` ${CLOSE}` };

interface ReportOptions {
  readonly id: number;
  /** True if `set -e` is on, so that a failure must be caught before it ends the shell. */
  readonly errexit: boolean;
  readonly files: readonly RecordedFile[];
  /** The frame that the stage would have without reporting; it is placed inside the reporting one. */
  readonly inside: StageFrame;
}

/** Returns a frame that makes a stage report its exit code and records the files that it wrote. */
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

/** Returns a frame that marks the beginning of filtered output before the stage runs. */
export function openingView({ before, after }: StageFrame): StageFrame {
  return { before: `{ __pith_b; ${before}`, after: `${after}; }` };
}

interface EndingOptions {
  /** The id of the stage whose output is copied to the record on its way to this stage. */
  readonly copyOf?: number;
  /** True if the filtered output ends with this stage. */
  readonly closesView: boolean;
  readonly errexit: boolean;
}

/**
 * Returns a frame that makes a stage report its end, if it reads output that is copied to the record or prints the last
 * part of the filtered output.
 */
export function endingFrame(frame: StageFrame, { copyOf, closesView, errexit }: EndingOptions): StageFrame {
  if (copyOf === undefined && !closesView) return frame;
  const call = `${closesView ? "__pith_e" : "__pith_h"} ${copyOf ?? 0}`;
  const end = errexit ? ` && ${call} 0 || ${call} "$?"` : `; ${call} "$?"`;
  const { before, after } = frame;
  return copyOf === undefined
    ? { before: `{ ${before}`, after: `${after}${end}; }` }
    : { before: `{ __pith_t ${copyOf} | { ${before}`, after: `${after}${end}; }; }` };
}

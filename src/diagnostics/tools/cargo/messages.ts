/** Recognizes the lines that cargo itself prints: progress, closing counts, and errors without a file. */

const PROGRESS =
  /^ {0,11}(?:Compiling|Checking|Finished|Building|Updating|Locking|Downloading|Downloaded|Adding|Removing|Documenting|Fresh|Dirty|Packaging|Verifying|Installing|Installed|Replacing|Replaced|Blocking|Executable|Generated|Ignored|Fixed|Scraping|Fixing|Archiving|Uploading|Creating|Created|Cleaning|Removed|Compiled) (?:\S|`)/;

/** Returns whether the line is one of cargo's status lines, such as `   Compiling serde v1.0.2`. */
export function isCargoProgress(text: string): boolean {
  if (!PROGRESS.test(text)) return false;
  return /^ {2,11}\S/.test(text)
    ? / v\d+\.\d|target\(s\) in |unittests |target[/\\]|crates|index|packages?\b|`|file lock|tests?[/\\]| [\w-]+ ?$/.test(
        text,
      )
    : /^(?:Compiling|Checking|Downloaded|Downloading|Fresh|Finished) \S+ (?:v\d|profile|dev|release|\[)/.test(
        text,
      );
}

const SUMMARY =
  /^aborting due to |^\d{1,6} warnings? emitted|^`.*` \(.*\) generated \d+ warning|^`[^`]*` generated \d+ warning|^build failed, waiting|^(?:\d{1,6} )?(?:test|doctest|targets?|bench|tests) (?:run )?failed/;

/** Returns whether the message is a closing count of diagnostics already reported. */
export function isSummary(message: string): boolean {
  return SUMMARY.test(message);
}

/** Returns whether the message only names the crate that the errors above belong to. */
export function isRepeat(message: string): boolean {
  return /^could not compile `|^failed to compile `|^could not document `|^failed to verify|^process didn't exit successfully/.test(
    message,
  );
}

const PLAIN =
  /^error: (?:could not (?:find|parse|compile|load|document) `|failed to (?:parse|load|read|get|select|resolve|download|fetch|run|compile|determine|query|find|update|sync|prepare) .*(?:`|manifest|package|crate|dependency|registry|lock ?file|source)|no matching package|package ID specification|package `|no (?:bin|example|test|bench|library) target|the lock file |cannot (?:find|specify) .*(?:package|Cargo)|current package believes|virtual manifests|invalid (?:type|value|character).*Cargo|`?cargo |linking with `|no such command: `|toolchain '|rustup |custom toolchain)|^warning: (?:unused manifest key|virtual workspace|profiles for the non root package|no edition set|.*Cargo\.toml)/;

/** Returns whether an error without a location certainly comes from cargo or rustc. */
export function isPlainCargoError(text: string): boolean {
  return PLAIN.test(text);
}

/** Matches the progress that cargo prints before and between the results of its subcommands. */
export const CARGO_PROGRESS =
  /^ {1,12}(?:(?:Compiling|Checking|Documenting) \S+ v\d|Finished (?:`|dev |test |release )|Running (?:unittests|tests|`)|Doc-tests \S+$)/;

/** Matches the progress that cargo prints before and between the results of its subcommands. */
export const CARGO_PROGRESS =
  /^ {1,12}(?:(?:Compiling|Checking|Documenting) \S+ v\d|Finished (?:`|dev |test |release )|Running (?:unittests|tests|`)|Doc-tests \S+$)/;

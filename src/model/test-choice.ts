/** Which test files were chosen for some changes, and why. Paths are relative to the workspace. */
export interface TestChoice {
  /** What the working tree was compared with; absent for its own commit. */
  readonly since?: string;
  /** The number of changed files. */
  readonly changedFiles: number;
  /** The files that run, the likeliest first. */
  readonly chosen: readonly ChosenTest[];
  /** Chosen files of other packages, which their own runner runs. */
  readonly elsewhere: readonly OtherPackage[];
  /** Chosen files that do not run because they are part of no test in the build folder, and the command that configures it. */
  readonly notBuilt?: { readonly tests: readonly string[]; readonly configure: string };
  /** What runs besides the chosen files, because the runner takes no single files. */
  readonly besides?: string;
  /** Changed files that may concern every test, such as settings of the runner. */
  readonly shared?: readonly string[];
  /** The number of test files that are not chosen. */
  readonly leftOut: number;
  /** The command that runs all tests of the folder; empty if none is known. */
  readonly runAll: string;
  /** The folder in which the tests run, relative to the workspace; empty for the workspace itself. */
  readonly folder: string;
  /** True if the history could not be read in time, so that it did not count. */
  readonly lacksHistory?: true;
}

export interface ChosenTest {
  readonly path: string;
  readonly reasons: readonly TestReason[];
}

/** Why a test file was chosen. `file` is the changed file that it concerns, `name` a name in the changed lines or around them. */
export type TestReason =
  | { readonly kind: "changed" }
  | { readonly kind: "name"; readonly file: string }
  | { readonly kind: "uses"; readonly name: string; readonly through?: string }
  | { readonly kind: "imports"; readonly file: string }
  | { readonly kind: "history"; readonly file: string; readonly count: number }
  | { readonly kind: "topic"; readonly name: string }
  | { readonly kind: "mentions"; readonly name: string }
  | { readonly kind: "words"; readonly name: string }
  | { readonly kind: "failed"; readonly run: string }
  | { readonly kind: "near"; readonly file: string };

export interface OtherPackage {
  /** The folder of the package, relative to the workspace. */
  readonly folder: string;
  readonly tests: readonly string[];
}

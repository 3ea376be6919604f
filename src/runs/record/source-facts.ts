import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { FileState, SourceFacts } from "../../diagnostics/compare/source-facts.ts";
import { placesOf } from "../../diagnostics/compare/test-identity.ts";
import { errnoOf } from "../../kernel/errors.ts";
import { readSmallText } from "../../kernel/files/small-file.ts";
import type { RunFindings } from "../../model/run.ts";
import type { TestFailure } from "../../model/test-summary.ts";
import type { StoredRun } from "./store.ts";
import { declarationState, findDeclaration } from "./test-declarations.ts";

/** The largest file that is searched for tests, in bytes, and the most failed tests that are located in such files. */
const MAX_FILE_BYTES = 1_000_000;
const MAX_DECLARATIONS = 500;
/** The most files that are checked; whether others exist stays unknown. */
const MAX_PLACES = 5_000;

/** The answers for runs on other machines, whose files cannot be looked at: everything is unknown. */
export const NO_SOURCE: SourceFacts = { fileState: () => undefined, testState: () => undefined };

/** Tells which files and tests that the previous run reported still existed when the later run started. */
export function sourceFacts(previous: StoredRun, later: StoredRun): SourceFacts {
  if (previous.host !== undefined || later.host !== undefined) return NO_SOURCE;
  const files = new FolderReader(later.cwd);
  const { unresolvedFiles } = previous.findings ?? {};
  if (unresolvedFiles === undefined || !files.isThere) return NO_SOURCE;
  const unresolved = new Set(unresolvedFiles);
  return {
    fileState(path) {
      if (unresolved.has(path)) return undefined;
      return fileStateAt(files.modifiedAt(path), { previous, later });
    },
    testState(failure) {
      if (failure.declared === undefined) return undefined;
      const { file, ...declaration } = failure.declared;
      const state = fileStateAt(files.modifiedAt(file), { previous, later });
      if (state === "missing") return "missing";
      const text = state === undefined ? undefined : files.text(file);
      return text === undefined ? undefined : declarationState(declaration, text);
    },
  };
}

/**
 * Says whether a file is the same, changed or missing. That is unknown if the file changed during one of the runs,
 * which may have read it before or after the change.
 */
function fileStateAt(
  modifiedAt: number | "missing" | undefined,
  { previous, later }: { readonly previous: StoredRun; readonly later: StoredRun },
): FileState | undefined {
  if (modifiedAt === undefined || modifiedAt === "missing") return modifiedAt;
  if (modifiedAt > later.startedAt) return undefined;
  if (modifiedAt <= previous.startedAt) return "same";
  return modifiedAt > (previous.endedAt ?? previous.startedAt) ? "changed" : undefined;
}

/**
 * Adds facts to the findings for the comparison with later runs: which files do not exist, and where failed tests are
 * declared.
 */
export function withSource(findings: RunFindings, cwd: string): RunFindings {
  const files = new FolderReader(cwd);
  const named = [
    ...findings.diagnostics.map(({ file }) => file),
    ...findings.tests.flatMap((one) => one.failures.flatMap(placesOf)),
  ];
  const distinct = [...new Set(named.filter((file) => file !== undefined))];
  if (distinct.length === 0) return findings;
  const unresolvedFiles = distinct.filter(
    (file, i) => i >= MAX_PLACES || typeof files.modifiedAt(file) !== "number",
  );
  let left = MAX_DECLARATIONS;
  const tests = findings.tests.map((summary) => ({
    ...summary,
    failures: summary.failures.map((failure) => (left-- > 0 ? withDeclaration(failure, files) : failure)),
  }));
  return { ...findings, tests, unresolvedFiles };
}

function withDeclaration(failure: TestFailure, files: FolderReader): TestFailure {
  if (failure.kind !== "test") return failure;
  for (const file of placesOf(failure)) {
    const text = files.text(file);
    const declaration = text === undefined ? undefined : findDeclaration(failure.name, text);
    if (declaration !== undefined) return { ...failure, declared: { file, ...declaration } };
  }
  return failure;
}

/** Reads files of a folder, each only once. */
class FolderReader {
  readonly #cwd: string;
  readonly #times = new Map<string, number | "missing" | undefined>();
  readonly #texts = new Map<string, string | undefined>();

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  /** The modification time of a file; undefined if it cannot be determined. */
  modifiedAt(path: string): number | "missing" | undefined {
    if (!this.#times.has(path)) this.#times.set(path, this.#look(path));
    return this.#times.get(path);
  }

  /** True if the folder itself exists. */
  get isThere(): boolean {
    return statSync(this.#cwd, { throwIfNoEntry: false })?.isDirectory() === true;
  }

  text(path: string): string | undefined {
    if (!this.#texts.has(path)) this.#texts.set(path, this.#read(path));
    return this.#texts.get(path);
  }

  #look(path: string): number | "missing" | undefined {
    try {
      const found = statSync(resolve(this.#cwd, path));
      return found.isFile() ? Math.floor(found.mtimeMs) : undefined;
    } catch (error) {
      // Only these errors show that the file does not exist; after any other error its state is unknown.
      return ["ENOENT", "ENOTDIR"].includes(errnoOf(error) ?? "") ? "missing" : undefined;
    }
  }

  #read(path: string): string | undefined {
    if (typeof this.modifiedAt(path) !== "number") return undefined;
    return readSmallText(resolve(this.#cwd, path), { maxBytes: MAX_FILE_BYTES });
  }
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCodeIndex, type CodeIndex } from "../../../src/index/service.ts";
import type { TestsByUse } from "../../../src/index/tests/tests-by-use.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { discardIndexStore, openIndexStore } from "../../../src/storage/sqlite/index-store.ts";
import { spawnSync } from "node:child_process";
import type { SelectionCase } from "./cases.ts";

/** Formats that no test names in code, and that snapshots of repositories lack because they are large. */
const LARGE_FORMATS = [
  "!*.wasm",
  "!*.png",
  "!*.jpg",
  "!*.avif",
  "!*.webp",
  "!*.gif",
  "!*.pdf",
  "!*.zip",
  "!*.exe",
  "!*.dll",
];

/** A working tree of a repository with an index of its own, in which the sources of a case are changed and not committed. */
export class IndexedTree {
  readonly #root = mkdtempSync(join(tmpdir(), "pith-selection-"));
  readonly #tree = join(this.#root, "tree");
  readonly #index: CodeIndex;

  constructor(repository: string) {
    this.#git(this.#root, ["clone", "--quiet", "--shared", "--no-checkout", repository, this.#tree]);
    this.#git(this.#tree, ["sparse-checkout", "set", "--no-cone", "/*", ...LARGE_FORMATS]);
    const database = join(this.#root, "index.db");
    this.#index = createCodeIndex({
      openStore: () => openIndexStore(database),
      discardStore: () => discardIndexStore(database),
      logger: createLogger("error", () => undefined),
      timeBudgetMs: 600_000,
      answerMs: 600_000,
      maxFileBytes: 1_500_000,
      workers: 0,
      prewarm: false,
    });
  }

  /** The tests that use what a case changes, as the product finds them. */
  async testsByUse({ base, patch }: SelectionCase): Promise<TestsByUse> {
    this.#git(this.#tree, ["checkout", "--quiet", "--force", base]);
    this.#git(this.#tree, ["clean", "-qfdx"]);
    this.#git(this.#tree, ["apply", "--unidiff-zero", "--whitespace=nowarn", "-"], patch);
    await this.#index.index({ root: this.#tree });
    return this.#index.testsByUse({ root: this.#tree, signal: new AbortController().signal });
  }

  async dispose(): Promise<void> {
    await this.#index.close();
    rmSync(this.#root, { recursive: true, force: true });
  }

  #git(folder: string, args: readonly string[], input?: string): void {
    const result = spawnSync("git", ["-C", folder, ...args], { ...(input !== undefined && { input }) });
    if (result.status !== 0)
      throw new Error(`git ${args.join(" ")}: ${result.stderr.toString("utf8").slice(0, 300)}`);
  }
}

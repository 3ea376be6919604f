import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import type { TestFailure } from "../../../model/test-summary.ts";

export const forge = defineBuildTool({
  id: "forge",
  title: "Foundry (forge test)",
  url: "https://getfoundry.sh",
  ecosystem: "general",
  kinds: ["test"],
  signatures: [".sol:", "Suite result: ", "[FAIL", " failing test in "],
  priority: 6,
  parser: (sink) => new ForgeParser(sink),
  commands: [
    {
      name: "forge.test",
      description: "Run the tests",
      detect: (folder) => (folder.has("foundry.toml") ? "foundry.toml is here" : undefined),
      argv: () => ["forge", "test"],
    },
    {
      name: "forge.build",
      description: "Compile the contracts",
      detect: (folder) => (folder.has("foundry.toml") ? "foundry.toml is here" : undefined),
      argv: () => ["forge", "build"],
    },
  ],
  rerun: "forge test",
  manifests: ["foundry.toml"],
});

/** Matches the heading of a contract's tests, and of its failed tests in the list at the end. */
const CONTRACT =
  /^(?:Ran \d+ tests? for|Running \d+ tests? for|Encountered \d+ failing tests? in) (\S.{0,500}\.sol):(\w{1,200})$/;
/** Matches the result of a test. Foundry before 0.3 writes `[FAIL. Reason: total is 4]`. */
const RESULT =
  /^\[(PASS|FAIL|SKIP)(?:(?:\. Reason)?: (.{0,20000}?))?\] (\w{1,300})(\([\w,[\]() ]{0,300}\)) ?(?:\(.*\))?$/;
const SUITE = /^(?:Suite|Test) result: \w+\. (\d+) passed; (\d+) failed; (\d+) skipped; finished in .*$/;
const TOTAL =
  /^Ran \d+ test suites? in .{1,60}: (\d+) tests? passed, (\d+) failed, (\d+) skipped \(\d+ total tests?\)$/;
const BLOCK = /^(?:Traces|Logs|Backtrace|Warning):$/;
const FRAME = /^ {2}at [\w.$]{1,300} \((\S.{0,500}?\.sol):(\d{1,9}):(\d{1,9})\)$/;
const NOISE =
  /^(?:Failing tests:|Encountered a total of \d+ failing tests?, .*|Compiling \d+ files? with Solc .*|Solc \S+ finished in .*|No files changed, compilation skipped|Tip: Run `forge test --rerun` .*|Fuzz seed: 0x.*)$/;

/** Reads the results of `forge test`. */
class ForgeParser implements LineParser {
  readonly #sink: Sink;
  readonly #failures = new Map<string, TestFailure>();
  #contract: { readonly file: string; readonly name: string } | undefined;
  #counts = { passed: 0, failed: 0, skipped: 0 };
  #last: string | undefined;
  #inBlock = false;
  #isSeen = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take({ text }: Line): boolean {
    const [, file, name = ""] = CONTRACT.exec(text) ?? [];
    if (file !== undefined) {
      this.#contract = { file, name };
      this.#isSeen = true;
      return true;
    }
    if (this.#contract !== undefined && this.#readResult(this.#contract, text)) return true;
    if (this.#readCounts(text)) return true;
    if (BLOCK.test(text)) this.#inBlock = this.#isSeen;
    else if (this.#inBlock && /^\S/.test(text)) this.#inBlock = false;
    if (this.#inBlock) {
      this.#readFrame(text);
      return true;
    }
    return this.#isSeen && NOISE.test(text);
  }

  end(): void {
    for (const failure of this.#failures.values()) this.#sink.failure(failure);
    const { passed, failed, skipped } = this.#counts;
    if (passed + failed + skipped > 0) this.#sink.summary(this.#counts);
    this.#failures.clear();
  }

  #readResult(contract: { readonly file: string; readonly name: string }, text: string): boolean {
    const [, word, reason = "failed", test = "", signature = ""] = RESULT.exec(text) ?? [];
    if (word === undefined) return false;
    this.#inBlock = false;
    const name = `${contract.name}.${test}${signature}`;
    if (word !== "FAIL") {
      this.#sink.outcome({ name, result: word === "PASS" ? "passed" : "skipped", file: contract.file });
      return true;
    }
    this.#last = name;
    // Failed tests are listed once more at the end.
    if (this.#failures.has(name)) return true;
    this.#failures.set(name, {
      kind: "test",
      name,
      message: reason,
      file: contract.file,
      rerun: `--match-contract ${contract.name}${test === "setUp" ? "" : ` --match-test ${test}`}`,
    });
    return true;
  }

  /** Reads the counts of a contract, or those of all contracts, which replace them. */
  #readCounts(text: string): boolean {
    const total = TOTAL.exec(text);
    const [, passed, failed, skipped] = total ?? SUITE.exec(text) ?? [];
    if (passed === undefined) return false;
    this.#isSeen = true;
    this.#contract = undefined;
    const before = total === null ? this.#counts : { passed: 0, failed: 0, skipped: 0 };
    this.#counts = {
      passed: before.passed + Number(passed),
      failed: before.failed + Number(failed),
      skipped: before.skipped + Number(skipped),
    };
    return true;
  }

  /** Sets the location of the last failure to the first line of its stack that names one. */
  #readFrame(text: string): void {
    const failure = this.#last === undefined ? undefined : this.#failures.get(this.#last);
    const [, file, line, column] = FRAME.exec(text) ?? [];
    if (failure === undefined || failure.line !== undefined || file === undefined) return;
    this.#failures.set(failure.name, { ...failure, file, line: Number(line), column: Number(column) });
  }
}

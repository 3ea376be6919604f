import { asNumber, asObject, asText } from "../../json.ts";
import type { JsonObject } from "../../json.ts";
import type { Found, Sink } from "../../tool.ts";

const RUN = /^ {2}run "(.{1,300})"\.\.\. (pass|fail|error|skip|pending)$/;
const FILE =
  /^\S.{0,1000}\.tf(?:test|tofutest)?\.(?:hcl|json)\.\.\. (?:in progress|tearing down|pass|fail|skip)$/;
const COUNTS = /^(?:Success|Failure)! (\d{1,9}) passed, (\d{1,9}) failed(?:, (\d{1,9}) skipped)?\.$/;

/** Reads `terraform test`: what is complained of below a run that failed is that run's failure. */
export class TestRuns {
  readonly #sink: Sink;
  #failed: string | undefined;
  #complaints: Found[] = [];

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** Where complaints go: to the failed run, while one is open. */
  get sink(): Sink {
    return {
      ...this.#sink,
      diagnostic: (found) => {
        if (this.#failed === undefined || found.severity !== "error") this.#sink.diagnostic(found);
        else this.#complaints.push(found);
      },
    };
  }

  /** Whether the line is of the list of runs, or closes it. */
  static owns(text: string): boolean {
    return RUN.test(text) || FILE.test(text) || COUNTS.test(text);
  }

  /** Reads a line that it owns. */
  line(text: string): void {
    this.end();
    const [, name, outcome = ""] = RUN.exec(text) ?? [];
    if (name !== undefined && /fail|error/.test(outcome)) this.#failed = name;
    const [, passed, failed, skipped = 0] = COUNTS.exec(text) ?? [];
    if (passed !== undefined)
      this.#sink.summary({ passed: Number(passed), failed: Number(failed), skipped: Number(skipped) });
  }

  /** The same as events of the machine-readable output. */
  event(event: JsonObject): void {
    const run = asObject(event["test_run"]);
    if (run !== undefined || event["type"] === "test_file") this.end();
    const status = run?.["progress"] === "complete" ? asText(run["status"]) : undefined;
    if (status === "fail" || status === "error") this.#failed = asText(run?.["run"]) ?? "";
    const summary = asObject(event["test_summary"]);
    if (summary === undefined) return;
    this.end();
    const count = (key: string): number => asNumber(summary[key]) ?? 0;
    const [passed, skipped] = [count("passed"), count("skipped")];
    this.#sink.summary({ passed, failed: count("failed") + count("errored"), skipped });
  }

  /** The run that is open is told. */
  end(): void {
    const name = this.#failed;
    const complaints = this.#complaints;
    this.#failed = undefined;
    this.#complaints = [];
    if (name === undefined) return;
    const { file, line, column } = complaints.find((one) => one.file !== undefined) ?? {};
    this.#sink.failure({
      kind: "test",
      name,
      message: complaints.map(({ message }) => message).join("\n\n"),
      ...(file === undefined ? {} : { file }),
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
    });
  }
}

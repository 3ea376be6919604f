import { asNumber, asObject, asText } from "../../parsing/json.ts";
import type { JsonObject } from "../../parsing/json.ts";
import type { Found, Sink } from "../../tool.ts";

const RUN = /^ {2}run "(.{1,300})"\.\.\. (pass|fail|error|skip|pending)$/;
const FILE =
  /^(\S.{0,1000}\.(?:tftest|tofutest)\.(?:hcl|json))\.\.\. (?:in progress|tearing down|pass|fail|skip)$/;
const COUNTS = /^(?:Success|Failure)! (\d{1,9}) passed, (\d{1,9}) failed(?:, (\d{1,9}) skipped)?\.$/;
/** Where a complaint says it is: `in run "adds"`. */
const IN_RUN = /^run "(.{1,300})"$/;

/**
 * Reads `terraform test`. What is complained of goes to stderr and may come before or after the run's line on stdout: the run that it names
 * tells where it belongs, else the run that failed last.
 */
export class TestRuns {
  readonly #sink: Sink;
  #file = "";
  /** Tests began, and their counts did not come yet. */
  #runs = false;
  #last: string | undefined;
  #named: string | undefined;
  readonly #failed = new Map<string, { readonly name: string; readonly complaints: Found[] }>();
  readonly #waiting = new Map<string, Found[]>();

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** Where complaints go. */
  get sink(): Sink {
    return { ...this.#sink, diagnostic: (found) => this.#complain(found) };
  }

  /** Whether the line is of the list of runs, or closes it. */
  static owns(text: string): boolean {
    return RUN.test(text) || FILE.test(text) || COUNTS.test(text);
  }

  /** Reads a line that it owns. */
  line(text: string): void {
    this.#file = FILE.exec(text)?.[1] ?? this.#file;
    this.#runs = !COUNTS.test(text);
    const [, name, outcome = ""] = RUN.exec(text) ?? [];
    this.#last = undefined;
    if (name !== undefined && /fail|error/.test(outcome)) this.#fail(name);
    const [, passed, failed, skipped = 0] = COUNTS.exec(text) ?? [];
    if (passed !== undefined)
      this.#sink.summary({ passed: Number(passed), failed: Number(failed), skipped: Number(skipped) });
  }

  /** The same as events of the machine-readable output. */
  event(event: JsonObject): void {
    const run = asObject(event["test_run"]);
    if (run !== undefined || event["type"] === "test_file") this.#last = undefined;
    const status = run?.["progress"] === "complete" ? asText(run["status"]) : undefined;
    this.#file = asText(run?.["path"]) ?? this.#file;
    if (status === "fail" || status === "error") this.#fail(asText(run?.["run"]) ?? "");
    const summary = asObject(event["test_summary"]);
    if (summary === undefined) return;
    const count = (key: string): number => asNumber(summary[key]) ?? 0;
    const [passed, skipped] = [count("passed"), count("skipped")];
    this.#sink.summary({ passed, failed: count("failed") + count("errored"), skipped });
  }

  /** The block that the next complaint stands in, as its place says. */
  stands(block: string | undefined): void {
    this.#named = IN_RUN.exec(block ?? "")?.[1];
  }

  end(): void {
    for (const [key, { name, complaints }] of this.#failed) {
      const all = [...complaints, ...(this.#waiting.get(key) ?? [])];
      this.#waiting.delete(key);
      this.#tell(name, all);
    }
    for (const found of [...this.#waiting.values()].flat()) this.#sink.diagnostic(found);
    if (this.#runs) this.#sink.summary({ failed: this.#failed.size });
    this.#runs = false;
    this.#failed.clear();
    this.#waiting.clear();
    this.#last = undefined;
  }

  #fail(name: string): void {
    this.#last = `${this.#file}\0${name}`;
    this.#failed.set(this.#last, { name, complaints: [] });
  }

  #complain(found: Found): void {
    const named = this.#named === undefined ? undefined : `${found.file ?? ""}\0${this.#named}`;
    this.#named = undefined;
    const open = this.#last === undefined ? undefined : this.#failed.get(this.#last);
    if (found.severity !== "error" || (named === undefined && open === undefined))
      this.#sink.diagnostic(found);
    else if (named === undefined || named === this.#last) open?.complaints.push(found);
    else this.#waiting.set(named, [...(this.#waiting.get(named) ?? []), found]);
  }

  #tell(name: string, complaints: readonly Found[]): void {
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

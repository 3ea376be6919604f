import { colonPlace } from "../../parsing/place.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

export const ginkgo = defineBuildTool({
  id: "ginkgo",
  title: "Ginkgo",
  url: "https://onsi.github.io/ginkgo/",
  ecosystem: "go",
  kinds: ["test"],
  signatures: ["Running Suite: "],
  priority: 9,
  parser: ginkgoParser,
});

const SUITE = /^Running Suite: /;
const FAILED =
  /^•!? ?(?:\[(?:FAILED|PANICKED|TIMEDOUT|INTERRUPTED|ABORTED)\]|(?:Failure|Panic)) ?(?:in .+ )?\[[\d.]+ seconds\]$/;
const RULE = /^-{30}$/;
const AT = /^\s*In \[.+\] at: (.+?:\d{1,7})(?: @ .*)?$/;
const RAN = /^Ran \d{1,9} of (\d{1,9}) Specs in ([\d.]{1,14}) seconds$/;
const TOTALS =
  /^(?:FAIL!|SUCCESS!).* -- (\d{1,9}) Passed \| (\d{1,9}) Failed \|(?: (\d{1,9}) Flaked \|)? (\d{1,9}) Pending \| (\d{1,9}) Skipped/;
const LISTED = /^\s*\[(?:FAIL|Fail|PANICKED!|Panic!|TIMEDOUT)\] (.+)$/;

/** Reads the results of Ginkgo's specs. The Go test function that runs them is read by the parser of go test. */
function ginkgoParser(sink: Sink): LineParser {
  let isActive = false;
  let block: string[] | undefined;
  let ran: { readonly total: number; readonly durationMs: number } | undefined;

  function close(): void {
    const lines = block;
    block = undefined;
    if (lines !== undefined) report(lines, sink);
  }

  return {
    take({ text }: Line): boolean {
      if (SUITE.test(text)) isActive = true;
      if (!isActive) return false;
      if (FAILED.test(text)) {
        close();
        block = [];
        return true;
      }
      if (RULE.test(text)) {
        close();
        return true;
      }
      const done = RAN.exec(text);
      if (done !== null) {
        close();
        ran = { total: Number(done[1]), durationMs: Math.round(Number(done[2]) * 1000) };
        return true;
      }
      const totals = TOTALS.exec(text);
      if (totals !== null) {
        const [passed = 0, failed = 0, , pending = 0, skipped = 0] = totals
          .slice(1)
          .map((part: string | undefined) => Number(part ?? 0));
        sink.summary({ passed, failed, skipped: pending + skipped, ...ran });
        isActive = false;
        return true;
      }
      if (block !== undefined) {
        if (block.length < 400) block.push(text);
        return true;
      }
      return (
        SUITE.test(text) ||
        LISTED.test(text) ||
        /^(?:={4,}|Random Seed: |Will run |Summarizing \d+ Failure|\s*)$|^Random Seed|^Will run|^Summarizing/.test(
          text,
        )
      );
    },
    end: close,
  };
}

/** Reports a failed spec. Its name and declaration precede the first blank line; the failure and its location follow. */
function report(lines: readonly string[], sink: Sink): void {
  const blank = lines.findIndex((line) => line.trim() === "");
  const head = (blank < 0 ? lines : lines.slice(0, blank)).map((line) => line.trim());
  const stack = lines.findIndex((line) => line.trim() === "Full Stack Trace");
  const below = blank < 0 ? [] : lines.slice(blank, stack < blank ? undefined : stack);
  const body = below.map((line) => line.trimEnd());
  const name = head.filter((line) => colonPlace(line) === undefined).join(" ");
  const at = body.map((line) => AT.exec(line)?.[1]).find((found) => found !== undefined);
  const last = [...head, ...body].findLast((line) => colonPlace(line.trim()) !== undefined)?.trim();
  const place = colonPlace(at ?? last ?? "");
  const content = body.filter((line) => !AT.test(line) && colonPlace(line.trim()) === undefined).join("\n");
  sink.failure({
    kind: "test",
    name,
    message: content.trim().replace(/^\[(?:FAILED|PANICKED)\] /, "") || "failed",
    ...(place === undefined ? {} : { file: place.file }),
    ...(place?.line === undefined ? {} : { line: place.line }),
    rerun: `ginkgo --focus ${JSON.stringify(name.replaceAll(/ ?\[\w+\] ?/g, " ").trim())}`,
  });
}

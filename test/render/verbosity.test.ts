import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../src/kernel/tokens.ts";
import type { Verbosity } from "../../src/model/run-report.ts";
import { makeFolder } from "../support/folder.ts";
import { makeRunService, runIn, shown } from "../support/run-service.ts";

const LEVELS: readonly Verbosity[] = ["minimal", "normal", "full"];
const FORMATS = ["text", "json", "markdown"] as const;

/** Shell scripts whose outputs differ in length, streams, order and outcome. */
const SCRIPTS: Readonly<Record<string, string>> = {
  "two lines of stderr, 120 of stdout": "seq 1 120; echo one >&2; echo two >&2; exit 1",
  "two lines of stderr, 2,000 of stdout": "seq 1 2000; echo one >&2; echo two >&2; exit 1",
  "a long first line, short last ones":
    "head -c 3000 /dev/zero | tr '\\0' 'x'; echo; seq 1 200; echo oops >&2; exit 3",
  "an error in the middle": "seq 1 300; echo fatal: the disk is full; seq 1 300; exit 2",
  "all on stderr": "seq 1 500 >&2; exit 1",
  "both streams in turn": "for i in $(seq 1 150); do echo out $i; echo err $i >&2; done; exit 1",
  "a success with much to say": "seq 1 400; seq 1 40 >&2",
  "one line": "echo the only line that there is, and it is not short either",
  "diagnostics and noise": "seq 1 90; echo 'src/a.c:3:5: error: expected expression'; seq 1 90; exit 1",
};

describe.each(Object.entries(SCRIPTS))("%s", (_, script) => {
  it("says no less at a higher verbosity, and shows no line twice", async () => {
    const folder = makeFolder({ "run.sh": `${script}\n` });
    const service = makeRunService();
    // One run, because two need not print their streams in the same order or in the same time.
    const { run } = await runIn(folder, "sh run.sh", { service });
    const reports = await Promise.all(LEVELS.map((verbosity) => service.report(run.id, verbosity)));
    for (const format of FORMATS)
      for (const budget of [300, 2_000, 9_000]) {
        const texts = reports.map((report) =>
          shown({ ...report, run: { ...report.run, id: "r1" } }, format, budget),
        );
        // Folded lines take few tokens, so there the lines count that a reply shows or folds.
        const sizes = texts.map(texts.some((text) => FOLDED.test(text)) ? countLines : estimateTokens);
        expect(sizes, `${format} at ${budget}:\n${texts.join("\n\n")}`).toEqual(
          [...sizes].sort((a, b) => a - b),
        );
        if (format !== "json") for (const text of texts) expect(repeated(text, script)).toEqual([]);
      }
  });
});

const FOLDED = /^… the same .* more times.*: lines (\d+)-(\d+)$/m;

function countLines(text: string): number {
  const marks = [...text.matchAll(new RegExp(FOLDED, "gm"))];
  const folded = marks.reduce((sum, [, from, to]) => sum + Number(to) - Number(from), 0);
  return text.split("\n").length + folded;
}

/** Lines that a reply shows twice although the command printed them once. */
function repeated(text: string, script: string): string[] {
  const lines = text.split("\n").filter((line) => line.length > 2 && !line.startsWith("```"));
  const twice = lines.filter((line, i) => lines.indexOf(line) !== i);
  // Numbers that `seq` itself printed more than once do not count.
  return twice.filter((line) => !/^\d+$/.test(line) || (script.match(/seq/g) ?? []).length === 1);
}

describe("a report in JSON", () => {
  const json = async (verbosity: Verbosity, script: string): Promise<Record<string, unknown>> => {
    const report = await runIn(makeFolder(), `sh -c '${script}'`, { verbosity });
    return JSON.parse(shown(report, "json")) as Record<string, unknown>;
  };

  it("has exactly the last 50 lines of stdout at verbosity normal, and counts the rest in another field", async () => {
    const { stdout, truncated, hint } = await json("normal", "seq 1 120; exit 1");
    expect(String(stdout).split("\n")).toEqual(Array.from({ length: 50 }, (_, i) => String(71 + i)));
    expect(truncated).toMatchObject({
      stdout: { shown: 50, total: 120, log: { startLine: 1, endLine: 70 } },
    });
    expect(hint).toContain("log");
    expect((await json("normal", "seq 1 50; exit 1"))["truncated"]).toBeUndefined();
  });

  it("has the end of stdout at verbosity minimal if nothing else explains a failure", async () => {
    const failed = await json("minimal", "seq 1 120; exit 1");
    expect(String(failed["tail"]).split("\n")).toEqual(Array.from({ length: 20 }, (_, i) => String(101 + i)));
    expect(failed["truncated"]).toMatchObject({
      tail: { shown: 20, total: 120, log: { startLine: 1, endLine: 100 } },
    });
    expect(failed).not.toHaveProperty("stdout");
    expect(await json("minimal", "seq 1 120")).not.toHaveProperty("tail");
  });
});

describe("a single line of output", () => {
  const line = "https://example.org/releases/download/v4.18.0/pith-linux-x64.tar.gz?checksum=sha256";

  it.each(FORMATS)("is the answer in %s", async (format) => {
    const report = await runIn(makeFolder(), `printf '%s\\n' '${line}'`);
    const text = shown(report, format);
    expect(text).toContain(line);
    if (format === "text") expect(text).not.toContain("1 line");
    if (format === "json") expect(JSON.parse(text)).toMatchObject({ success: true, tail: line });
  });

  it("is the answer without a line end and on stderr, too", async () => {
    expect(shown(await runIn(makeFolder(), `printf '%s' '${line}'`))).toContain(line);
    expect(shown(await runIn(makeFolder(), `sh -c 'echo ${line.replace("?", "-")} >&2'`))).toContain(
      "example.org",
    );
  });
});

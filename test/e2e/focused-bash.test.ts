import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { estimateTokens } from "../../src/kernel/tokens.ts";
import { pithMeta, textOf } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { connect } from "../support/inside.ts";

const ERRORS = 10;
const FORMATS = ["text", "markdown", "json"] as const;

/** A log as pyright writes it: a few errors between many warnings whose words are those of errors. */
const LOG = Array.from({ length: 40 }, (_, file) => [
  `/work/shop/module${file}.py`,
  ...Array.from(
    { length: 8 },
    (_unused, i) =>
      `  /work/shop/module${file}.py:${i + 3}:1 - warning: Import "lib${i}.part${file}" could not be resolved from source (reportMissingModuleSource)`,
  ),
  ...(file % 4 === 3
    ? [
        `  /work/shop/module${file}.py:90:5 - error: Argument of type "str" is not assignable to parameter "sum${file}" (reportArgumentType)`,
      ]
    : []),
  `  /work/shop/module${file}.py:95:1 - information: Type of "total" is unknown in module ${file}`,
]).flat();
LOG.push(`${ERRORS} errors, 320 warnings, 40 informations `);

interface Pruning {
  readonly applied: boolean;
  readonly kept: readonly (readonly [number, number])[];
  readonly lines_after: number;
}

interface FocusedJson {
  readonly parts: readonly { readonly start_line: number; readonly end_line: number }[];
}

function numbersOf(ranges: readonly (readonly [number, number])[]): readonly number[] {
  return ranges.flatMap(([start, end]) => Array.from({ length: end - start + 1 }, (_, i) => start + i));
}

/** The numbers of the shown lines, counted on from those that are written. */
function shownIn(text: string, format: (typeof FORMATS)[number]): readonly number[] {
  if (format === "json") {
    const { parts }: FocusedJson = JSON.parse(text);
    return numbersOf(parts.map((part) => [part.start_line, part.end_line]));
  }
  const numbers: number[] = [];
  for (const [, number = ""] of text.matchAll(/^(\d*)\| /gm))
    numbers.push(number === "" ? (numbers.at(-1) ?? 0) + 1 : Number(number));
  return numbers;
}

it("what is kept of a command's output is what is shown, the errors first, within the budget", async () => {
  const folder = makeFolder();
  writeFileSync(join(folder, "pyright.txt"), `${LOG.join("\n")}\n`);
  const client = await connect(folder);
  for (const format of FORMATS)
    for (const budget of [1_000, 3_000]) {
      const result = await client.callTool({
        name: "bash",
        arguments: {
          command: "cat pyright.txt; exit 1",
          context_focus_question: `Which ${ERRORS} errors does pyright report?`,
          response_format: format,
          max_tokens: budget,
        },
      });
      const text = textOf(result);
      const about = `${format}, ${budget}`;
      const pruning = pithMeta(result)["pruning"] as Pruning;
      const shown = shownIn(text, format);
      expect(pruning.applied, about).toBe(true);
      expect(shown, about).toEqual(numbersOf(pruning.kept));
      expect(pruning.lines_after, about).toBe(shown.length);
      expect(estimateTokens(text), about).toBeLessThanOrEqual(budget);
      expect(text.match(/ - error: /g), about).toHaveLength(ERRORS);
      if (format === "text") expect(text, about).toContain(`[focus: ${shown.length} of ${LOG.length} lines;`);
    }
});

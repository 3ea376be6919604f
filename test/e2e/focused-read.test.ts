import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { estimateTokens } from "../../src/kernel/tokens.ts";
import { call } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { connect } from "../support/inside.ts";

const SOURCE = Array.from({ length: 40 }, (_, i) => [
  `function step${i}(order, stock) {`,
  `  const found = stock.find((item) => item.name === order.name${i});`,
  `  if (found === undefined) throw new MissingItem${i}(order, "é ü 😀");`,
  "",
  "  return { ...order, found };",
  "}",
]).flat();
const QUESTION = "When is MissingItem17 thrown?";
/** Longer lines are truncated and marked. */
const LONG = 1_000;

/** One text in several encodings and with several kinds of line ends. */
const FORMS: Readonly<Record<string, Buffer>> = {
  "crlf.js": Buffer.from(SOURCE.join("\r\n")),
  "bom.js": Buffer.from(`\uFEFF${SOURCE.join("\n")}\n`),
  "broken.js": Buffer.concat(
    SOURCE.map((line) => Buffer.from([...Buffer.from(line), 0x20, 0xff, 0xc3, 0x0a])),
  ),
  "no-final.js": Buffer.from(SOURCE.join("\n")),
  "mega.js": Buffer.from(SOURCE.with(100, `const data = "${"ab".repeat(50_000)}";`).join("\n")),
};

it("a focused read shows lines with their numbers, and every other line is in a gap that can be read", async () => {
  const folder = makeFolder();
  for (const [name, bytes] of Object.entries(FORMS)) writeFileSync(join(folder, name), bytes);
  const client = await connect(folder);
  for (const [name, bytes] of Object.entries(FORMS)) {
    const text = await call(client, "read", {
      file_path: name,
      context_focus_question: QUESTION,
      max_tokens: 9000,
    });
    const lines = bytes
      .toString("utf8")
      .replace(/^\uFEFF/, "")
      .replace(/\n$/, "")
      .split(/\r?\n/);
    let next = 1;
    for (const row of text.split("\n").filter((one) => !one.startsWith("["))) {
      const gap = /^… (\d+)-(\d+)/.exec(row);
      const shown = /^(\d*)\| (.*)$/.exec(row);
      // Inside a run of lines most have no number.
      expect(Number((gap?.[1] ?? shown?.[1]) || next), `${name}: ${row}`).toBe(next);
      if (shown !== null && next % 10 === 0) expect(shown[1], row).toBe(String(next));
      if (shown !== null && shown[2] !== undefined && shown[2].length < LONG)
        expect(shown[2]).toBe(lines[next - 1]);
      next = Number(gap?.[2] ?? next) + 1;
    }
    expect(next, name).toBe(lines.length + 1);
    expect(text, name).toContain("throw new MissingItem17(");
    expect(text.length, name).toBeLessThan(bytes.length);
  }
});

const ROW = /^\d*\| /gm;

/** Functions near the end of long files. */
const NAMED = [
  { name: "handleRefineResult", file: "schemas.ts" },
  { name: "installLazyProp", file: "util.ts" },
];
const LIBRARY = join(import.meta.dirname, "../../node_modules/zod/src/v4/core");

/** Returns the text of a function from its first line to the brace that ends it. */
function functionText(file: string, name: string): string {
  const lines = readFileSync(join(LIBRARY, file), "utf8").split("\n");
  const start = lines.findIndex((line) => line.includes(`function ${name}(`));
  const end = lines.indexOf("}", start);
  expect(start, name).toBeGreaterThan(1_000);
  return lines.slice(start, end + 1).join("\n");
}

it("a function that the question names is whole in the reply, wherever it is in a file", async () => {
  const folder = makeFolder();
  for (const { file } of NAMED) copyFileSync(join(LIBRARY, file), join(folder, file));
  const client = await connect(folder);
  for (const { name, file } of NAMED) {
    const question = { context_focus_question: `What does ${name} do?` };
    const text = await call(client, "read", { file_path: file, ...question, max_tokens: 1_000 });
    expect(text.replaceAll(ROW, "")).toContain(functionText(file, name));
    expect(estimateTokens(text)).toBeLessThanOrEqual(1_000);
    const count = [...text.matchAll(ROW)].length;
    expect(text).toContain(`[focus: ${count} of `);
    expect(count).toBeLessThanOrEqual(60);
  }
});

it("several files share the budget, and each shows what the question names in it", async () => {
  const folder = makeFolder({ "short.ts": "export const short = 1;\n" });
  for (const { file } of NAMED) copyFileSync(join(LIBRARY, file), join(folder, file));
  const client = await connect(folder);
  const names = NAMED.map(({ name }) => name);
  const text = await call(client, "read", {
    file_path: ["short.ts", ...NAMED.map(({ file }) => file), "absent.ts"],
    context_focus_question: `What do ${names.join(" and ")} do?`,
    max_tokens: 2_000,
  });
  for (const { name, file } of NAMED) expect(text.replaceAll(ROW, "")).toContain(functionText(file, name));
  expect(text).toContain("1| export const short = 1;");
  expect(text).toContain("absent.ts");
  expect(estimateTokens(text)).toBeLessThanOrEqual(2_000);
  // Each part says how many of its lines are shown, and none was cut afterwards.
  const counts = [...text.matchAll(/^\[focus: (\d+) of /gm)].map(([, count]) => Number(count));
  expect(counts).toHaveLength(2);
  expect(counts.reduce((sum, count) => sum + count, 1)).toBe([...text.matchAll(ROW)].length);
  expect(text).not.toMatch(/^\[lines /m);
});

/** More than the pruner was once limited to. */
const LARGE_BYTES = 700_000;

it("a function at the end of a large file is found, and the error in a large output", async () => {
  const other = (i: number): string => `function other${i}(order) {\n  return order.sum${i};\n}\n`;
  const count = Math.ceil(LARGE_BYTES / other(10_000).length);
  const text = Array.from({ length: count }, (_, i) => other(i)).join("");
  const folder = makeFolder({
    "large.js": `${text}function settleLedger(ledger) {\n  return ledger.total;\n}\n`,
    "large.txt": `${text}src/cart.ts:41:7: error: Property 'total' does not exist on type 'Cart'.\n${text}`,
  });
  const client = await connect(folder);
  const read = await call(client, "read", {
    file_path: "large.js",
    context_focus_question: "What does settleLedger return?",
    max_tokens: 500,
  });
  expect(read).toContain("| function settleLedger(ledger) {\n|   return ledger.total;\n| }\n[focus: ");
  const run = await call(client, "bash", {
    command: "cat large.txt; exit 1",
    context_focus_question: "Why does the build fail?",
    max_tokens: 500,
  });
  expect(run).toContain("| src/cart.ts:41:7: error: Property 'total' does not exist");
});

it("a match of grep is judged by the lines around it", async () => {
  const folder = makeFolder(
    Object.fromEntries(
      Array.from({ length: 150 }, (_, i) => [
        `part${i}.js`,
        [
          `export function ${i === 37 ? "refundDeposit" : `render${i}`}(value) {`,
          i === 37 ? "  const refund = value.deposit;" : "  const box = value.frame;",
          "  log(value);",
          "}",
          "",
        ].join("\n"),
      ]),
    ),
  );
  const client = await connect(folder);
  const text = await call(client, "grep", {
    pattern: "log\\(value\\)",
    context_focus_question: "Where is the refund of a deposit logged?",
    max_tokens: 300,
  });
  expect(text).toContain("part37.js:3:");
  expect(text).toMatch(/^\[\d+ of 150 matches kept/m);
});

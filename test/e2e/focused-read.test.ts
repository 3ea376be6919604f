import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, connect } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";

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
      const shown = /^(\d+)\| (.*)$/.exec(row);
      expect(Number(gap?.[1] ?? shown?.[1]), `${name}: ${row}`).toBe(next);
      if (shown !== null && shown[2] !== undefined && shown[2].length < LONG)
        expect(shown[2]).toBe(lines[next - 1]);
      next = Number(gap?.[2] ?? next) + 1;
    }
    expect(next, name).toBe(lines.length + 1);
    expect(text, name).toContain("throw new MissingItem17(");
    expect(text.length, name).toBeLessThan(bytes.length);
  }
});

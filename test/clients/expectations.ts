import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect } from "vitest";
import type { ScriptedModel } from "./scripted-model.ts";

/** The strictest client truncates a result at this size. */
const MAX_TOKENS = 9_000;

/** Checks what the model was shown: our whole text, exactly once, and readable if it is an error. */
export function expectOurText({ seen }: ScriptedModel): void {
  const [search = "", outline = "", read = "", tests = "", log = "", error = ""] = seen.map(withoutFrame);
  expect(seen).toHaveLength(6);
  expect(search.split("\n")[0]).toMatch(/^src\/convert\.js:\d+-\d+ export function addSalesTax\(net, rate\)/);
  expect(outline).toContain("export function addSalesTax(net, rate)");
  expect(outline).toContain("export function convert39(value)");
  expect(read).toMatch(/^\d*\| export function addSalesTax\(net, rate\) \{/m);
  expect(read).toMatch(/^… \d+-\d+/m);
  expect(tests).toMatch(/^FAIL.*1\/1 failed/);
  expect(tests).toContain("adds tax");
  expect(tests).toMatch(/-120\n\s*\+20$/m);
  expect(log).toContain("> node --test");
  // Gemini CLI puts the whole result of a failed call, as JSON, into its own sentence about the failure.
  expect(error).toMatch(/\{\\?"error\\?":\{\\?"code\\?":\\?"file_not_found\b.*\bsuggestion\b/);
  for (const text of seen) expect(encode(text).length).toBeLessThanOrEqual(MAX_TOKENS);
}

/** Removes the line about the elapsed time that Codex puts before each result, and the tags that Gemini CLI puts around it. */
function withoutFrame(text: string): string {
  return text
    .replace(/^Wall time: [\d.]+ seconds\nOutput:\n/, "")
    .replace(/^<untrusted_context>\n([^]*)\n<\/untrusted_context>$/, "$1");
}

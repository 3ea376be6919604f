import { expect, it } from "vitest";
import { savingsBy, savingsOf } from "../../src/model/savings.ts";
import { TOOL_LIST } from "../../src/model/usage.ts";
import type { UsageEntry } from "../../src/model/usage.ts";

function entry(tool: string, tokens: number, more: Partial<UsageEntry> = {}): UsageEntry {
  return { time: "2026-02-01T10:00:00.000Z", tool, tokens, failed: false, duration_ms: 1, ...more };
}

it("takes retrievals and tool lists off what was saved", () => {
  const total = savingsOf("total", [
    entry(TOOL_LIST, 1_500),
    entry("build", 100, { raw_tokens: 4_000 }),
    entry("build", 300, { retrieval: true }),
    entry("search_code", 200),
  ]);
  expect(total).toEqual({
    name: "total",
    calls: 3,
    failed: 0,
    returned: 2_100,
    compared: { returned: 100, raw: 4_000 },
    retrieved: 300,
    toolLists: 1_500,
    net: 4_000 - 100 - 300 - 1_500,
  });
});

it("claims no more than the client would have shown", () => {
  const raw = { raw_tokens: 1_000_000 };
  const shown = (tool: string, client?: string) =>
    savingsOf("", [entry(tool, 0, { ...raw, ...(client === undefined ? {} : { client }) })]).compared.raw;
  expect(shown("bash", "claude-code")).toBe(7_500);
  expect(shown("read", "claude-code")).toBe(25_000);
  expect(shown("bash", "codex-mcp-client")).toBe(10_000);
  expect(shown("bash", "opencode")).toBe(12_500);
  expect(shown("bash", "gemini-cli-mcp-client")).toBe(10_000);
  expect(shown("bash")).toBe(7_500);
  expect(savingsOf("", [entry("bash", 5, { raw_tokens: 9 })]).compared.raw).toBe(9);
});

it("a retrieval saves nothing, whatever its raw size", () => {
  const [read] = savingsBy([entry("read", 80, { raw_tokens: 9_000, retrieval: true })], ({ tool }) => tool);
  expect(read).toMatchObject({ name: "read", compared: { raw: 0 }, retrieved: 80, net: -80 });
});

it("says when Pith cost more than it saved", () => {
  expect(savingsOf("day", [entry(TOOL_LIST, 1_500), entry("bash", 10, { raw_tokens: 10 })]).net).toBe(-1_500);
});

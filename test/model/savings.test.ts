import { expect, it } from "vitest";
import { countTurns, savingsBy, savingsOf } from "../../src/model/savings.ts";
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
    saved: 3_900,
    lost: { calls: 0, tokens: 0 },
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

it("shows replies that were larger than the raw output as losses, not only in the sum", () => {
  const total = savingsOf("", [
    entry("bash", 40, { raw_tokens: 10 }),
    entry("bash", 100, { raw_tokens: 400 }),
    entry("grep", 25, { raw_tokens: 20 }),
  ]);
  expect(total).toMatchObject({ saved: 300, lost: { calls: 2, tokens: 35 }, net: 265 });
});

it("counts each token once per turn that it stays in the context", () => {
  const inSession = (tool: string, tokens: number, session: string, raw?: number): UsageEntry =>
    entry(tool, tokens, { session, ...(raw === undefined ? {} : { raw_tokens: raw }) });
  const entries = [
    inSession(TOOL_LIST, 1_000, "a"),
    inSession("bash", 10, "a", 110),
    // Another conversation at the same time adds no turns to the first one.
    inSession("bash", 5, "b", 5),
    inSession("search_code", 20, "a"),
    inSession("bash", 30, "a", 25),
    entry("bash", 1, { raw_tokens: 1_000 }),
  ];
  const turns = countTurns(entries);
  expect(entries.map((one) => turns.get(one))).toEqual([4, 3, 1, 2, 1, undefined]);
  expect(savingsOf("", entries, turns).resident).toEqual({
    calls: 4,
    returned: 1_000 * 4 + 10 * 3 + 5 * 1 + 20 * 2 + 30 * 1,
    net: 100 * 3 - 5 * 1 - 1_000 * 4,
  });
  expect(savingsOf("", [entry("bash", 1)], turns)).not.toHaveProperty("resident");
});

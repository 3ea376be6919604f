import { describe, expect, it } from "vitest";
import { decodeUses, encodeUses } from "../../../src/index/store/stored-uses.ts";
import { outlineOf } from "../../../src/languages/outline.ts";
import type { UseFacts } from "../../../src/model/use.ts";
import { usesOf } from "../../../src/languages/uses/extract.ts";

const NO_FACTS: UseFacts = { uses: [], links: [], marks: new Map(), isModule: false };

describe("the stored form of uses", () => {
  it("keeps every use and every import", async () => {
    const text = `import a, { b as c } from "./m";\nexport * from "./n";\n${"\n".repeat(300)}class D extends a { static x = this.y(c.d, "e.f"); }\nfunction g() {\n  return h;\n  function h() {}\n}\n`;
    const facts = usesOf(text, await outlineOf(text, "typescript"));
    expect(facts.uses.length).toBeGreaterThan(5);
    expect([...facts.marks.values()].sort()).toEqual(["own", "own", "static"]);
    expect(facts.uses.some(({ symbol }) => symbol !== undefined)).toBe(true);
    expect(decodeUses(encodeUses(facts))).toEqual(facts);
  });

  it("keeps uses whose lines are not in order", () => {
    const use = (line: number) => ({ name: "a", line, role: "call", receiver: "none" }) as const;
    const facts = { ...NO_FACTS, uses: [use(9), use(3), use(70_000), use(1)] };
    expect(decodeUses(encodeUses(facts))).toEqual(facts);
  });

  it("keeps where types show", async () => {
    const text = `type Own = { a: 1 };\nclass A { b: B; m(): this { return this; } }\nasync function f(b: B<A>) {\n  b.c();\n  new A().b.d();\n  "text".trim();\n  (await g()).e();\n}\nfunction g(): Promise<A> {}\n`;
    const facts = usesOf(text, await outlineOf(text, "typescript"));
    const { receivers, definitions } = facts.types ?? {};
    expect([...(receivers?.values() ?? [])].map(({ origin }) => origin)).toEqual([
      "applied",
      "created",
      "language",
      "awaited",
    ]);
    expect([...(definitions?.values() ?? [])].map(({ origin }) => origin)).toEqual([
      "own",
      "language",
      "type",
      "own",
      "promise",
    ]);
    expect(decodeUses(encodeUses(facts))).toEqual(facts);
    const members = [{ owner: 1, name: "late", origin: "value", use: 3 }] as const;
    const types = { receivers: new Map(), definitions: new Map(), members };
    expect(decodeUses(encodeUses({ ...facts, types })).types).toEqual(types);
  });

  it("keeps that a text is a module", async () => {
    const text = "export function a() {}\n";
    const facts = usesOf(text, await outlineOf(text, "typescript"));
    expect(facts).toEqual({ ...NO_FACTS, isModule: true });
    expect(decodeUses(encodeUses(facts))).toEqual(facts);
  });

  it("is empty for a text without uses", () => {
    expect(encodeUses(NO_FACTS)).toHaveLength(0);
    expect(decodeUses(new Uint8Array())).toEqual(NO_FACTS);
  });
});

import { describe, expect, it } from "vitest";
import { decodeUses, encodeUses } from "../../../src/index/store/stored-uses.ts";
import { outlineOf } from "../../../src/languages/outline.ts";
import { usesOf } from "../../../src/languages/uses/extract.ts";

describe("the stored form of uses", () => {
  it("keeps every use and every import", async () => {
    const text = `import a, { b as c } from "./m";\nexport * from "./n";\n${"\n".repeat(300)}class D extends a { x = this.y(c.d, "e.f"); }\n`;
    const facts = usesOf(text, await outlineOf(text, "typescript"));
    expect(facts.uses.length).toBeGreaterThan(5);
    expect(decodeUses(encodeUses(facts))).toEqual(facts);
  });

  it("keeps uses whose lines are not in order", () => {
    const use = (line: number) => ({ name: "a", line, role: "call", receiver: "none" }) as const;
    const facts = { uses: [use(9), use(3), use(70_000), use(1)], links: [] };
    expect(decodeUses(encodeUses(facts))).toEqual(facts);
  });

  it("is empty for a text without uses", () => {
    expect(encodeUses({ uses: [], links: [] })).toHaveLength(0);
    expect(decodeUses(new Uint8Array())).toEqual({ uses: [], links: [] });
  });
});

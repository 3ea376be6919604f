import { describe, expect, it } from "vitest";
import { bodyEnds, definitionsOf } from "../../src/prune/builtin/definitions.ts";
import { createPruner } from "../../src/prune/create.ts";
import type { ReplyRoom } from "../../src/model/pruning.ts";

const pruner = createPruner({ provider: "builtin", maxInputBytes: 1e9 });

/** A reply in which every line costs 12 tokens and every gap 8. */
function roomOf(tokens: number, lines: readonly string[]): ReplyRoom {
  return {
    tokens,
    wholeCost: 12 * lines.length,
    lineCosts: new Float64Array(lines.length).fill(12),
    gapCost: () => 8,
  };
}

async function kept(
  lines: readonly string[],
  question: string,
  { tokens = 1_000, keep }: { readonly tokens?: number; readonly keep?: number } = {},
): Promise<readonly string[]> {
  const one = keep === undefined ? pruner : createPruner({ provider: "builtin", keep, maxInputBytes: 1e9 });
  const { kept: ranges = [] } = await one.prune({
    lines,
    question,
    kind: "source",
    room: roomOf(tokens, lines),
  });
  return ranges.flatMap(([start, end]) => lines.slice(start - 1, end));
}

/** Functions about the same words as the question, so that only the name tells the right one. */
function others(write: (name: string, i: number) => readonly string[]): readonly string[] {
  return Array.from({ length: 120 }, (_, i) => write(`settleOther${i}`, i)).flat();
}

/** The named definition, and what others like it look like in the same language. */
const LANGUAGES: Readonly<
  Record<
    string,
    { readonly wanted: readonly string[]; readonly other: (name: string, i: number) => readonly string[] }
  >
> = {
  JavaScript: {
    wanted: ["async function settleOrder(order) {", "  const due = order.sum;", "  await pay(due);", "}"],
    other: (name) => [`function ${name}(order) {`, "  const due = order.sum;", "  return due;", "}"],
  },
  "a private method": {
    wanted: ["  #settleOrder(order) {", "    const due = order.sum;", "    return due;", "  }"],
    other: (name) => [`  ${name}(order) {`, "    const due = order.sum;", "    return due;", "  }"],
  },
  "Go with a receiver": {
    wanted: [
      "func (b *Book) settleOrder(order Order) error {",
      "\tdue := order.Sum",
      "\treturn b.pay(due)",
      "}",
    ],
    other: (name) => [
      `func (b *Book) ${name}(order Order) error {`,
      "\tdue := order.Sum",
      "\treturn nil",
      "}",
    ],
  },
  "Python with parameters on several lines": {
    wanted: [
      "    def settleOrder(",
      "        self,",
      "        order: Order,",
      "    ) -> int:",
      "        due = order.sum",
      "        return due",
    ],
    other: (name) => [`    def ${name}(self, order):`, "        due = order.sum", "        return due", ""],
  },
  "C# with the brace below": {
    wanted: [
      "    public int settleOrder(Order order)",
      "    {",
      "        var due = order.Sum;",
      "        return due;",
      "    }",
    ],
    other: (name) => [
      `    public int ${name}(Order order)`,
      "    {",
      "        return order.Sum;",
      "    }",
      "",
    ],
  },
  "C with parameters on two lines": {
    wanted: [
      "static int settleOrder(struct order *order,",
      "                       int due)",
      "{",
      "    due += order->sum;",
      "    return due;",
      "}",
    ],
    other: (name) => [`static int ${name}(struct order *order)`, "{", "    return order->sum;", "}"],
  },
  "C that returns a pointer": {
    wanted: ["struct order *settleOrder(struct order *order)", "{", "    return order;", "}"],
    other: (name) => [`struct order *${name}(struct order *order)`, "{", "    return 0;", "}"],
  },
  "Rust with constraints": {
    wanted: [
      "    pub fn settleOrder<T>(order: T) -> u32",
      "    where",
      "        T: Into<Order>,",
      "    {",
      "        order.into().sum",
      "    }",
    ],
    other: (name) => [`    pub fn ${name}(order: Order) -> u32 {`, "        order.sum", "    }", ""],
  },
  Ruby: {
    wanted: ["  def self.settleOrder(order)", "    due = order.sum", "    due + 1", "  end"],
    other: (name) => [`  def ${name}(order)`, "    order.sum", "  end", ""],
  },
  "an assigned function": {
    wanted: ["exports.settleOrder = async (order) => {", "  const due = order.sum;", "  return due;", "};"],
    other: (name) => [`exports.${name} = (order) => {`, "  return order.sum;", "};", ""],
  },
};

describe("a definition that the question names", () => {
  it.each(Object.entries(LANGUAGES))("is whole with its signature: %s", async (_, { wanted, other }) => {
    const lines = [...others(other), ...wanted, ...others(other).slice(0, 40)];
    for (const question of ["What does settleOrder do with the sum due of an order?", "`settleOrder`"])
      for (const tokens of [200, 1_000, 3_000]) {
        const shown = await kept(lines, question, { tokens });
        expect(shown.join("\n")).toContain(wanted.join("\n"));
        expect(shown.length).toBeLessThanOrEqual(60);
      }
  });

  it("brings what it calls in the same text", async () => {
    const other = (name: string): readonly string[] => [`function ${name}(order) {`, "  return order;", "}"];
    const helper = ["function roundUp(amount) {", "  return Math.ceil(amount);", "}"];
    const lines = [
      ...others(other),
      ...helper,
      ...others(other),
      "function settleOrder(order) {",
      "  return roundUp(order.sum);",
      "}",
    ];
    expect((await kept(lines, "How does settleOrder work?")).join("\n")).toContain(helper.join("\n"));
  });

  it("is the one of the class that the question names with it", async () => {
    const type = (name: string): readonly string[] => [
      `class ${name} {`,
      ...Array.from({ length: 60 }, (_, i) => `  field${i} = ${i};`),
      "  settle(order) {",
      `    return this.field1 + order.${name.toLowerCase()};`,
      "  }",
      "}",
    ];
    const lines = ["Cash", "Card", "Cheque"].flatMap(type);
    const shown = await kept(lines, "What does Card.settle return?", { tokens: 150 });
    expect(shown).toEqual(expect.arrayContaining(["class Card {", "    return this.field1 + order.card;"]));
    expect(shown).not.toContain("    return this.field1 + order.cheque;");
  });

  it("that is too long for the reply is shown in part, with its signature and the lines that match", async () => {
    const body = Array.from({ length: 300 }, (_, i) => `  step${i}(order);`);
    const lines = [
      ...others((name) => [`function ${name}() {`, "  retry();", "}"]),
      "function settleOrder(order) {",
      ...body.with(200, "  if (order.frozen) throw new Frozen();"),
      "}",
    ];
    const shown = await kept(lines, "When does settleOrder throw Frozen?", { tokens: 400 });
    expect(shown).toContain("function settleOrder(order) {");
    expect(shown).toContain("  if (order.frozen) throw new Frozen();");
    expect(shown.length).toBeLessThanOrEqual(33);
  });

  it("is the class, not its constructor, and as much of a long class as fits", async () => {
    const method = (i: number): readonly string[] => [
      `  method${i}() {`,
      `    this.callbacks.get(${i});`,
      "  }",
    ];
    const lines = [
      "class OrderBook {",
      "  OrderBook() {",
      "    this.restore();",
      "  }",
      ...Array.from({ length: 60 }, (_, i) => method(i)).flat(),
      "  finish() {",
      "    leaked.remove(this.callback);",
      "  }",
      "  restore() {",
      ...Array.from({ length: 50 }, (_, i) => `    this.step${i}();`),
      "  }",
      "}",
    ];
    const tight = await kept(lines, "Why is a callback leaked by OrderBook?", { tokens: 150 });
    expect(tight).toEqual(expect.arrayContaining(["class OrderBook {", "    leaked.remove(this.callback);"]));
    const wide = await kept(lines, "Why is a callback leaked by OrderBook?", { tokens: 2_000 });
    expect(wide.length).toBeGreaterThan(100);
  });

  it("is found by a name that is a common word", async () => {
    const lines = [
      ...others((name) => [`function ${name}(order) {`, "  return order;", "}"]),
      "function get(key) {",
      "  return store[key];",
      "}",
    ];
    expect(await kept(lines, "What does `get` do?")).toContain("  return store[key];");
  });

  it("is not a call of that name", async () => {
    const calls = Array.from({ length: 30 }, (_, i) => ["settleOrder({", `  sum: ${i},`, "});"]).flat();
    const lines = [...calls, "function settleOrder(order) {", "  return order.sum;", "}", ...calls];
    const shown = await kept(lines, "How does settleOrder work?", { tokens: 120 });
    expect(shown.join("\n")).toContain("function settleOrder(order) {\n  return order.sum;\n}");
  });
});

describe("how much is kept", () => {
  const lines = others((name, i) => [
    `function ${name}(order) {`,
    `  const due = order.sum + ${i};`,
    "  return due;",
    "}",
  ]);

  it("is at least 1,500 tokens of a small text, and a share if the user set it", async () => {
    const small = lines.slice(0, 240);
    const question = "Where is the sum due of an order?";
    expect((await kept(small, question, { tokens: 9_000 })).length).toBeGreaterThan(110);
    const share = await kept(small, question, { tokens: 9_000, keep: 0.1 });
    expect(share.length).toBeLessThanOrEqual(24);
    expect(share.length).toBeGreaterThan(0);
  });

  it("is one line if there is no room for more", async () => {
    expect(await kept(lines, "Where is the sum due of an order?", { tokens: 5 })).toHaveLength(1);
  });
});

it("definitions begin at their declaration, not at a brace below it", () => {
  const lines = [
    "class Book",
    "{",
    "    int Settle(",
    "        int a",
    "    )",
    "    {",
    "        return a;",
    "    }",
    "}",
  ];
  expect([...bodyEnds(lines)].slice(0, 3)).toEqual([9, 0, 8]);
  expect(definitionsOf(lines)).toEqual([{ start: 0, end: 9, inner: [{ start: 2, end: 8, inner: [] }] }]);
});

describe("definitions go on", () => {
  it.each<[string, readonly string[]]>([
    ["below a condition of the preprocessor", ["#ifdef DEBUG", "  log(a);", "#endif"]],
    ["below a label", ["  goto out;", "out:", "  free(a);"]],
    ["below a comment at the margin", ["  a++;", "// a--;", "  free(a);"]],
  ])("%s", (_, body) => {
    const lines = ["int settle(int a)", "{", ...body, "  return a;", "}"];
    expect(definitionsOf(lines)).toEqual([{ start: 0, end: lines.length, inner: [] }]);
  });

  it("below an access label of a class", () => {
    const lines = ["class Book {", "public:", "  int a;", "private:", "  int b;", "};"];
    expect(definitionsOf(lines)).toEqual([{ start: 0, end: 6, inner: [] }]);
  });

  it("but end before a comment and an else of Python", () => {
    const lines = ["def settle():", "    a()", "# next", "try:", "    b()", "else:", "    c()"];
    expect(bodyEnds(lines)[0]).toBe(2);
  });
});

describe("a definition begins", () => {
  it("on the line of its annotation", () => {
    const lines = ["  @Override public int size() {", "    return 1;", "  }"];
    expect(definitionsOf(lines)).toEqual([{ start: 0, end: 3, inner: [] }]);
    expect(definitionsOf(["@route({", '  path: "/",', "})"])).toEqual([]);
  });

  it("at any depth, if it has the form of a function", () => {
    const names = ["module A", "module B", "class C", "class D", "private", "def settle(a)"];
    const lines = [
      ...names.map((line, depth) => `${"  ".repeat(depth)}${line}`),
      "            a.each do |one|",
      "              one.pay",
      "            end",
      "          end",
    ];
    const starts = (all: ReturnType<typeof definitionsOf>): readonly number[] =>
      all.flatMap(({ start, inner }) => [start, ...starts(inner)]);
    expect(starts(definitionsOf(lines))).toEqual([0, 1, 2, 3, 5]);
  });
});

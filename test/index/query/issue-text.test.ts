import { describe, expect, it } from "vitest";
import { splitIssueText } from "../../../src/index/query/issue-text.ts";
import { parseQuery } from "../../../src/index/query/query.ts";

const REPORT = `Cursor is closed twice when a batch fails

<!-- Thanks for the report!
Please fill in the form. -->
### What is the expected behavior?
- [ ] I searched for duplicates
- OS: Ubuntu 22.04
- Python version: 3.12

Calling \`close_all\` after a failed \`BatchWriter\` raises, see https://example.org/docs/storage/cursor-pool#closing

\`\`\`python
from shop import OrderTable
OrderTable().save()
\`\`\`

    Traceback (most recent call last):
      File "/srv/app/lib/storage/cursor_pool.py", line 12, in close_all
        self.release(cursor)
`;

function zonesOf(text: string): Record<string, string[]> {
  const zones: Record<string, string[]> = {};
  for (const { zone, text: stretch } of splitIssueText(text)) (zones[zone] ??= []).push(stretch.trim());
  return zones;
}

describe("an issue text", () => {
  it("is split into title, prose, code, blocks, stack frames and form fields", () => {
    expect(zonesOf(REPORT)).toEqual({
      title: ["Cursor is closed twice when a batch fails"],
      form: [
        "### What is the expected behavior?",
        "- [ ] I searched for duplicates",
        "- OS: Ubuntu 22.04",
        "- Python version: 3.12",
      ],
      prose: ["Calling", "after a failed", "raises, see cursor-pool"],
      code: ["close_all", "BatchWriter"],
      block: [
        "from shop import OrderTable",
        "OrderTable().save()",
        "Traceback (most recent call last):",
        "self.release(cursor)",
      ],
      frame: ['File "/srv/app/lib/storage/cursor_pool.py", line 12, in close_all'],
    });
  });

  it.each([
    ['  File "a/b.py", line 3, in run', "python"],
    ["    at Object.run (/app/lib/run.js:10:5)", "node"],
    ["    at async file:///app/run.mjs:3:1", "node modules"],
    ["\tat com.shop.Order.save(Order.java:42)", "java"],
    ["\tat com.shop.Order.save(Native Method)", "java, native"],
    ["   at Shop.Order.Save(Int32 id) in C:\\src\\Order.cs:line 42", "c#"],
    ["#0 /app/src/Order.php(42): Shop\\Order->save()", "php"],
    ["#3  0x00007f in save_order (id=1) at order.c:42", "gdb"],
    ["  12: shop::order::save", "rust"],
    ["             at ./src/order.rs:42:9", "rust, place"],
    ["\tfrom lib/shop/order.rb:42:in `save'", "ruby"],
    ["\t/go/src/shop/order.go:42 +0x1b", "go"],
  ])("recognizes %j as a stack frame (%s)", (line) => {
    expect(zonesOf(`It fails\n${line}`)["frame"]).toEqual([line.trim()]);
  });

  it.each([
    [
      "python, inner frames last",
      ['  File "/srv/app/run.py", line 1, in main', '  File "/srv/app/db/pool.py", line 2, in take'],
      ["srv/app/db/pool.py", "srv/app/run.py"],
    ],
    [
      "node",
      ["    at take (/app/lib/pool.js:2:5)", "    at main (file:///app/run.mjs:1:1)"],
      ["app/lib/pool.js", "app/run.mjs"],
    ],
    [
      "java",
      ["\tat com.shop.Pool.take(Pool.java:2)", "\tat com.shop.Run.main(Run.java:1)"],
      ["Pool.java", "Run.java"],
    ],
    ["php", ["#0 /app/src/Pool.php(2): Shop\\Pool->take('a.b')", "#1 {main}"], ["app/src/Pool.php"]],
    ["c#", ["   at Shop.Pool.Take() in C:\\src\\Pool.cs:line 2"], ["src/Pool.cs"]],
    ["rust", ["  12: shop::pool::take", "             at ./src/pool.rs:2:9"], ["src/pool.rs"]],
  ])("lists the files of its stack trace, innermost first: %s", (_, lines, files) => {
    const words =
      "and this report says so in more than twenty four words of which most are here for their number ";
    expect(parseQuery(`It fails\n${words}${words}\n${lines.join("\n")}`).frames).toEqual(files);
  });

  it("gives title words the highest weight, code blocks the lowest, and ignores form fields", () => {
    const { groups, names, route } = parseQuery(REPORT);
    expect(route).toBe("long");
    const emphasis = new Map(groups.flatMap(({ exact, emphasis }) => exact.map((word) => [word, emphasis])));
    expect(emphasis.get("twice")).toBeGreaterThan(emphasis.get("raises") ?? Number.POSITIVE_INFINITY);
    expect(emphasis.get("raises")).toBeGreaterThan(emphasis.get("table") ?? Number.POSITIVE_INFINITY);
    for (const word of ["duplicates", "ubuntu", "expected", "thanks", "https", "docs"])
      expect(emphasis.has(word), word).toBe(false);
    expect([...names.keys()]).toEqual(["closeall", "batchwriter", "ordertable"]);
  });

  it("does not request tests and documentation by mentioning them", () => {
    const text = `${REPORT}\nThe documentation has an example, and an old test does the same with a fixture.`;
    expect(parseQuery(text).roles).toEqual({ test: false, example: false, legacy: false, prose: false });
  });

  it.each([
    [
      "a megabyte of words",
      Array.from({ length: 150_000 }, (_, i) => `word${String.fromCharCode(97 + (i % 26))}`).join(" "),
    ],
    ["one word of 100,000 letters", `It fails\n${"x".repeat(100_000)}`],
    ["10,000 frames", `It fails\n${'  File "/srv/a/b.py", line 1, in f\n'.repeat(10_000)}`],
    ["fences and comments that never end", `It fails\n${"```\n<!-- ".repeat(20_000)}`],
    ["nothing but a heading mark", `#${" #".repeat(20_000)} version`],
  ])("yields a bounded query: %s", (_, text) => {
    const { groups, names, paths } = parseQuery(text);
    expect(groups.length).toBeLessThanOrEqual(60);
    expect(names.size).toBeLessThanOrEqual(2_000);
    expect(paths.length).toBeLessThanOrEqual(20);
  });
});

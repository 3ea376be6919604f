import { expect, it } from "vitest";
import { parseText } from "../../../src/diagnostics/engine/engine.ts";

/** Returns what the fallback matcher finds in a text without any registered tool. */
function found(text: string): unknown[] {
  return parseText(text, { tools: [] }).diagnostics.map(({ tool: _tool, ...rest }) => rest);
}

const LINES: [string, object][] = [
  [
    'src/cart.cpp:0:  No copyright message found.  You should have a line: "Copyright"  [legal/copyright] [5]',
    {
      severity: "error",
      file: "src/cart.cpp",
      code: "legal/copyright",
      message: 'No copyright message found.  You should have a line: "Copyright"',
    },
  ],
  [
    "backbone.js: line 142, col 21, You might be leaking a variable (_listening) here. (W120)",
    {
      severity: "error",
      file: "backbone.js",
      line: 142,
      column: 21,
      code: "W120",
      message: "You might be leaking a variable (_listening) here.",
    },
  ],
  [
    "shop/cart.py:12:80: [E501] line too long (97 > 79 characters)",
    {
      severity: "error",
      file: "shop/cart.py",
      line: 12,
      column: 80,
      code: "E501",
      message: "line too long (97 > 79 characters)",
    },
  ],
  [
    "possible bashism in dnsapi/run.sh line 262 ([^] should be [!]):",
    {
      severity: "warning",
      file: "dnsapi/run.sh",
      line: 262,
      message: "possible bashism: [^] should be [!]",
    },
  ],
  [
    'error: dnsapi/run.sh: Unterminated quoted string found, EOF reached. Wanted: <">, opened in line 211',
    {
      severity: "error",
      file: "dnsapi/run.sh",
      line: 211,
      message: 'Unterminated quoted string found, EOF reached. Wanted: <">',
    },
  ],
  [
    'line 392 column 9 - Warning: <li> dropping value "a" for repeated attribute "data-name"',
    {
      severity: "warning",
      line: 392,
      column: 9,
      message: '<li> dropping value "a" for repeated attribute "data-name"',
    },
  ],
];

it.each(LINES)("reads a linter's line: %s", (line, wanted) => {
  expect(found(line)).toEqual([wanted]);
});

it("reads the tables of remark and alex with ranges, deep margins, and causes between the rows", () => {
  const table = [
    "CONTRIBUTING.md",
    "35:2              warning Unexpected `1` space before list item, expected `0` spaces  list-item-bullet-indent remark-lint",
    "36:5              warning Unexpected unaligned list item child, remove `1` space      list-item-content-indent remark-lint",
    "  [cause]:",
    "    35:4          info    Alignment of first child first defined here                 list-item-content-indent remark-lint",
    "203:1-207:4       warning Unexpected fenced code block, expected indented code blocks code-block-style         remark-lint",
    "",
    "UPGRADING.md",
    "    1108:201-1108:210  warning  `primitive` may be insensitive, use `simple` instead     savage       retext-equality",
    "",
    "⚠ 4 warnings",
  ].join("\n");
  expect(found(table)).toMatchObject([
    { file: "CONTRIBUTING.md", line: 35, column: 2, code: "list-item-bullet-indent", severity: "warning" },
    { file: "CONTRIBUTING.md", line: 36, code: "list-item-content-indent" },
    { file: "CONTRIBUTING.md", line: 35, column: 4, severity: "info" },
    {
      file: "CONTRIBUTING.md",
      line: 203,
      endLine: 207,
      code: "code-block-style",
      message: "Unexpected fenced code block, expected indented code blocks",
    },
    { file: "UPGRADING.md", line: 1108, column: 201, endColumn: 210, code: "savage" },
  ]);
});

it("reads Sass, which prints the location and the importing file below the code", () => {
  const text = [
    "Error: Undefined variable.",
    "  ╷",
    "2 │   color: $nope;",
    "  │          ^^^^^",
    "  ╵",
    "  a.scss 2:10  root stylesheet",
    "DEPRECATION WARNING [if-function]: The Sass if() syntax is deprecated.",
    "",
    'Suggestion: if(sass($enable): ".close"; else: ":is(a)")',
    "",
    "More info: https://sass-lang.com/d/if-function",
    "",
    "   ╷",
    "36 │         $close-selector: if(",
    "   │ ┌────────────────────────^",
    "37 │ │       );",
    "   │ └───────^",
    "   ╵",
    "    scss/components/_modal.scss 36:24   @use",
    "    scss/pico.fluid.classless.scss 2:1  root stylesheet",
    "",
  ].join("\n");
  expect(found(text)).toEqual([
    { severity: "error", file: "a.scss", line: 2, column: 10, message: "Undefined variable." },
    {
      severity: "warning",
      file: "scss/components/_modal.scss",
      line: 36,
      column: 24,
      code: "if-function",
      message: "The Sass if() syntax is deprecated.",
    },
  ]);
});

it("reads dependency-cruiser's dependencies and multi-line cycles", () => {
  const text = [
    "",
    "  warn no-orphans: src/adapter/types.ts",
    "  error no-core: src/index.ts → src/core/cart.ts",
    "  error no-circular: src/a.ts → ",
    "      src/b.ts →",
    "      src/a.ts",
    "",
    "x 3 dependency violations (2 errors, 1 warnings). 78 modules, 189 dependencies cruised.",
    "error loading: config.json",
  ].join("\n");
  expect(found(text)).toEqual([
    { severity: "warning", file: "src/adapter/types.ts", code: "no-orphans", message: "no-orphans" },
    { severity: "error", file: "src/index.ts", code: "no-core", message: "→ src/core/cart.ts" },
    { severity: "error", file: "src/a.ts", code: "no-circular", message: "src/b.ts →\nsrc/a.ts" },
  ]);
});

it("reads an indented name as the next file of a table", () => {
  const text = [
    " src/a.md",
    "   1:11  error  first thing",
    "",
    " src/b.md",
    "   2:1  error  second thing",
  ].join("\n");
  expect(found(text)).toMatchObject([
    { file: "src/a.md", line: 1 },
    { file: "src/b.md", line: 2 },
  ]);
});

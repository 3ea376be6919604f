import { describe, expect, it } from "vitest";
import { parseText } from "../../../src/diagnostics/engine/engine.ts";

/** Returns what the fallback matcher finds in a text without any registered tool. */
function found(text: string): unknown[] {
  return parseText(text, { tools: [] }).diagnostics.map(({ tool: _tool, ...rest }) => rest);
}

describe("locations in the output of unknown tools", () => {
  const cases: [string, object][] = [
    [
      "docs/api.py:docstring of shop.Cart.total:26: WARNING: reference target not found: Price",
      {
        severity: "warning",
        file: "docs/api.py",
        message: "reference target not found: Price (docstring of shop.Cart.total:26)",
      },
    ],
    [
      "(guide/start: line   12) broken    https://shop.example/a - 404 Client Error",
      {
        severity: "error",
        file: "guide/start",
        line: 12,
        message: "broken link https://shop.example/a: 404 Client Error",
      },
    ],
    [
      "recipes/shop.bb:26:error:oelint.task.nomkdir:'mkdir' shall not be used",
      {
        severity: "error",
        file: "recipes/shop.bb",
        line: 26,
        code: "oelint.task.nomkdir",
        message: "'mkdir' shall not be used",
      },
    ],
    [
      "Extension(F2018): src/cart.f90, line 5: NON_RECURSIVE attribute",
      { severity: "warning", file: "src/cart.f90", line: 5, message: "NON_RECURSIVE attribute" },
    ],
    [
      "[HIGH] src/cart.cpp:17:8: Called C++ object pointer is null",
      {
        severity: "error",
        file: "src/cart.cpp",
        line: 17,
        column: 8,
        message: "Called C++ object pointer is null",
      },
    ],
    [
      "src/cart.c:779:  [5] (buffer) strncat: easily used incorrectly",
      {
        severity: "error",
        file: "src/cart.c",
        line: 779,
        code: "buffer",
        message: "strncat: easily used incorrectly",
      },
    ],
    [
      "FC001: Use strings in preference to symbols: ./recipes/default.rb:8",
      {
        severity: "warning",
        file: "./recipes/default.rb",
        line: 8,
        code: "FC001",
        message: "Use strings in preference to symbols",
      },
    ],
    [
      '"src/a.c", line 37: warning #546-D:\n          transfer of control bypasses initialization of:\n            variable "x"\n  GO(x);\n  ^',
      {
        severity: "warning",
        file: "src/a.c",
        line: 37,
        code: "#546-D",
        message: 'transfer of control bypasses initialization of:\n  variable "x"',
      },
    ],
    [
      "src/a.h:97: warning: The following parameters are not documented:\n  parameter 'a'\n  parameter 'b'",
      {
        severity: "warning",
        file: "src/a.h",
        line: 97,
        message: "The following parameters are not documented:\nparameter 'a'\nparameter 'b'",
      },
    ],
    [
      "src/main.zig:3:5: error: expected ';'",
      { severity: "error", file: "src/main.zig", line: 3, column: 5, message: "expected ';'" },
    ],
    [
      "lib/a.proto:12: warning: unused import [unused-import]",
      { severity: "warning", file: "lib/a.proto", line: 12, code: "unused-import", message: "unused import" },
    ],
    [
      String.raw`C:\work\app.xy(12,5): error AB1234: bad thing`,
      {
        severity: "error",
        file: String.raw`C:\work\app.xy`,
        line: 12,
        column: 5,
        code: "AB1234",
        message: "bad thing",
      },
    ],
    [
      "./run.sh: line 7: foo: command not found",
      { severity: "error", file: "./run.sh", line: 7, message: "foo: command not found" },
    ],
    [
      "error: conf/app.toml:4:1: unknown key",
      { severity: "error", file: "conf/app.toml", line: 4, column: 1, message: "unknown key" },
    ],
    [
      "src/compile.ts:31:22 - Unknown word (jitless)",
      { severity: "error", file: "src/compile.ts", line: 31, column: 22, message: "Unknown word (jitless)" },
    ],
    [
      "lib/app.js: line 25, col 27, Missing semicolon.",
      { severity: "error", file: "lib/app.js", line: 25, column: 27, message: "Missing semicolon." },
    ],
    [
      "css/a.css: line 3, col 1, Warning - Overqualified element (overqualified-elements)",
      {
        severity: "warning",
        file: "css/a.css",
        line: 3,
        column: 1,
        code: "overqualified-elements",
        message: "Overqualified element",
      },
    ],
    [
      '"src/main.c", line 21: Error:  #5: cannot open source input file "a.h"',
      { severity: "error", file: "src/main.c", line: 21, message: '#5: cannot open source input file "a.h"' },
    ],
    [
      String.raw`"src\flash.c",861  Warning[Pe177]: function "erase" was declared but never referenced`,
      {
        severity: "warning",
        file: String.raw`src\flash.c`,
        line: 861,
        code: "Pe177",
        message: 'function "erase" was declared but never referenced',
      },
    ],
    [
      String.raw`C:\work\daq.c(43) : Warning[Pe177]: variable "env" was never referenced`,
      {
        severity: "warning",
        file: String.raw`C:\work\daq.c`,
        line: 43,
        code: "Pe177",
        message: 'variable "env" was never referenced',
      },
    ],
    [
      'units/main.pas(4,8) Fatal: illegal character "x"',
      { severity: "error", file: "units/main.pas", line: 4, column: 8, message: 'illegal character "x"' },
    ],
    [
      "lib/parser.y:3.6-9: error: symbol B is not defined",
      {
        severity: "error",
        file: "lib/parser.y",
        line: 3,
        column: 6,
        endLine: 3,
        endColumn: 9,
        message: "symbol B is not defined",
      },
    ],
    [
      "%Warning-WIDTH: rtl/top.v:2:15: Operator expects 4 bits",
      {
        severity: "warning",
        file: "rtl/top.v",
        line: 2,
        column: 15,
        code: "WIDTH",
        message: "Operator expects 4 bits",
      },
    ],
    [
      "** Error: rtl/top.vhd(12): near entity: syntax error",
      { severity: "error", file: "rtl/top.vhd", line: 12, message: "near entity: syntax error" },
    ],
    [
      "luac: lib/a.lua:3: ')' expected near <eof>",
      { severity: "error", file: "lib/a.lua", line: 3, message: "')' expected near <eof>" },
    ],
    ["lua5.4: lib/b.lua:1: boom", { severity: "error", file: "lib/b.lua", line: 1, message: "boom" }],
    [
      "ParseError: Unrecognised input in /srv/web/a.less on line 2, column 5:",
      {
        severity: "error",
        file: "/srv/web/a.less",
        line: 2,
        column: 5,
        message: "ParseError: Unrecognised input",
      },
    ],
    [
      "manifests/init.pp - ERROR: docker not in autoload module layout on line 347",
      {
        severity: "error",
        file: "manifests/init.pp",
        line: 347,
        message: "docker not in autoload module layout",
      },
    ],
    [
      "Warning: src/a.f90, line 5: Procedure pointer F is unused",
      { severity: "warning", file: "src/a.f90", line: 5, message: "Procedure pointer F is unused" },
    ],
    [
      "src/a.cpp:12:  Missing space before {  [whitespace/braces] [5]",
      {
        severity: "error",
        file: "src/a.cpp",
        line: 12,
        code: "whitespace/braces",
        message: "Missing space before {",
      },
    ],
    [
      'run.sh: 1: Syntax error: "then" unexpected',
      { severity: "error", file: "run.sh", line: 1, message: 'Syntax error: "then" unexpected' },
    ],
    [
      "profile.cpp, line 89: error #120: return value type does not match",
      {
        severity: "error",
        file: "profile.cpp",
        line: 89,
        code: "#120",
        message: "return value type does not match",
      },
    ],
    [
      "lib/here.lua:15:97: (W614) trailing whitespace in a comment",
      {
        severity: "warning",
        file: "lib/here.lua",
        line: 15,
        column: 97,
        code: "W614",
        message: "trailing whitespace in a comment",
      },
    ],
    [
      "shop/cart.py:4: MEDIUM: B104: Possible binding to all interfaces.",
      {
        severity: "warning",
        file: "shop/cart.py",
        line: 4,
        code: "B104",
        message: "Possible binding to all interfaces.",
      },
    ],
    [
      "Error: Syntax error at '='; expected '}' (file: manifests/init.pp, line: 5, column: 11)",
      {
        severity: "error",
        file: "manifests/init.pp",
        line: 5,
        column: 11,
        message: "Syntax error at '='; expected '}'",
      },
    ],
    [
      "/usr/include/c++/12/vector:12:3: error: expected ';'",
      { severity: "error", file: "/usr/include/c++/12/vector", line: 12, column: 3, message: "expected ';'" },
    ],
    [
      "docs/index.rst: WARNING: document isn't included in any toctree 2",
      { severity: "warning", file: "docs/index.rst", message: "document isn't included in any toctree 2" },
    ],
    ["Makefile:12: error: nothing", { severity: "error", file: "Makefile", line: 12, message: "nothing" }],
  ];
  for (const [line, expected] of cases) it(line, () => expect(found(`${line}\n`)).toEqual([expected]));

  it("reads the code and message from the line below the location", () => {
    const text =
      "shop/cart.py:18 in public function `total`:\n        D103: Missing docstring in public function\n";
    expect(found(text)).toEqual([
      {
        severity: "warning",
        file: "shop/cart.py",
        line: 18,
        code: "D103",
        message: "Missing docstring in public function",
      },
    ]);
  });

  it("reads a message from the indented lines below the location", () => {
    const text = "src/Main.hs:3:5: error:\n    • No instance for Num\n      arising from 1\n\nnext\n";
    expect(found(text)).toEqual([
      {
        severity: "error",
        file: "src/Main.hs",
        line: 3,
        column: 5,
        message: "• No instance for Num\n  arising from 1",
      },
    ]);
  });
});

describe("multi-line diagnostics of unknown tools", () => {
  it("finds the location after an arrow below the message", () => {
    const text = [
      "error[V12]: `zeebra` should be `zebra`",
      "  --> docs/zoo.md:4:9",
      "  |",
      "4 | a zeebra",
      "  |   ^^^^^^",
      "  = help: add it to the dictionary",
      "warning: unused input",
      "   ┌─ conf/main.cue:2:1",
    ].join("\n");
    expect(found(text)).toEqual([
      {
        severity: "error",
        file: "docs/zoo.md",
        line: 4,
        column: 9,
        code: "V12",
        message: "`zeebra` should be `zebra`",
        help: ["add it to the dictionary"],
      },
      { severity: "warning", file: "conf/main.cue", line: 2, column: 1, message: "unused input" },
    ]);
  });

  it("reads rows below a line with their file name", () => {
    const text = [
      "docs/guide.md",
      "  3:1-3:8  warning  Incorrect indent: add 2 spaces  list-item-indent  remark-lint",
      " 12:4  error    Missing label",
      "",
      "docs/other.md",
      "1:1 warning No title first-heading remark-lint",
    ].join("\n");
    const places = parseText(text, { tools: [] }).diagnostics.map(({ severity, file, line, code, message }) =>
      [severity, file, line, code, message].join(" "),
    );
    expect(places).toEqual([
      "warning docs/guide.md 3 list-item-indent Incorrect indent: add 2 spaces",
      "error docs/guide.md 12  Missing label",
      "warning docs/other.md 1 first-heading No title",
    ]);
  });
});

describe("diagnostics of an unknown tool without a severity", () => {
  it("are all counted, including those beyond the limit", () => {
    const lines = Array.from({ length: 6_000 }, (_, line) => `a.md:${line + 1}:1 - Unknown word`);
    const { diagnostics, counts, notKept } = parseText(`${lines.join("\n")}\n`, { tools: [] });
    expect(counts.error).toBe(6_000);
    expect(diagnostics.length + notKept.diagnostics).toBe(6_000);
  });
});

describe("prose and data that only look like locations", () => {
  const lines = [
    "server listening on example.com:443: ready",
    "2024-01-02 12:30:45: error is a word",
    "see README.md:12 for details",
    "src/a.ts:12:5:const x = 1;",
    "main.go:12: started worker 3",
    "web: main.go:12: listening on port 80",
    "2024/01/02 12:30:45 main.go:12: could not connect, trying again",
    "src/a.ts:12:    error: string,",
    "GET http://shop.example:8080/a.js:3:1 200",
    "#12 CACHED [build 4/9] COPY a.c:3:1 .",
    "12:30:45 worker.py:88: done",
    "    at read (/repo/src/load.js:7:11)",
    "  12:3  warning  a row without a file above it",
    "report.csv: 12 rows",
    "/home/u/proj/src/a.cpp:232:90:   required from here",
    "/usr/include/c++/10/bits/vector.h:98:47: optimized: basic block part vectorized",
    "cart.py, line 12: saved",
    "src/a.ts:12 - 15 lines",
    "http://localhost:3000: warning: slow",
    "The value at foo:12:5: was fine",
    "error handling is covered in chapter 3",
    "no errors found",
    "Warning: 3 packages look for funding",
  ];
  for (const line of lines) it(line, () => expect(found(`${line}\n`)).toEqual([]));

  it("does not take a time before an error for a location", () => {
    const errors = found("12:30:45: error: from a clock\n");
    expect(errors).toMatchObject([{ severity: "error", message: "from a clock" }]);
    expect(errors[0]).not.toHaveProperty("file");
  });
});

describe("stack traces", () => {
  it("of JavaScript are reported at the first frame inside the project", () => {
    const text = [
      "Error: cannot open",
      "  the second line of the message",
      "    at read (/repo/node_modules/lib/index.js:10:3)",
      "    at load (/repo/src/load.js:7:11)",
      "    at node:internal/main:1:1",
    ];
    expect(found(text.join("\n"))).toEqual([
      {
        severity: "error",
        file: "/repo/src/load.js",
        line: 7,
        column: 11,
        message: "Error: cannot open\n  the second line of the message",
      },
    ]);
  });

  it("of Python are reported at the innermost frame inside the project", () => {
    const text = [
      "Traceback (most recent call last):",
      '  File "/repo/app/main.py", line 3, in <module>',
      "    run()",
      '  File "/repo/app/core.py", line 9, in run',
      "    json.loads('x')",
      '  File "/usr/lib/python3.11/json/__init__.py", line 346, in loads',
      "    return _default_decoder.decode(s)",
      "json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)",
    ];
    expect(found(text.join("\n"))).toEqual([
      {
        severity: "error",
        file: "/repo/app/core.py",
        line: 9,
        message: "json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)",
      },
    ]);
  });

  it("of Java are reported with their causes", () => {
    const text = [
      'Exception in thread "main" java.lang.IllegalStateException: no shop',
      "\tat java.base/java.util.Optional.orElseThrow(Optional.java:403)",
      "\tat com.acme.Shop.open(Shop.java:12)",
      "Caused by: java.io.IOException: disk",
      "\tat com.acme.Disk.read(Disk.java:3)",
      "\t... 1 more",
    ];
    const [one] = found(text.join("\n"));
    expect(one).toMatchObject({ file: "Shop.java", line: 12 });
    expect(one).toMatchObject({ message: expect.stringContaining("Caused by: java.io.IOException: disk") });
  });

  it("of a Go panic are reported at the first frame inside the project", () => {
    const text = [
      "panic: runtime error: index out of range [5] with length 3",
      "",
      "goroutine 1 [running]:",
      "main.main()",
      "\t/repo/main.go:8 +0x1d",
      "exit status 2",
    ];
    expect(found(text.join("\n"))).toEqual([
      {
        severity: "error",
        file: "/repo/main.go",
        line: 8,
        message: "panic: runtime error: index out of range [5] with length 3",
      },
    ]);
  });

  it("of an unhandled C# exception are reported at the first frame inside the project", () => {
    const text = [
      "Unhandled exception. System.InvalidOperationException: no stock",
      "   at Shop.Cart.Add() in /repo/Cart.cs:line 14",
      "   at Program.Main() in /repo/Program.cs:line 3",
    ];
    expect(found(text.join("\n"))).toEqual([
      {
        severity: "error",
        file: "/repo/Cart.cs",
        line: 14,
        message: "Unhandled exception. System.InvalidOperationException: no stock",
      },
    ]);
  });
});

describe("error lines without a location", () => {
  it("count if nothing else explains the failure", () => {
    expect(found("doing things\nerror: no input files\n")).toEqual([
      { severity: "error", message: "no input files" },
    ]);
    expect(found("sh: 1: tsc: not found\n")).toEqual([{ severity: "error", message: "tsc: not found" }]);
    expect(found("##[error]Process completed with exit code 1.\n")).toEqual([]);
    expect(found("##[error]The runner lost its connection\n")).toEqual([
      { severity: "error", message: "The runner lost its connection" },
    ]);
  });

  it("do not count if a known tool reports errors", () => {
    const text = "src/a.ts(1,7): error TS2322: Type 'a' is not 'b'.\nerror: script failed\n";
    expect(parseText(text).diagnostics.map((one) => one.tool)).toEqual(["tsc"]);
  });
});

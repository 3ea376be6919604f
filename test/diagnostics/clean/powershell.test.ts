import { describe, expect, it } from "vitest";
import { createEngine, parseText } from "../../../src/diagnostics/engine/engine.ts";

/** A log as PowerShell 5 redirects it at a width of 60: a record follows the first line, and long lines are broken. */
const BROKEN = [
  "cargo :     Checking shop v0.1.0 (C:\\shop)",
  "At line:1 char:1",
  "+ cargo clippy 2>&1 | Out-File clippy.log",
  "+ ~~~~~~~~~~~~~~~~~~~",
  "    + CategoryInfo          : NotSpecified: (    Checking s ",
  "   hop v0.1.0:String) [], RemoteException",
  "    + FullyQualifiedErrorId : NativeCommandError",
  " ",
  "error: you should consider adding a `Default` implementation ",
  "for `ServiceRegistry`",
  "  --> services\\src\\lib.rs:19:5",
  "   |",
  "19 | /     pub fn new() -> Self {",
  "24 | |     }",
  "   | |_____^",
  "   |",
  "   = help: for further information visit https://rust-lang.g",
  "ithub.io/rust-clippy/master/index.html#new_without_default",
  "",
  "src/a.c:3:5: warning: variable 'long_name' set but not used ",
  "[-Wunused-but-set-variable]",
  "",
];

describe("output that a console wrapped", () => {
  it("is joined again, without the console's error record", () => {
    const { diagnostics } = parseText(BROKEN.join("\r\n"));
    expect(diagnostics.map(({ code, file, line, message }) => ({ code, file, line, message }))).toEqual([
      {
        code: "clippy::new_without_default",
        file: "services\\src\\lib.rs",
        line: 19,
        message: "you should consider adding a `Default` implementation for `ServiceRegistry`",
      },
      {
        code: "-Wunused-but-set-variable",
        file: "src/a.c",
        line: 3,
        message: "variable 'long_name' set but not used",
      },
    ]);
  });

  it("keeps all lines of a text that only contains the words of a record", () => {
    const lines = [
      "notes : see below",
      "    + CategoryInfo          : a word",
      "src/a.c:3:5: error: 'x' undeclared",
    ];
    expect(parseText(lines.join("\n")).diagnostics).toMatchObject([{ file: "src/a.c", line: 3 }]);
    const cut = parseText(
      ["tool : first", "At line:1 char:1", "src/a.c:3:5: error: 'x' undeclared"].join("\n"),
    );
    expect(cut.diagnostics).toMatchObject([{ file: "src/a.c", line: 3 }]);
  });
});

describe("output in UTF-16", () => {
  it.each([
    ["utf-16le", [0xff, 0xfe]],
    ["utf-16be", [0xfe, 0xff]],
  ] as const)("is decoded, also if its bytes arrive one by one: %s", (encoding, mark) => {
    const text = Buffer.from("src/a.ts(1,7): error TS2304: Cannot find name 'größe'.\r\n", "utf16le");
    const bytes = Buffer.concat([Buffer.from(mark), encoding === "utf-16le" ? text : text.swap16()]);
    const engine = createEngine();
    for (const byte of bytes) engine.write(Uint8Array.of(byte));
    const { diagnostics } = engine.end();
    expect(diagnostics).toMatchObject([{ file: "src/a.ts", message: "Cannot find name 'größe'." }]);
    expect(diagnostics).toEqual(parseText(bytes).diagnostics);
  });

  it("does not lose a single byte", () => {
    const lines: string[] = [];
    const engine = createEngine({ onUnclaimed: ({ text }) => lines.push(text) });
    engine.write(Uint8Array.of(0x78));
    engine.end();
    expect(lines).toEqual(["x"]);
  });
});

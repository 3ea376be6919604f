import { describe, expect, it } from "vitest";
import { repairSymbols } from "../../../src/diagnostics/clean/mojibake.ts";
import { parseText } from "../../../src/diagnostics/engine/engine.ts";

/** Returns UTF-8 text as a console shows it that read it as Windows-1252, as far as Latin-1 has the bytes. */
function misread(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

describe("symbols in the wrong code page", () => {
  it("are restored for the code pages of Windows consoles", () => {
    expect(repairSymbols("[chromium] ΓÇ║ a.spec.ts")).toBe("[chromium] › a.spec.ts");
    expect(repairSymbols("ÔÇ║ ÔØ» Ô£ô")).toBe("› ❯ ✓");
    expect(repairSymbols("â€º â€œquotedâ€\u009D")).toBe("› “quoted”");
    expect(repairSymbols("ΓÄ»ΓÄ» ├ù adds")).toBe("⎯⎯ × adds");
  });

  it("are not confused with other text", () => {
    for (const text of ["château âgé", "Γειά σου", "Ô toi", "├── src", "âéè", "Γ"])
      expect(repairSymbols(text)).toBe(text);
  });

  it("do not hide a failed test", () => {
    const log = [
      "",
      " RUN  v4.0.18 C:/app",
      "",
      "ΓÄ»ΓÄ» Failed Tests 1 ΓÄ»ΓÄ»",
      "",
      " FAIL  a.test.ts > adds",
    ];
    const rest = [
      "AssertionError: expected 1 to be 2",
      " Γ¥» a.test.ts:3:5",
      "",
      " Test Files  1 failed (1)",
      "      Tests  1 failed (1)",
      "",
    ];
    const [tests] = parseText([...log, ...rest].join("\n")).tests;
    expect(tests?.failures[0]).toMatchObject({ name: "adds", file: "a.test.ts", line: 3 });
  });

  it("are not created from random text", () => {
    expect(repairSymbols(misread("ä ö ü"))).toBe(misread("ä ö ü"));
  });
});

describe("PowerShell's error records", () => {
  it("do not separate a program's lines", () => {
    const log = [
      "node.exe : FAIL test/a.test.js",
      "At C:\\nodejs\\npx.ps1:16 char:5",
      '+     & "$basedir/node$exe"  "$basedir/node_modules/npm/bin/npx-cli.js" ...',
      "+     ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~",
      "    + CategoryInfo          : NotSpecified: (FAIL test/a.test.js:String) [], RemoteException",
      "    + FullyQualifiedErrorId : NativeCommandError",
      " ",
      "  ● adds",
      "",
      "    expect(received).toBe(expected) // Object.is equality",
      "",
      "      at Object.toBe (test/a.test.js:6:25)",
      "",
      "Tests:       1 failed, 1 total",
    ];
    const result = parseText(log.join("\n"));
    expect(result.diagnostics).toEqual([]);
    expect(result.tests[0]?.failures).toMatchObject([
      { name: "adds", kind: "test", file: "test/a.test.js", line: 6 },
    ]);
  });
});

import { describe, expect, it } from "vitest";
import { windowsCommand } from "../../src/exec/windows-command.ts";

const FILES: readonly string[] = [
  String.raw`C:\node\npm.CMD`,
  String.raw`C:\node\node.EXE`,
  String.raw`C:\work\tools\lint.bat`,
];
const AT = {
  cwd: String.raw`C:\work`,
  env: {
    Path: String.raw`C:\windows;C:\node`,
    PATHEXT: ".EXE;.CMD",
    ComSpec: String.raw`C:\windows\cmd.exe`,
  },
  exists: (path: string) => FILES.includes(path),
};

describe("windowsCommand", () => {
  it("starts programs directly with unchanged arguments", () => {
    expect(windowsCommand(["node", "-e", "a & b"], AT)).toEqual({
      file: String.raw`C:\node\node.EXE`,
      args: ["-e", "a & b"],
      verbatim: false,
    });
  });

  it("starts batch files through cmd.exe and lets no argument become a command", () => {
    const { file, args, verbatim } = windowsCommand(["npm", "run", "x & del y", '"%PATH%"'], AT);
    expect([file, verbatim, args.slice(0, 3)]).toEqual([
      String.raw`C:\windows\cmd.exe`,
      true,
      ["/d", "/s", "/c"],
    ]);
    // Every special character must follow an odd number of carets.
    const line = (args[3] ?? "").slice(1, -1);
    for (const match of line.matchAll(/(\^*)[&|<>%"]/g)) expect((match[1] ?? "").length % 2).toBe(1);
  });

  it("finds programs by path, and leaves unknown ones to the system", () => {
    expect(windowsCommand([String.raw`tools\lint.bat`], AT).file).toBe(String.raw`C:\windows\cmd.exe`);
    expect(windowsCommand(["missing", "x"], AT)).toEqual({ file: "missing", args: ["x"], verbatim: false });
  });
});

import { describe, expect, it } from "vitest";
import { BINARY } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { installTools } from "../support/node-tools.ts";

const inspector = installTools("inspector", ["@modelcontextprotocol/inspector@2.12.0"]);
const SERVER = ["--cli", process.execPath, BINARY, "serve"];

describe.skipIf(inspector === undefined)("the official inspector over stdio", () => {
  it.each(["legacy", "modern"])("lists the tools in the %s protocol", async (era) => {
    const args = [...SERVER, "--protocol-era", era, "--method", "tools/list", "--format", "json"];
    const result = await inspector?.run("mcp-inspector", args, { cwd: makeFolder() });
    expect(result?.output).toContain('"read"');
    expect(result?.status).toBe(0);
  });

  it("calls a tool, and exits with 5 if the tool fails", async () => {
    const cwd = makeFolder({ "a.txt": "hello\n" });
    const read = (file: string): readonly string[] => [
      ...SERVER,
      "--method",
      "tools/call",
      "--tool-name",
      "read",
      "--tool-arg",
      `file_path=${file}`,
    ];
    const good = await inspector?.run("mcp-inspector", read("a.txt"), { cwd });
    expect(good).toMatchObject({ status: 0, output: expect.stringContaining("1| hello") });
    expect((await inspector?.run("mcp-inspector", read("b.txt"), { cwd }))?.status).toBe(5);
  });
});

import { describe, expect, it } from "vitest";
import { makeFolder } from "../support/folder.ts";
import { type Printed, pithInside } from "../support/inside.ts";

const LOG = { "acme.log": "soup.acme:12: bad salt before water\n" };

/** Runs a verb in a folder whose pith.toml describes a tool. */
function run(table: string, ...args: string[]): Promise<Printed> {
  return pithInside(args, makeFolder({ ...LOG, "pith.toml": `[tools.acme]\n${table}` }));
}

describe("a mistake in [tools.NAME]", () => {
  // TOML reads backslashes between double quotes as escapes, so this file as a whole is not valid.
  const DOUBLE_QUOTES = `[tools.acme.format]\ncomplaints = ["^(?<file>\\S+): (?<message>.*)$"]\n`;
  const HINT = "between single quotes";

  it.each([["tools"], ["tools", "test", "acme", "acme.log"], ["parse", "acme.log"], ["ci", "acme.log"]])(
    "that makes pith.toml unreadable is reported by %s %s",
    async (...args) => {
      const { stdout, stderr } = await run(DOUBLE_QUOTES, ...args);
      expect(stdout + stderr).toMatch(/pith\.toml:\d+:\d+: not valid TOML/);
      expect(stdout + stderr).toContain(HINT);
    },
  );

  it("is reported by parse, which reads the log without the tool", async () => {
    const { stdout, stderr } = await run(
      `command = "x"\nformat = { complaints = ["("] }\n`,
      "parse",
      "acme.log",
    );
    expect(stderr).toContain("tools.acme.format.complaints[0]: not a regular expression");
    expect(stdout).not.toBe("");
  });
});

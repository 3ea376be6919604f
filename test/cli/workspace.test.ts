import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../support/folder.ts";
import { pithInside } from "../support/inside.ts";

describe("--workspace", () => {
  const files = {
    "shop/cart.ts": "export function addItem() {}\n",
    "api/server.ts": "export function listen() {}\n",
  };

  it.each([
    ["../api", "server.ts:1"],
    ["./../api/", "server.ts:1"],
    ["../api,.", "server.ts:1"],
  ])("takes %s for a folder of the shell", async (list, expected) => {
    const { stdout, status } = await pithInside(
      ["symbol", "listen", "--workspace", list],
      join(makeFolder(files), "shop"),
    );
    expect(stdout).toContain(expected);
    expect(status).toBe(0);
  });

  it("says what else it takes instead of a name that it does not know", async () => {
    const { stdout, stderr } = await pithInside(
      ["uses", "listen", "--workspace", "nowhere"],
      makeFolder(files),
    );
    expect(stdout + stderr).toContain('No workspace "nowhere" is known here');
  });
});

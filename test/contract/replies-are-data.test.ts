import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const SOURCE = join(import.meta.dirname, "../../src");

/** These read JSON that clients send, or that is in their configuration files, or the answer of a hook inside a client. */
const READS_CLIENTS = [
  "app/schema/field.ts",
  "cli/init/clients/opencode-plugin.ts",
  "cli/init/yaml-edit.ts",
  "http/body.ts",
  "mcp/message-limit.ts",
];

describe("a reply", () => {
  it("is never parsed again by the code that renders it or passes it on", () => {
    const parsing = ["app", "mcp", "http", "render", "cli"].flatMap((room) =>
      readdirSync(join(SOURCE, room), { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".ts"))
        .map((file) => `${room}/${file.replaceAll("\\", "/")}`)
        .filter((file) => readFileSync(join(SOURCE, file), "utf8").includes("JSON.parse")),
    );
    expect(parsing.sort()).toEqual(READS_CLIENTS);
  });
});

import { describe, expect, it } from "vitest";
import { removeYamlEntry, setYamlEntry, yamlEntry } from "../../../src/cli/init/yaml-edit.ts";
import { problemOf } from "./problem-of.ts";

const PATH = ["extensions", "pith"];
const ENTRY = { name: "pith", type: "stdio", cmd: "pith", args: ["serve"], enabled: true, timeout: 300 };
const OWN = `# my settings
GOOSE_MODEL: gpt   # the usual
extensions:
    memory:   # keep
        bundled: true
        args: []

    # a note
    developer:
        name: developer
        args:
        - one
active: yes
`;

describe("an entry in a YAML file", () => {
  it.each([
    ["an empty file", ""],
    ["a file with other settings", "a: 1\n"],
    ["an empty mapping", "extensions: {}\nb: 2\n"],
    ["other entries and comments", OWN],
    ["Windows line ends", OWN.replaceAll("\n", "\r\n")],
  ])("is added once and removed again: %s", (_, text) => {
    const added = setYamlEntry(text, PATH, ENTRY);
    expect(yamlEntry(added, PATH)).toEqual(ENTRY);
    expect(setYamlEntry(added, PATH, ENTRY)).toBe(added);
    const kept = text.split(/\r?\n/).filter((line) => line !== "extensions: {}");
    for (const line of kept) expect(added.split(/\r?\n/)).toContain(line);
    const removed = removeYamlEntry(added, PATH);
    expect(removed).toBe(text === "" ? undefined : text.replace("extensions: {}\n", ""));
  });

  it("keeps fields that the user added, and replaces lists over several lines", () => {
    const text =
      "extensions:\n  pith:\n    cmd: node\n    args:\n    - old.js\n    - serve\n    env_keys: [A]\n";
    expect(setYamlEntry(text, PATH, { cmd: "pith", args: ["serve"] })).toBe(
      'extensions:\n  pith:\n    cmd: pith\n    args: ["serve"]\n    env_keys: [A]\n',
    );
  });

  it("is left to the user where the mapping is not in block form", () => {
    expect(problemOf(() => setYamlEntry("a: 1\nextensions: {x: {cmd: y}}\n", PATH, ENTRY))).toContain("2:");
  });
});

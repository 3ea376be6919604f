import { describe, expect, it } from "vitest";
import { checkRequirements, meetsNeeds, readRequirements } from "../../../src/pool/choice/needs.ts";
import { chooseWorkers, type Machine } from "../../../src/pool/choice/choose-workers.ts";
import { projectNeeds } from "../../../src/pool/choice/project-needs.ts";
import { isInRange, readRange, versionIn } from "../../../src/pool/choice/version-range.ts";
import { makeFolder } from "../../support/folder.ts";

describe("ranges of versions", () => {
  it.each([
    // The ranges of npm, as its documentation has them.
    [">=18 <21 || ^22.1", ["18.0.0", "20.9.9", "22.1.0", "22.9.0"], ["17.9.9", "21.0.0", "22.0.9", "23.0.0"]],
    ["^0.2.3", ["0.2.3", "0.2.9"], ["0.2.2", "0.3.0", "1.0.0"]],
    ["~1.2", ["1.2.0", "1.2.9"], ["1.3.0"]],
    ["1.2.x", ["1.2.0"], ["1.3.0", "1.1.9"]],
    ["1.2.3 - 2.3", ["1.2.3", "2.3.9"], ["1.2.2", "2.4.0"]],
    [">1.2 <=2", ["1.3.0", "2.9.9"], ["1.2.5", "3.0.0"]],
    ["*", ["0.0.0", "99.0.0"], []],
    // Python and Ruby.
    [">=3.9,<4", ["3.9.0", "3.13.1"], ["3.8.9", "4.0.0"]],
    ["~=3.11", ["3.11.0", "3.12.0"], ["4.0.0", "3.10.9"]],
    ["==3.11.*", ["3.11.4"], ["3.12.0"]],
    ["~> 3.2.1", ["3.2.1", "3.2.9"], ["3.3.0"]],
  ])("reads %s", (range, inside, outside) => {
    const intervals = readRange(range) ?? [];
    const isInside = (text: string): boolean => isInRange([versionIn(text) ?? [0, 0, 0]], intervals);
    expect(inside.filter((version) => !isInside(version))).toEqual([]);
    expect(outside.filter((version) => isInside(version))).toEqual([]);
  });

  it.each(["lts/*", "stable", "latest", "git+ssh://x", ">="])("does not guess what %s means", (text) => {
    expect(readRange(text)).toBeUndefined();
  });
});

describe("requirements of a caller", () => {
  it("are labels, or conditions on facts", () => {
    const { labels, needs } = readRequirements(
      ["gpu", "os=linux", "node>=20", "python=3.11", "java=graal"],
      "x",
    );
    expect(labels).toEqual(["gpu", "java=graal", "os=linux"]);
    expect(needs).toMatchObject([{ name: "node" }, { name: "python" }]);
    expect(meetsNeeds({ node: [[20, 0, 0]], python: [[3, 11, 9]] }, needs)).toBe(true);
    expect(meetsNeeds({ node: [[20, 0, 0]], python: [[3, 12, 0]] }, needs)).toBe(false);
    expect(meetsNeeds({ node: [[20, 0, 0]] }, needs)).toBe(false);
    expect(checkRequirements(["cores>=8", "gpu"], "x")).toEqual(["gpu", "cores>=8"]);
  });

  it.each(["speed>=3", "node>=new", "node>>3", "<3"])("refuse %s", (text) => {
    expect(() => readRequirements([text], "labels")).toThrow(/labels: .* is no condition/);
  });
});

const FILES = {
  "package.json": '{"engines": {"npm": ">=9", "node": ">=20 <23"}}',
  ".nvmrc": "lts/*\n",
  "go.mod": "module a\n\ngo 1.22\n",
  "rust-toolchain.toml": '[toolchain]\nchannel = "1.75"\n',
  "pyproject.toml": '[project]\nrequires-python = ">=3.9"\n',
  "api/.python-version": "3.12.1\n",
  ".tool-versions": "ruby 3.2.2\nnodejs 20.1.0\n",
};
const needsIn = (root: string, cwd: string, programs: readonly string[]) =>
  projectNeeds(root, cwd, programs).map(({ name, text, source }) => `${name} ${text} ${source}`);

describe("the needs of a project", () => {
  it("are read from its files, the nearest first, for the languages of the command", () => {
    const root = makeFolder(FILES);
    expect(needsIn(root, "", ["npm"])).toEqual(["node >=20 <23 package.json", "node 20.1.0 .tool-versions"]);
    expect(needsIn(root, "api/src", ["pytest"])).toEqual([
      "python 3.12.1 api/.python-version",
      "python >=3.9 pyproject.toml",
    ]);
    expect(needsIn(root, "", ["go"])).toEqual(["go >=1.22 go.mod"]);
    expect(needsIn(root, "", ["cargo"])).toEqual(["rust 1.75 rust-toolchain.toml"]);
    // A script may start anything.
    expect(needsIn(root, "", ["make"]).map((need) => need.split(" ")[0])).toEqual(
      "node python rust go node ruby".split(" "),
    );
  });

  it("are none if the files are damaged or no files", () => {
    const root = makeFolder({
      "package.json": '{"engines": 3',
      "go.mod/x": "",
      ".nvmrc": "\u0000\uffff",
    });
    expect(needsIn(root, "", ["make"])).toEqual([]);
  });

  it("count only if a machine has them, and the job says so otherwise", async () => {
    const root = makeFolder(FILES);
    const job = {
      root,
      cwd: "",
      prepare: { programs: ["go"], detect: true, folders: [], commands: [], files: [], timeoutMs: 1 },
    };
    const choose = async (workers: Machine[], own?: Machine) => {
      const { needs, note } = await chooseWorkers(job, ["gpu"], {
        queue: { machines: () => Promise.resolve(workers) },
        inferNeeds: true,
        ...(own && { ownMachine: () => Promise.resolve(own) }),
      });
      return [needs.map(({ name }) => name), note];
    };
    const fitting = { labels: ["gpu"], facts: { go: [[1, 22, 0]] } } as const;
    const old = { labels: ["gpu"], facts: { go: [[1, 19, 0]] } } as const;
    const none = { labels: [], facts: fitting.facts };
    expect(await choose([old, fitting])).toEqual([["go"], undefined]);
    expect(await choose([old], fitting)).toEqual([["go"], undefined]);
    expect(await choose([old, none])).toEqual([[], "No worker has go >=1.22 (go.mod)."]);
    expect(await choose([])).toEqual([[], undefined]);
  });
});

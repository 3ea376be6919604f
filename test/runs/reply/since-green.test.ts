import { onTestFinished, describe, expect, it } from "vitest";
import type { RunReport } from "../../../src/model/run-report.ts";
import type { RunService } from "../../../src/runs/service.ts";
import { type GitFolder, temporaryRepository } from "../../support/git-folder.ts";
import { makeRunService, runIn, shown } from "../../support/run-service.ts";

/** One process for all tests, because a process for each would take most of the time. */
const COMMAND = "node test.mjs";
const TEST = (name: string, body: string): string =>
  `import assert from "node:assert";\nimport { test } from "node:test";\nimport { ${name} } from "../src/${name}.mjs";\ntest("${name}", () => {\n  ${body}\n});\n`;

/** A small shop with tests in another folder, text beside the code, and modules that no test imports directly. */
const SHOP = {
  "README.md": "# Shop\n",
  ".gitignore": "state\n",
  "test.mjs":
    'import { existsSync } from "node:fs";\nimport "./test/tax.test.mjs";\nimport "./test/cart.test.mjs";\nimport "./test/parse.test.mjs";\nimport "./test/label.test.mjs";\nif (existsSync("state")) process.exit(3);\n',
  "package.json": '{ "name": "shop" }\n',
  "src/tax.mjs": "export const RATE = 20;\n\nexport function tax(net) {\n  return (net * RATE) / 100;\n}\n",
  "src/cart.mjs":
    'import { tax } from "./tax.mjs";\n\nexport function cart(prices) {\n  let net = 0;\n  for (const price of prices) net += price;\n  return net + tax(net);\n}\n',
  "src/parse.mjs":
    "export function parse(text) {\n  if (typeof text !== 'string') throw new TypeError('not a text');\n  return text.split(',').map(Number);\n}\n",
  "src/label.mjs": "export function label(name) {\n  return name.trim().toUpperCase();\n}\n",
  "lib/unused.mjs": "export const unused = 1;\n",
  "test/tax.test.mjs": TEST("tax", "assert.equal(tax(100), 20);"),
  "test/cart.test.mjs": TEST("cart", "assert.equal(cart([50, 50]), 120);"),
  "test/parse.test.mjs": TEST("parse", "assert.deepEqual(parse('1,2'), [1, 2]);"),
  "test/label.test.mjs": TEST("label", "assert.equal(label(' a '), 'A');"),
};

/** A busy machine may need longer than the default time. */
function makeService(): RunService {
  return makeRunService({ treeTimeoutMs: 60_000 });
}

function makeShop(files: Readonly<Record<string, string>> = SHOP): GitFolder {
  const folder = temporaryRepository(files);
  onTestFinished(() => folder.dispose());
  return folder;
}

function edit(folder: GitFolder, path: keyof typeof SHOP, from: string, to: string): void {
  expect(SHOP[path]).toContain(from);
  folder.write(path, SHOP[path].replace(from, to));
}

function commit(folder: GitFolder, subject: string): string {
  folder.git("add", "-A");
  folder.git("commit", "-q", "-m", subject);
  return folder.git("rev-parse", "--short", "HEAD").trim();
}

async function runGreen(folder: GitFolder, service: RunService): Promise<RunReport> {
  const green = await runIn(folder.root, COMMAND, { service });
  expect(green.passed).toBe(true);
  expect(shown(green)).not.toMatch(/suspect|green/);
  return green;
}

/** The lines of a reply about the last green run. */
function sinceOf(report: RunReport): string[] {
  const lines = shown(report).split("\n");
  const from = lines.findIndex((line) => /^green |^suspect: /.test(line));
  if (from < 0) return [];
  const to = lines.findIndex(
    (line, at) => at > from && !/^ \S+.*(?:\)|git status)$|^suspect: |^and /.test(line),
  );
  return lines.slice(from, to < 0 ? undefined : to);
}

/** The suspects in their order, as the JSON reply names them. */
function suspectsOf(report: RunReport): string[] {
  const { since_green: since } = JSON.parse(shown(report, "json")) as {
    since_green?: { suspects?: { file: string }[] };
  };
  return (since?.suspects ?? []).map(({ file }) => file);
}

describe("a red run after a green one", () => {
  it("names the line that was changed, and the commit", async () => {
    const [folder, service] = [makeShop(), makeService()];
    const green = await runGreen(folder, service);
    const at = folder.git("rev-parse", "HEAD").slice(0, 8);
    edit(folder, "src/tax.mjs", "(net * RATE) / 100", "(net * RATE) / 10");
    const uncommitted = await runIn(folder.root, COMMAND, { service });
    const head = `green \\d+ s earlier \\(run ${green.run.id}\\) at ${at}; suspect: `;
    expect(sinceOf(uncommitted)).toEqual([expect.stringMatching(`^${head}src/tax.mjs:4 \\(uncommitted\\)$`)]);
    const id = commit(folder, "round the tax");
    const committed = await runIn(folder.root, COMMAND, { service });
    expect(sinceOf(committed)).toEqual([
      expect.stringMatching(`^${head}src/tax.mjs:4 \\(commit ${id} "round the tax"\\)$`),
    ]);
    expect(shown(committed, "markdown")).toMatch(
      new RegExp(`### Since green\n\n\`+\n${head}src/tax.mjs:4 .*\n\`+`),
    );
    expect(JSON.parse(shown(committed, "json"))).toMatchObject({
      since_green: {
        green_run: green.run.id,
        commit: at,
        suspects: [
          { file: "src/tax.mjs", change: "modified", lines: [[4, 4]], commit: id, subject: "round the tax" },
        ],
      },
    });
  });

  it("says that the tree is the same, for a test that fails by chance", async () => {
    const [folder, service] = [makeShop(), makeService()];
    const green = await runGreen(folder, service);
    folder.write("state", "");
    expect(sinceOf(await runIn(folder.root, COMMAND, { service }))).toEqual([
      expect.stringMatching(
        `^green \\d+ s earlier \\(run ${green.run.id}\\) on the same tree: flaky, or a cause outside of git\\?$`,
      ),
    ]);
  });

  it("does not suspect edits that the green run had already seen, committed since or not", async () => {
    const [folder, service] = [makeShop(), makeService()];
    edit(folder, "src/label.mjs", "name.trim()", "name.trim().slice(0)");
    edit(folder, "src/parse.mjs", "map(Number)", "map((one) => Number(one))");
    folder.write("notes.txt", "seen\n");
    await runGreen(folder, service);
    folder.git("add", "src/label.mjs");
    folder.git("commit", "-q", "-m", "label");
    edit(folder, "src/tax.mjs", "RATE = 20", "RATE = 21");
    const red = await runIn(folder.root, COMMAND, { service });
    expect(suspectsOf(red)).toEqual(["src/tax.mjs"]);
    expect(sinceOf(red)[0]).toContain(" + 3 uncommitted files; suspect: src/tax.mjs:1 (uncommitted)");
  });

  it("names a file without lines where the green run had other uncommitted edits of it, and edits undone", async () => {
    const [folder, service] = [makeShop(), makeService()];
    edit(folder, "src/tax.mjs", "RATE = 20", "RATE = 10 + 10");
    folder.write("lib/extra.mjs", "export {};\n");
    await runGreen(folder, service);
    edit(folder, "src/tax.mjs", "RATE = 20", "RATE = 10 + 11");
    folder.remove("lib/extra.mjs");
    const [, ...lines] = sinceOf(await runIn(folder.root, COMMAND, { service }));
    expect(lines).toEqual([
      " src/tax.mjs (uncommitted)",
      " lib/extra.mjs (deleted, uncommitted edit undone)",
    ]);
  });

  it("counts what it leaves out in at most five lines", async () => {
    const [folder, service] = [makeShop(), makeService()];
    await runGreen(folder, service);
    for (let i = 0; i < 30; i++) folder.write(`lib/more${i}.mjs`, "export {};\n");
    edit(folder, "src/parse.mjs", "split(',')", "split(';')");
    const lines = sinceOf(await runIn(folder.root, COMMAND, { service }));
    expect(lines).toHaveLength(5);
    expect(lines[1]).toBe(" src/parse.mjs:3 (uncommitted)");
    expect(lines[4]).toMatch(/^ and 28 more files: git diff --stat [0-9a-f]{8}; git status$/);
  });

  it("names a changed statement before comments, new definitions and other names that are nearer", async () => {
    const [folder, service] = [makeShop(), makeService()];
    await runGreen(folder, service);
    edit(folder, "src/label.mjs", "name.trim()", "name");
    folder.write("test/label.test.mjs", `${SHOP["test/label.test.mjs"]}\n// More is to follow.\n`);
    folder.write("src/cart.mjs", SHOP["src/cart.mjs"].replaceAll(/\bnet\b/g, "sum"));
    folder.write("src/parse.mjs", `${SHOP["src/parse.mjs"]}\nexport function later() {}\n`);
    expect(suspectsOf(await runIn(folder.root, COMMAND, { service }))).toEqual([
      "src/label.mjs",
      "src/parse.mjs",
      "src/cart.mjs",
      "test/label.test.mjs",
    ]);
  });

  it("names a test first if it was changed where it fails", async () => {
    const [folder, service] = [makeShop(), makeService()];
    await runGreen(folder, service);
    edit(folder, "test/label.test.mjs", "'A'", "'B'");
    edit(folder, "src/label.mjs", "name.trim()", "String(name).trim()");
    edit(folder, "src/parse.mjs", "map(Number)", "map((one) => Number(one))");
    expect(suspectsOf(await runIn(folder.root, COMMAND, { service }))).toEqual([
      "test/label.test.mjs",
      "src/label.mjs",
      "src/parse.mjs",
    ]);
  });

  it("finds files from a folder below the top, with names that git would quote", async () => {
    const folder = makeShop({ "pkg/a b/ü.mjs": "export const a = 1;\n", "pkg/test.mjs": "" });
    const test = 'import { a } from "./a b/ü.mjs";\nif (a !== 1) throw new Error("not one");\n';
    folder.write("pkg/test.mjs", test);
    commit(folder, "test");
    const service = makeService();
    const cwd = `${folder.root}/pkg`;
    expect((await runIn(cwd, COMMAND, { service })).passed).toBe(true);
    folder.write("pkg/a b/ü.mjs", "// a\nexport const a = 2;\n");
    const red = await runIn(cwd, COMMAND, { service });
    expect(sinceOf(red)[0]).toContain("; suspect: a b/ü.mjs:1-2 (uncommitted)");
  });
});

describe("a red run without a green one", () => {
  it("names the recent commits to the files of the failures, once", async () => {
    const [folder, service] = [makeShop(), makeService()];
    edit(folder, "src/tax.mjs", "(net * RATE)", "(net + RATE)");
    const id = commit(folder, "simplify the tax");
    folder.write("README.md", "# Shop 2\n");
    commit(folder, "describe it");
    const red = await runIn(folder.root, COMMAND, { service });
    expect(sinceOf(red)).toEqual([
      expect.stringMatching(`^suspect: commit ${id}, \\d+ s earlier, "simplify the tax": src/tax.mjs$`),
    ]);
    expect(sinceOf(await runIn(folder.root, COMMAND, { service }))).toEqual([]);
  });

  it("names uncommitted files of the failures instead of commits of long ago", async () => {
    const [folder, service] = [makeShop(), makeService()];
    folder.write("src/tax.mjs", `${SHOP["src/tax.mjs"]}// rounded\n`);
    folder.git("commit", "-qam", "describe the tax", "--date", "2020-01-01T00:00:00Z");
    folder.git("rebase", "-qf", "--committer-date-is-author-date", "HEAD~1");
    edit(folder, "src/tax.mjs", "(net * RATE)", "(net + RATE)");
    const red = await runIn(folder.root, COMMAND, { service });
    expect(sinceOf(red)).toEqual(["suspect: uncommitted src/tax.mjs"]);
  });

  it("says nothing where no recent commit touched them, and outside of git", async () => {
    const [folder, service] = [makeShop({ "test.mjs": 'throw new Error("a");\n' }), makeService()];
    folder.write("b.mjs", "export {};\n");
    commit(folder, "add b");
    expect((await runIn(folder.root, COMMAND, { service })).sinceGreen).toBeUndefined();
    folder.remove(".git");
    const report = await runIn(folder.root, `${COMMAND} 2`, { service });
    expect([report.success, report.run.end?.tree, report.sinceGreen]).toEqual([false, undefined, undefined]);
  });
});

describe("what is recorded", () => {
  it("is nothing for a command that only prints", async () => {
    const [folder, service] = [makeShop(), makeService()];
    expect((await runIn(folder.root, "cat README.md", { service })).run.end?.tree).toBeUndefined();
    expect((await runIn(folder.root, "cat nowhere.md", { service })).sinceGreen).toBeUndefined();
    expect((await runIn(folder.root, "node --version", { service })).run.end?.tree).toMatchObject({
      files: [],
    });
  });

  it("is bounded, and an incomplete list never passes for the same tree", async () => {
    const [folder, service] = [makeShop(), makeService()];
    for (let i = 0; i < 301; i++) folder.write(`lib/more${i}.mjs`, "export {};\n");
    const green = await runGreen(folder, service);
    expect(green.run.end?.tree).toMatchObject({ untracked: 301, files: [] });
    folder.write("state", "");
    const red = await runIn(folder.root, COMMAND, { service });
    expect([red.success, red.sinceGreen]).toEqual([false, undefined]);
    edit(folder, "src/tax.mjs", "RATE = 20", "RATE = 21");
    expect(sinceOf(await runIn(folder.root, COMMAND, { service })).slice(1)).toEqual([
      " src/tax.mjs:1 (uncommitted)",
      expect.stringMatching(
        "^ and untracked files, which were not compared: git diff --stat .*; git status$",
      ),
    ]);
  });

  it("starts no filter that the repository's configuration names", async () => {
    const [folder, service] = [makeShop({ ...SHOP, ".gitattributes": "*.mjs filter=trap\n" }), makeService()];
    for (const name of ["clean", "smudge", "process"])
      folder.git("config", `filter.trap.${name}`, `touch ${folder.root}/trapped; cat`);
    await runGreen(folder, service);
    edit(folder, "src/tax.mjs", "RATE = 20", "RATE = 21");
    const red = await runIn(folder.root, COMMAND, { service });
    expect(suspectsOf(red)).toEqual(["src/tax.mjs"]);
    expect(folder.git("ls-files", "--others")).toBe("");
  });
});

/** Mutations of the shop, each of which turns a test red. */
const MUTATIONS: readonly (readonly [path: keyof typeof SHOP, from: string, to: string])[] = [
  ["src/tax.mjs", "RATE = 20", "RATE = 2"],
  ["src/cart.mjs", "net += price", "net = price"],
  ["src/cart.mjs", "net + tax(net)", "net - tax(net)"],
  ["src/parse.mjs", "split(',')", "split(' ')"],
  ["src/parse.mjs", "typeof text !== 'string'", "typeof text === 'string'"],
  ["src/label.mjs", "name.trim()", "name"],
];

describe("the first suspect", () => {
  it(
    "is the mutated file, among changes to text, other code and unrelated tests",
    { timeout: 60_000 },
    async () => {
      const [folder, service] = [makeShop(), makeService()];
      const first: string[] = [];
      for (const [i, [path, from, to]] of MUTATIONS.entries()) {
        folder.git("checkout", "-q", "-f", "main");
        if (i === 0) await runGreen(folder, service);
        edit(folder, path, from, to);
        folder.write("README.md", `# Shop ${i}\n`);
        folder.write("lib/unused.mjs", `export const unused = ${i};\n`);
        folder.write("lib/another.mjs", "export const another = 1;\n");
        // Every test names this folder in its imports, so that its index counts as imported.
        folder.write("src/index.mjs", "export {};\n");
        if (i % 2 === 0) {
          folder.git("checkout", "-q", "-b", `change${i}`);
          commit(folder, `change ${i}`);
        }
        first.push(suspectsOf(await runIn(folder.root, COMMAND, { service }))[0] ?? "none");
      }
      expect(first).toEqual(MUTATIONS.map(([path]) => path));
    },
  );
});

import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { createTestIndex } from "../support/code-index.ts";
import { temporaryRepository } from "../support/git-folder.ts";

const test = createTestIndex();
afterAll(() => test.dispose());

async function first(files: Readonly<Record<string, string>>, query: string): Promise<string[]> {
  const folder = temporaryRepository({ ...files });
  onTestFinished(() => folder.dispose());
  return (await test.search(folder.root, query)).hits.map(({ path }) => path);
}

function table(name: string): string {
  return `export class ${name} {\n  insert() {}\n  remove() {}\n  lookup() {}\n}\n`;
}

describe("the order of results", () => {
  it("ranks the innermost stack frame within the project first", async () => {
    const body = (name: string) => `def ${name}_it(order):\n    return check(order, "total of the order")\n`;
    const report = `Saving an order fails when its total is zero
The order has no lines, so its total is zero. Saving it should work all the same, or say what is wrong with the order.

Traceback (most recent call last):
  File "/srv/app/shop/api.py", line 1, in save
  File "/srv/app/shop/storage/writer.py", line 1, in write
  File "/usr/lib/python3/decimal.py", line 1, in quantize
decimal.InvalidOperation`;
    const paths = await first(
      {
        "shop/api.py": body("one"),
        "shop/storage/writer.py": body("two"),
        "shop/total.py": body("three"),
        "shop/order.py": body("four"),
      },
      report,
    );
    expect(paths.slice(0, 2)).toEqual(["shop/storage/writer.py", "shop/api.py"]);
  });

  it("ranks the copies in a duplicated folder below their originals", async () => {
    const names = ["Red", "Blue", "Green", "Brown", "Black", "White", "Grey", "Pink", "Gold"].map(
      (name) => `${name}Table`,
    );
    const tree = (root: string) =>
      Object.fromEntries(names.map((name) => [`${root}/${name}.js`, table(name)]));
    const paths = await first(
      { ...tree("android/core/src"), ...tree("core/src") },
      "lookup in the red table",
    );
    expect(paths[0]).toBe("core/src/RedTable.js");
    expect(paths.indexOf("android/core/src/RedTable.js")).toBeGreaterThan(0);
  });

  it("does not treat files as copies that only share their names", async () => {
    const paths = await first(
      { "b/x/errors.js": table("Alpha"), "a/errors.js": "export function wrap() {}\n" },
      "lookup and insert into alpha",
    );
    expect(paths[0]).toBe("b/x/errors.js");
  });

  it("recognizes initials of words, and names that join words", async () => {
    const files = {
      "src/csrf.py": "class Middleware:\n    def check(self, token):\n        return token\n",
      "src/codegen.py": "def emit(node):\n    return node\n",
      "src/views.py": "class View:\n    def request(self):\n        return 1\n",
    };
    expect((await first(files, "cross site request forgery protection token"))[0]).toBe("src/csrf.py");
    expect((await first(files, "code generation for a node"))[0]).toBe("src/codegen.py");
  });

  it("finds a file by its name if its text contains none of the words", async () => {
    const files = {
      "src/teleport.js": "export function move(node) {\n  return node.parent;\n}\n",
      "src/keep.js": "export function stay(node) {\n  return node;\n}\n",
    };
    expect(await first(files, "how does teleport work")).toEqual(["src/teleport.js"]);
    expect(await first({ "teleport/move.js": "export const here = 1;\n" }, "how does teleport work")).toEqual(
      [],
    );
  });

  it("ranks the source code above a guide about the same subject", async () => {
    const said = "Log rotation: rotate the log when the log is old, and rotate it daily.\n";
    const files = {
      "GUIDE.md": said.repeat(3),
      "src/sink.js": "// Begins anew.\nexport function rotate(log) {\n  return log;\n}\n",
    };
    expect((await first(files, "daily log rotation"))[0]).toBe("src/sink.js");
  });

  it("treats folders named script and build as source code inside src, and as tools beside it", async () => {
    const body = "export function analyzeBindings() {\n  return parseImports();\n}\n";
    const paths = await first(
      { "scripts/analyze.js": body, "src/script/bindings.js": body },
      "how are imports parsed",
    );
    expect(paths[0]).toBe("src/script/bindings.js");
  });

  it("ranks source code above templates, test support and bundled libraries", async () => {
    const body = "function rotateLog(file) {\n  return file;\n}\n";
    const files = {
      "app/logs.tmpl": body,
      "src/jvmTest/logs.js": body,
      "log-testing-support/logs.js": body,
      "include/bundled/logs.js": body,
      "include/sinks/logs.js": body,
    };
    expect((await first(files, "how are log files rotated"))[0]).toBe("include/sinks/logs.js");
  });

  it("ranks source code that supports tests above the tests", async () => {
    const body = "export function runInline(job) {\n  return job();\n}\n";
    const files = { "test/inline.test.js": body, "lib/inline.js": body };
    expect((await first(files, "run jobs inline in tests"))[0]).toBe("lib/inline.js");
  });

  it("gives a file name that many files share less weight than a rare one", async () => {
    const files = Object.fromEntries(
      ["a", "b", "c", "d", "e", "f"].map((name) => [`src/job_${name}.js`, `export const ${name} = "job";\n`]),
    );
    const paths = await first(
      { ...files, "src/job.js": "// job\n", "src/throttle.js": "// throttle a job\n" },
      "throttle a job",
    );
    expect(paths[0]).toBe("src/throttle.js");
  });

  it("finds a word inside a joined name even if its stem no longer contains it", async () => {
    const body = "export const find = (file) => file;\n";
    const files = { "util/codeowners.js": body, "graph/build.js": body };
    expect((await first(files, "find the owners of a file"))[0]).toBe("util/codeowners.js");
  });
});

async function located(files: Readonly<Record<string, string>>, name: string): Promise<string[]> {
  const folder = temporaryRepository({ ...files });
  onTestFinished(() => folder.dispose());
  return (await test.locate(folder.root, name)).hits.map(({ path, lineStart }) => `${path}:${lineStart}`);
}

describe("the place in a file", () => {
  it("is the definition that a comment describes, not the module around it", async () => {
    const filler = (count: number) => Array.from({ length: count }, (_, i) => `    x${i} = ${i}\n`).join("");
    const files = {
      "lib/backoff.rb": `module Tool\n  class JobRetry\n    # exponential backoff for failed jobs\n${filler(60)}  end\nend\n`,
      "lib/filter.ts": `${"const a = 1;\n".repeat(40)}/**\n * Suppresses messages that repeat themselves.\n */\nexport class Quiet {\n${"  size = 1;\n".repeat(30)}}\n`,
    };
    const folder = temporaryRepository(files);
    onTestFinished(() => folder.dispose());
    const nameFor = async (query: string) => (await test.search(folder.root, query)).hits[0]?.name;
    expect(await nameFor("exponential backoff of failed jobs")).toBe("JobRetry");
    expect(await nameFor("suppress messages that repeat")).toBe("Quiet");
  });
});

describe("a qualified name", () => {
  const go = (type: string) =>
    `package a\n\ntype ${type} struct{}\n\nfunc (c *${type}) ToMiddleware() error {\n\treturn nil\n}\n`;
  const files = {
    "compress.go": go("GzipConfig"),
    "slash.go": go("SlashConfig"),
    "db/list.h": "class List {\n public:\n  void Seek(int key);\n};\n",
    "db/list.cc": '#include "list.h"\n\nvoid List::Seek(int key) {\n  key++;\n}\n',
    "db/iterator.cc": "void Other::Seek(int key) {\n  key--;\n}\n",
    "web/types.ts": "export interface ResponseLike {\n  json(): string;\n}\n",
    "web/config.ts": "export const json = {};\nexport function load() {}\n",
    "web/other.ts": "export function load() {}\n",
  };

  it("finds a method by its receiver, and by a class that does not enclose it", async () => {
    expect((await located(files, "SlashConfig.ToMiddleware"))[0]).toBe("slash.go:5");
    expect((await located(files, "List::Seek"))[0]).toBe("db/list.cc:3");
    expect((await first(files, "List::Seek"))[0]).toBe("db/list.cc");
    expect((await located(files, "ResponseLike.json"))[0]).toBe("web/types.ts:2");
  });

  it("finds a name in the file written before it", async () => {
    expect(await located(files, "web/other.ts:load")).toEqual(["web/other.ts:1"]);
    expect((await first(files, "web/other.ts:load"))[0]).toBe("web/other.ts");
    expect((await located(files, "config.ts::load"))[0]).toBe("web/config.ts:2");
  });
});

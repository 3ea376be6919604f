import { describe, expect, it, onTestFinished } from "vitest";
import { type GitFolder, temporaryRepository } from "../support/git-folder.ts";
import { serve } from "../support/tool-calls.ts";

function repositoryOf(files: Readonly<Record<string, string>>): GitFolder {
  const folder = temporaryRepository(files);
  onTestFinished(() => folder.dispose());
  return folder;
}

/** Returns the lines about users, each with the definition before it. */
async function usersIn({ root }: GitFolder): Promise<readonly string[]> {
  const { text } = await serve(root)("search_code", { query: "what changed" });
  return [...text.matchAll(/^ \S ([^\n]+)\n(?: {3}was [^\n]+\n)? {3}((?:still|possibly) [^\n]+)/gm)].map(
    ([, definition = "", users = ""]) => `${definition}: ${users}`,
  );
}

describe("the users of a changed definition", () => {
  it("are those of a member of an enumeration that was removed or renamed", async () => {
    const folder = repositoryOf({
      "kind.ts": "export enum Kind {\n  First,\n  Second,\n}\n",
      "use.ts":
        'import { Kind } from "./kind";\nexport function isFirst(kind: Kind) {\n  return kind === Kind.First;\n}\nexport const other = Kind.Second;\n',
      "color.py": "from enum import Enum\n\n\nclass Color(Enum):\n    RED = 1\n    BLUE = 2\n",
      "paint.py": "from color import Color\n\n\ndef paint():\n    return Color.RED\n",
    });
    folder.write("kind.ts", "export enum Kind {\n  Second,\n}\n");
    folder.write(
      "color.py",
      "from enum import Enum\n\n\nclass Color(Enum):\n    CRIMSON = 1\n    BLUE = 2\n",
    );
    const users = await usersIn(folder);
    expect(users.join("\n")).toContain("use.ts:3 isFirst");
    expect(users.join("\n")).not.toContain("use.ts:5");
    expect(users.join("\n")).toContain("paint.py:5 paint");
  });

  it("are keys of objects of the type whose member was removed", async () => {
    const folder = repositoryOf({
      "big.ts": "export interface Big {\n  alpha: number;\n  beta: string;\n}\n",
      "use.ts":
        'import type { Big } from "./big";\nconst g: Big = { alpha: 1, beta: "b" };\nexport function read(big: Big) {\n  return big.alpha;\n}\n',
      "other.ts": "interface Small {\n  alpha: number;\n}\nexport const small: Small = { alpha: 2 };\n",
    });
    folder.write("big.ts", "export interface Big {\n  beta: string;\n}\n");
    const users = await usersIn(folder);
    expect(users).toEqual([expect.stringContaining("still used outside: use.ts:2, :4 read")]);
  });

  it("are those who import what is no longer exported, and not those of its own file", async () => {
    const folder = repositoryOf({
      "a.ts": "export function helper() {\n  return 1;\n}\nexport const used = helper();\n",
      "b.ts": 'import { helper } from "./a";\nexport const b = helper();\n',
    });
    folder.write("a.ts", "function helper() {\n  return 1;\n}\nexport const used = helper();\n");
    expect(await usersIn(folder)).toEqual(["1-3 function helper(): still used outside: b.ts:2"]);
  });

  it("are those who import a default export that has a name now", async () => {
    const folder = repositoryOf({
      "a.ts": "export default class Box {\n  size = 1;\n}\n",
      "b.ts": 'import Crate from "./a";\nexport const b = new Crate();\n',
      "c.ts": "class Own {}\nexport const own = new Own();\n",
    });
    folder.write("a.ts", "export class Box {\n  size = 1;\n}\n");
    folder.write("c.ts", "export class Own {}\nexport const own = new Own();\n");
    expect(await usersIn(folder)).toEqual(["1-3 export class Box: still used outside: b.ts:2"]);
  });

  it("include lines that did not change in functions that did", async () => {
    const folder = repositoryOf({
      "a.js":
        "export function a(x) {\n  return x;\n}\nexport function gone() {\n  return 'nothing else';\n}\n",
      "u.js":
        'import { a, gone } from "./a.js";\nexport function user() {\n  const q = 1;\n  const r = a(2);\n  const s = a(3);\n  return q + r + s + gone();\n}\n',
    });
    folder.write("a.js", "export function a(x, y) {\n  return x;\n}\n");
    folder.write(
      "u.js",
      'import { a, gone } from "./a.js";\nexport function user() {\n  const q = 5;\n  if (q) {\n    const r = a(2);\n  }\n  const s = a(3, 4);\n  return q + r + s + gone();\n}\n',
    );
    expect(await usersIn(folder)).toEqual([
      "1-3 export function a(x, y): still used outside: u.js:5 user",
      "4-6 export function gone(): still used outside: u.js:8 user",
    ]);
  });

  it("include edited lines with a name that leads nowhere now", async () => {
    const folder = repositoryOf({
      "a.js":
        "export function a(x) {\n  return x;\n}\nexport function gone(x) {\n  return ['nothing else', x];\n}\n",
      "u.js": 'import { gone } from "./a.js";\nexport function user() {\n  return gone(1);\n}\n',
      "v.js": 'import { gone } from "./a.js";\nexport function other() {\n  return gone(1);\n}\n',
    });
    folder.write("a.js", "export function a(x) {\n  return x;\n}\n");
    folder.write("u.js", 'import { gone } from "./a.js";\nexport function user() {\n  return gone(2);\n}\n');
    folder.write("v.js", "const gone = (x) => x;\nexport function other() {\n  return gone(2);\n}\n");
    expect(await usersIn(folder)).toEqual(["4-6 export function gone(x): still used outside: u.js:3 user"]);
  });

  it("leave out calls over several lines whose arguments changed, and include those in moved functions", async () => {
    const caller = (value: string) =>
      `export function call() {\n  return a(\n    'a long argument',\n    ${value},\n  );\n}\n`;
    const moved = "export function moved() {\n  const first = 'something';\n  return a(first);\n}\n";
    const head = 'import { a } from "./a.js";\n';
    const folder = repositoryOf({
      "a.js": "export function a(x) {\n  return x;\n}\n",
      "u.js": `${head}${caller("1")}${moved}`,
    });
    folder.write("a.js", "export function a(x, y) {\n  return x;\n}\n");
    folder.write("u.js", `${head}${caller("2")}`);
    folder.write("v.js", `${head}${moved}`);
    expect(await usersIn(folder)).toEqual(["1-3 export function a(x, y): still used outside: v.js:4 moved"]);
  });

  it("are found in files that were renamed", async () => {
    const folder = repositoryOf({
      "a.js": "export function a(x) {\n  return x;\n}\nexport function b() {\n  return 'nothing else';\n}\n",
      "u.js": 'import { b } from "./a.js";\nexport function user() {\n  return b();\n}\n',
    });
    folder.write("a.js", "export function a(x) {\n  return x;\n}\n");
    folder.git("mv", "u.js", "w.js");
    expect(await usersIn(folder)).toEqual(["4-6 export function b(): still used outside: w.js:3 user"]);
  });
});

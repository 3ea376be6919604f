import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestIndex, placesOf, type TestIndex } from "../support/code-index.ts";
import { temporaryRepository, type GitFolder } from "../support/git-folder.ts";

const FILES = {
  "src/auth/hashers.py": `"""Password hashing."""

def make_password(password, salt=None):
    """Turn a plain-text password into a hash for storage."""
    return encode(password, salt)


class PBKDF2PasswordHasher:
    algorithm = "pbkdf2"

    def verify(self, password, encoded):
        return constant_time_compare(encoded, password)
`,
  "src/auth/tokens.py": `class TokenGenerator:
    def make_token(self, user):
        return user.pk

    def verify(self, token):
        return True
`,
  "src/http/server.ts": `export interface ServerOptions { port: number }

/** Starts listening for requests. */
export function startServer(options: ServerOptions): void {
  throw new Error("address already in use: " + options.port);
}
`,
  "src/tax.js": `const RATES = { de: 0.19, tax: 0.2, rate: 0.1 };

export function taxFor(country, net) {
  const rate = RATES[country];
  if (rate === undefined) throw new Error(\`no tax rate for \${country}\`);
  return Math.round(net * rate);
}
`,
  "src/http/index.ts": `export * from "./server.ts";\n`,
  "tests/test_hashers.py": `from src.auth.hashers import make_password

def test_make_password():
    assert make_password("password hashing")
`,
  "docs/passwords.md": "# Password hashing\n\nHow make_password works.\n",
  "assets/logo.png": "\0binary",
  "assets/bundle.js": `var a=1;${"b(2);".repeat(2_000)}`,
};

let folder: GitFolder;
let test: TestIndex;
beforeAll(() => {
  folder = temporaryRepository(FILES);
  test = createTestIndex();
});
afterAll(async () => {
  await test.dispose();
  folder.dispose();
});

describe("search", () => {
  const first = async (query: string) => placesOf(await test.search(folder.root, query))[0];

  it.each([
    ["how are passwords hashed", "src/auth/hashers.py"],
    ["make_password", "src/auth/hashers.py:3 make_password"],
    ['"no tax rate for"', "src/tax.js:3 taxFor"],
    ["TokenGenerator.verify", "src/auth/tokens.py:5 verify"],
    ["src/http/server.ts", "src/http/server.ts:1"],
    ['"address already in use"', "src/http/server.ts:4 startServer"],
    ["start the server", "src/http/server.ts:4 startServer"],
    ["test make password", "tests/test_hashers.py"],
  ])("answers %s", async (query, place) => {
    expect(await first(query)).toContain(place);
  });

  it("counts one place per file, with tests and prose after source code", async () => {
    const { hits } = await test.search(folder.root, "password hash");
    const paths = hits.filter(({ isFurther }) => isFurther === undefined).map((hit) => hit.path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths[0]).toBe("src/auth/hashers.py");
  });

  it("restricts to paths, globs, languages and kinds", async () => {
    const paths = async (more: object) =>
      (await test.search(folder.root, "password verify server", more)).hits
        .filter(({ isFurther }) => isFurther === undefined)
        .map((hit) => hit.path);
    expect(await paths({ path: "src/auth" })).toEqual(["src/auth/hashers.py", "src/auth/tokens.py"]);
    expect(await paths({ path: "**/*.ts" })).toEqual(["src/http/server.ts", "src/http/index.ts"]);
    expect(await paths({ path: "src/{auth,nothing}/tok*.py" })).toEqual(["src/auth/tokens.py"]);
    expect(await paths({ path: "[!t]*.py" })).toEqual(["src/auth/hashers.py"]);
    expect(await paths({ path: "**/auth,x.ts" })).toEqual([]);
    await expect(paths({ path: "src/[a" })).rejects.toMatchObject({ code: "invalid_input" });
    expect(await paths({ language: "typescript" })).toEqual(["src/http/server.ts", "src/http/index.ts"]);
    expect(await paths({ kind: "interface" })).toEqual(["src/http/server.ts"]);
    await expect(paths({ language: "typscript" })).rejects.toMatchObject({ code: "invalid_input" });
    await expect(paths({ kind: "clas" })).rejects.toMatchObject({ code: "invalid_input" });
    await expect(paths({ path: "../other" })).rejects.toMatchObject({ code: "workspace_not_allowed" });
  });

  it("reports which files were searched when nothing is found", async () => {
    const answer = await test.search(folder.root, "zzyzx");
    expect(answer.hits).toEqual([]);
    expect(answer.searched).toMatchObject({ files: 7, binary: 1, minified: 1, pending: 0 });
  });

  it("counts only files that the filter accepts", async () => {
    const searched = async (more: object) => (await test.search(folder.root, "zzyzx", more)).searched;
    const none = { files: 0, binary: 0, minified: 0, notParsed: 0 };
    expect(await searched({})).toMatchObject({ filtered: false, files: 7 });
    expect(await searched({ path: "src/auth" })).toMatchObject({ ...none, filtered: true, files: 2 });
    expect(await searched({ path: "assets" })).toMatchObject({ ...none, binary: 1, minified: 1 });
    expect(await searched({ language: "python" })).toMatchObject({ ...none, files: 3 });
    expect(await searched({ path: "nowhere" })).toMatchObject({ ...none, filtered: true });
  });

  it("suggests the most similar language for an unknown one, else lists all", async () => {
    const ask = (language: string) => test.search(folder.root, "token", { language });
    await expect(ask("klingon")).rejects.toMatchObject({
      data: { suggestion: expect.stringContaining("typescript, tsx, javascript, python") },
    });
    await expect(ask("pyhton")).rejects.toMatchObject({ data: { suggestion: "Did you mean python?" } });
  });

  it("shows more at every level of detail", async () => {
    const at = async (level: string) => (await test.search(folder.root, "make_password", { level })).hits[0];
    expect(await at("location")).not.toHaveProperty("signature");
    expect(await at("signature")).toMatchObject({
      signature: "def make_password(password, salt=None)",
      language: "python",
    });
    expect((await at("concise"))?.content).toContain("Turn a plain-text password");
    expect(
      (await test.search(folder.root, "TokenGenerator.verify", { level: "context" })).hits[0]?.parent,
    ).toMatchObject({
      name: "TokenGenerator",
      line: 1,
    });
    expect(await at("detailed")).toMatchObject({ contextBefore: '"""Password hashing."""\n' });
  });
});

describe("locate", () => {
  const names = async (name: string, more: object = {}) =>
    placesOf(await test.locate(folder.root, name, more));

  it("finds exact, qualified, differently written and partial names", async () => {
    expect(await names("verify")).toEqual(["src/auth/hashers.py:11 verify", "src/auth/tokens.py:5 verify"]);
    expect(await names("TokenGenerator.verify")).toEqual(["src/auth/tokens.py:5 verify"]);
    expect(await names("tokens::verify")).toEqual(["src/auth/tokens.py:5 verify"]);
    expect(await names("MAKE_PASSWORD")).toEqual(["src/auth/hashers.py:3 make_password"]);
    expect(await names("makeTok")).toEqual(["src/auth/tokens.py:2 make_token"]);
    expect(await names("PasswordHasher")).toEqual(["src/auth/hashers.py:8 PBKDF2PasswordHasher"]);
    expect(await names("startServer", { kind: "function" })).toEqual(["src/http/server.ts:4 startServer"]);
    expect(await names("startServer", { kind: "class" })).toEqual([]);
  });

  it("suggests similar names if none is found", async () => {
    const answer = await test.locate(folder.root, "startServr");
    expect(answer.hits).toEqual([]);
    expect(answer.nearest).toEqual(["startServer"]);
    // Two letters of a short name are swapped.
    expect((await test.locate(folder.root, "vreify")).nearest).toEqual(["verify"]);
  });
});

describe("outline", () => {
  it("contains all symbols of a file, or only the top-level ones", async () => {
    const whole = await test.index.outline({ root: folder.root, path: "src/auth/tokens.py", depth: "all" });
    expect(whole.symbols.map((symbol) => symbol.qualifiedName)).toEqual([
      "TokenGenerator",
      "TokenGenerator.make_token",
      "TokenGenerator.verify",
    ]);
    const top = await test.index.outline({ root: folder.root, path: "./src/auth/tokens.py", depth: "top" });
    expect(top.symbols.map((symbol) => symbol.name)).toEqual(["TokenGenerator"]);
  });

  it("parses a file as the requested language", async () => {
    const ask = (language: string) =>
      test.index.outline({ root: folder.root, path: "docs/passwords.md", depth: "all", language });
    expect((await ask("markdown")).symbols.map(({ name }) => name)).toEqual(["Password hashing"]);
    expect(await ask("python")).toMatchObject({ language: "python", symbols: [] });
    await expect(ask("pyhton")).rejects.toMatchObject({ code: "invalid_input" });
  });

  it("suggests a similar path, and says why a file is not indexed", async () => {
    const ask = (path: string) => test.index.outline({ root: folder.root, path, depth: "all" });
    await expect(ask("tokens.py")).rejects.toMatchObject({
      code: "file_not_found",
      data: { nearest: ["src/auth/tokens.py"] },
    });
    await expect(ask("assets/logo.png")).rejects.toMatchObject({ code: "not_text" });
    await expect(ask("assets/bundle.js")).rejects.toThrow("minified");
    await expect(ask("src/auth")).rejects.toThrow("src/auth is a folder");
  });
});

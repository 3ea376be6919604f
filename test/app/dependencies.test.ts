import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../support/folder.ts";
import { serve as serveWith } from "../support/tool-calls.ts";

/** Opens a server on a workspace, whose user has this home folder and these environment variables. */
function serve(workspace: string, home = makeFolder(), variables: Record<string, string> = {}) {
  return serveWith(workspace, { home, variables });
}

const TOKEN = ["ghp", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17"].join("_");

const WIDGET = {
  "package.json": '{"name":"widget","version":"2.1.0"}',
  "lib/paint.js": "export function paintWidget(color) {\n  return color;\n}\n",
  "lib/secret.js": `export const token = "${TOKEN}";\n`,
};

function below(folder: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));
}

describe("an installed dependency by name", () => {
  it("is searched, outlined and read at the installed version, apart from the workspace", async () => {
    const workspace = makeFolder({
      "src/app.js": "export function paintApp() {}\n",
      ".gitignore": "node_modules\nlib\n",
      "package.json": '{"dependencies":{"widget":"^2"}}',
      ...below("node_modules/widget", WIDGET),
    });
    const ask = serve(workspace);
    const found = await ask("locate_symbol", { name: "paintWidget", path: "dep:widget" });
    expect(found.text).toBe(
      "(widget 2.1.0, npm)\ndep:widget/lib/paint.js:1-3 export function paintWidget(color)",
    );
    const searched = await ask("search_code", { query: "paint", path: "node_modules/widget" });
    expect(searched.text).toContain("dep:widget/lib/paint.js:1-3");
    expect(searched.text).not.toContain("paintApp");
    const own = await ask("search_code", { query: "paint" });
    expect(own.text).not.toContain("paintWidget");
    const outline = await ask("get_file_outline", { path: "dep:widget/lib/paint.js" });
    expect(outline.text).toBe(
      "dep:widget/lib/paint.js javascript 3 lines\n(widget 2.1.0, npm)\n1 export function paintWidget(color)",
    );
    const lines = await ask("read", { file_path: "dep:widget/lib/paint.js:2-2" });
    expect(lines.text).toBe(
      "dep:widget/lib/paint.js:2-2 (widget 2.1.0, npm)\n2|   return color;\n[of 3 lines]",
    );
    const matches = await ask("grep", { pattern: "return", path: "dep:widget" });
    expect(matches.text).toBe("dep:widget/lib/paint.js:2:   return color;");
    const symbol = await ask("read", { file_path: "dep:widget#paintWidget" });
    expect(symbol.text).toContain("1| export function paintWidget(color) {");
  });

  it("says the same in all three formats", async () => {
    const ask = serve(makeFolder(below("node_modules/widget", WIDGET)));
    const args = { name: "paintWidget", path: "dep:widget" };
    const json: unknown = JSON.parse((await ask("locate_symbol", { ...args, response_format: "json" })).text);
    expect(json).toMatchObject({
      results: [{ path: "dep:widget/lib/paint.js", line_start: 1 }],
      dependency: { name: "widget", version: "2.1.0", ecosystem: "npm" },
    });
    const { results } = json as { results: { result_id: string }[] };
    const byId = await ask("read", { file_path: results[0]?.result_id });
    expect(byId.text).toContain("dep:widget/lib/paint.js:1-3 (widget 2.1.0, npm)");
    const markdown = (await ask("locate_symbol", { ...args, response_format: "markdown" })).text;
    expect(markdown).toContain("(widget 2.1.0, npm)");
    expect(markdown).toContain("`dep:widget/lib/paint.js`");
  });

  it("masks secrets as in the workspace", async () => {
    const ask = serve(makeFolder(below("node_modules/widget", WIDGET)));
    for (const [tool, args] of [
      ["read", { file_path: "dep:widget/lib/secret.js" }],
      ["search_code", { query: "token", path: "dep:widget", detail_level: "detailed" }],
      ["get_file_outline", { path: "dep:widget/lib/secret.js" }],
    ] as const) {
      const { text } = await ask(tool, args);
      expect(text).toContain("token");
      expect(text).not.toContain(TOKEN);
    }
  });

  it("names the nearest packages if it is not installed", async () => {
    const ask = serve(makeFolder(below("node_modules/widget", WIDGET)));
    const { error } = await ask("locate_symbol", { name: "x", path: "dep:wigdet/lib" });
    expect(error).toMatchObject({ code: "file_not_found", data: { nearest: ["dep:widget"] } });
    const none = await serve(makeFolder())("read", { file_path: "dep:widget/a.js" });
    expect(none.error?.data["suggestion"]).toContain("install its dependencies first");
  });

  it("is said to be required but not installed if a manifest or lockfile names it", async () => {
    const crate = (name: string) =>
      `[[package]]\nname = "${name}"\nversion = "1.2.3"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\n`;
    const workspace = makeFolder({
      "go.mod": "module example.com/a\n\nrequire github.com/spf13/pflag v1.0.5\n",
      "Cargo.lock": `${crate("clap_lex")}\n${crate("here")}`,
      "vendor/here/Cargo.toml": '[package]\nname = "here"\nversion = "1.2.3"\n',
      "vendor/here/src/lib.rs": "pub fn here() {}\n",
    });
    const ask = serve(workspace);
    const find = async (name: string) => (await ask("locate_symbol", { name: "x", path: name })).text;
    expect(await find("dep:pflag")).toContain(
      "github.com/spf13/pflag v1.0.5 is required here, but not installed",
    );
    expect(await find("dep:clap-lex")).toContain("clap_lex 1.2.3 is required here, but not installed");
    expect(await find("dep:clap-lex")).toContain("cargo fetch");
    expect(await find("dep:here@9")).toContain("No installed dependency");
    expect(await find("dep:nothing")).toContain("Installed here: 1 package");
  });

  it("has a map of its own code, though it is in a folder such as dist", async () => {
    const workspace = makeFolder(
      below("node_modules/built", {
        "package.json": '{"name":"built","version":"1.0.0","main":"dist/index.js"}',
        "dist/index.js": 'import { part } from "./part.js";\nexport const whole = () => part();\n',
        "dist/part.js": "export function part() {}\n",
      }),
    );
    const { text } = await serve(workspace)("get_file_outline", { path: "dep:built" });
    expect(text).toContain("dist/part.js 100 %");
    expect(text).not.toContain("vendored");
  });

  it("is no working folder for commands", async () => {
    const ask = serve(makeFolder(below("node_modules/widget", WIDGET)));
    const { error } = await ask("bash", { command: "pwd", cwd: "dep:widget" });
    expect(error?.code).toBe("invalid_cwd");
  });
});

describe("the jail of a dependency", () => {
  it("refuses paths and links that lead out of the package", async () => {
    const outside = makeFolder({ "secret.txt": "secret", "package.json": '{"name":"evil"}' });
    const workspace = makeFolder({ ...below("node_modules/widget", WIDGET), "own.txt": "own" });
    symlinkSync(join(outside, "secret.txt"), join(workspace, "node_modules/widget/leak.txt"));
    symlinkSync(outside, join(workspace, "node_modules/evil"));
    const ask = serve(workspace);
    for (const path of [
      "dep:widget/../../own.txt",
      "dep:widget/../../../secret.txt",
      `dep:widget/${outside}/secret.txt`.replace("//", "/"),
      "dep:widget/leak.txt",
      "dep:evil/secret.txt",
      "dep:../../secret.txt",
      join(outside, "node_modules/widget/a.js"),
    ]) {
      const { error, text } = await ask("read", { file_path: path });
      expect(error?.code, path).toMatch(/^(?:workspace_not_allowed|file_not_found)$/);
      expect(text).not.toContain('"secret"');
    }
    const { error } = await ask("search_code", { query: "secret", path: "node_modules/evil" });
    expect(error?.code).toBe("workspace_not_allowed");
  });
});

describe("the lookup rules", () => {
  it("follow pnpm's links, and name the other versions in its store", async () => {
    // As `pnpm install` of version 9.15.9 lays it out.
    const store = "node_modules/.pnpm/widget@2.1.0/node_modules/widget";
    const older = {
      "package.json": '{"name":"widget","version":"1.0.0"}',
      "old.js": "export const old = 1;\n",
    };
    const workspace = makeFolder({
      ...below(store, WIDGET),
      ...below("node_modules/.pnpm/widget@1.0.0/node_modules/widget", older),
    });
    symlinkSync(".pnpm/widget@2.1.0/node_modules/widget", join(workspace, "node_modules/widget"));
    const ask = serve(workspace);
    const { text } = await ask("locate_symbol", { name: "paintWidget", path: "dep:widget" });
    expect(text).toContain("(widget 2.1.0, npm; also dep:widget@1.0.0)");
    const old = await ask("locate_symbol", { name: "old", path: "dep:widget@1.0.0" });
    expect(old.text).toContain("dep:widget@1.0.0/old.js:1");
  });

  it("find a package of a monorepo, and one above a workspace inside of the repository", async () => {
    const repository = makeFolder({
      ".git/HEAD": "ref: refs/heads/main\n",
      "packages/a/package.json": '{"devDependencies":{"@scope/widget":"1"}}',
      ...below("packages/a/node_modules/@scope/widget", WIDGET),
      ...below("node_modules/hoisted", WIDGET),
    });
    const nested = await serve(repository)("read", { file_path: "dep:@scope/widget/lib/paint.js:1-1" });
    expect(nested.text).toContain("(@scope/widget 2.1.0, npm)");
    const above = await serve(join(repository, "packages/a"))("read", {
      file_path: "dep:hoisted/lib/paint.js:1-1",
    });
    expect(above.text).toContain("(hoisted 2.1.0, npm)");
  });

  it("find Python packages of the virtual environment, by distribution and by module", async () => {
    const site = ".venv/lib/python3.12/site-packages";
    const workspace = makeFolder({
      ".venv/pyvenv.cfg": "home = /usr/bin\ninclude-system-site-packages = false\n",
      [`${site}/PyYAML-6.0.2.dist-info/RECORD`]:
        "yaml/__init__.py,,\n_yaml/__init__.py,,\n../../../bin/x.py,,\n/etc/y.py,,\n",
      [`${site}/yaml/__init__.py`]: "def safe_load(stream):\n    return stream\n",
      [`${site}/_yaml/__init__.py`]: "",
      [`${site}/six-1.17.0.dist-info/top_level.txt`]: "six\n",
      [`${site}/six.py`]: "def ensure_str(s):\n    return s\n",
      [`${site}/google_api-1.0.dist-info/RECORD`]: "google/api/core.py,,\ngoogle/api/sub/x.py,,\n",
      [`${site}/google/api/core.py`]: "def call_api():\n    pass\n",
      [`${site}/google/other/core.py`]: "def call_other():\n    pass\n",
    });
    const ask = serve(workspace);
    for (const path of ["dep:pyyaml", "dep:yaml", `${workspace}/${site}/yaml`]) {
      const { text } = await ask("locate_symbol", { name: "safe_load", path });
      expect(text, path).toMatch(/^\(yaml 6\.0\.2, python/);
    }
    const six = await ask("get_file_outline", { path: "dep:six" });
    expect(six.text).toContain("(six 1.17.0, python)\n1 def ensure_str(s)");
    expect((await ask("search_code", { query: "str", path: "dep:six" })).error?.code).toBe("invalid_input");
    const shared = await ask("search_code", { query: "call", path: "dep:google-api" });
    expect(shared.text).toContain("call_api");
    expect(shared.text).not.toContain("call_other");
    // The environment is closed, so packages of the system are not what this workspace imports.
    expect((await ask("read", { file_path: "dep:pip/__init__.py" })).error?.code).toBe("file_not_found");
  });

  it("find Go modules in the module cache and in the vendor folder, with replacements", async () => {
    const home = makeFolder({
      "go/pkg/mod/github.com/!burnt!sushi/toml@v1.3.2/decode.go": "package toml\n\nfunc Decode() {}\n",
      "go/pkg/mod/example.com/fork@v0.2.0/fork.go": "package fork\n\nfunc Fork() {}\n",
    });
    const manifest = `module example.com/app\n\nrequire (\n\tgithub.com/BurntSushi/toml v1.3.2 // indirect\n\texample.com/old v0.1.0\n\texample.com/kept v1.0.0\n)\n\nreplace example.com/old => example.com/fork v0.2.0\n`;
    const workspace = makeFolder({
      "go.mod": manifest,
      "vendor/example.com/kept/kept.go": "package kept\n\nfunc Kept() {}\n",
    });
    const ask = serve(workspace, home);
    const toml = await ask("locate_symbol", { name: "Decode", path: "dep:github.com/BurntSushi/toml" });
    expect(toml.text).toContain("(github.com/BurntSushi/toml v1.3.2, go)");
    expect((await ask("locate_symbol", { name: "Decode", path: "dep:toml" })).text).toContain(
      "dep:toml/decode.go:3",
    );
    expect((await ask("read", { file_path: "dep:example.com/old/fork.go" })).text).toContain("func Fork");
    expect((await ask("read", { file_path: "dep:example.com/kept/kept.go" })).text).toContain("func Kept");
  });

  it("find crates of the lockfile in cargo's registry", async () => {
    const crate = "registry/src/index.crates.io-6f17d22bba15001f/rand_core-0.6.4";
    const cargo = makeFolder({ [`${crate}/src/lib.rs`]: "pub trait RngCore {}\n" });
    const entry = (name: string, version: string, source = true) =>
      `[[package]]\nname = "${name}"\nversion = "${version}"\n${source ? 'source = "registry+https://github.com/rust-lang/crates.io-index"\n' : ""}\n`;
    const workspace = makeFolder({
      "Cargo.lock": entry("rand_core", "0.6.4") + entry("app", "0.1.0", false),
    });
    const ask = serve(workspace, makeFolder(), { CARGO_HOME: cargo });
    const { text } = await ask("locate_symbol", { name: "RngCore", path: "dep:rand-core" });
    expect(text).toBe("(rand_core 0.6.4, cargo)\ndep:rand-core/src/lib.rs:1 pub trait RngCore");
    expect((await ask("read", { file_path: "dep:app/src/lib.rs" })).error?.code).toBe("file_not_found");
  });

  it("see a package that was installed a moment ago", async () => {
    const workspace = makeFolder(below("node_modules/widget", WIDGET));
    const ask = serve(workspace);
    await ask("locate_symbol", { name: "paintWidget", path: "dep:widget" });
    mkdirSync(join(workspace, "node_modules/later"));
    writeFileSync(join(workspace, "node_modules/later/package.json"), '{"version":"9.0.0"}');
    writeFileSync(join(workspace, "node_modules/later/a.js"), "export const soon = 1;\n");
    writeFileSync(join(workspace, "node_modules/widget/lib/paint.js"), "export function repainted() {}\n");
    expect((await ask("locate_symbol", { name: "soon", path: "dep:later" })).text).toContain(
      "(later 9.0.0, npm)",
    );
    expect((await ask("locate_symbol", { name: "repainted", path: "dep:widget" })).text).toContain(
      "paint.js:1",
    );
  });
});

describe("the packages of this repository", () => {
  it("are found where npm installed them", async () => {
    const ask = serve(join(import.meta.dirname, "../.."));
    const { text } = await ask("locate_symbol", { name: "parse", path: "dep:smol-toml", limit: 1 });
    expect(text).toMatch(
      /^\(smol-toml \d+\.\d+\.\d+, npm\)\ndep:smol-toml\/dist\/parse\.js:\d+-\d+ export function parse/,
    );
  });
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../support/folder.ts";
import { folderAt } from "../support/git-folder.ts";
import { type Ask, serve } from "../support/tool-calls.ts";

const API = {
  "src/login.ts":
    "/** Checks the password. */\nexport function login(password: string) {\n  return password;\n}\n",
  "src/mail.ts": "export function sendMail() {}\n",
};
const WEB = {
  "app/form.ts": "export function renderForm() {\n  return login('x');\n}\n",
  "app/login.ts": "export function login(name: string) {\n  return name;\n}\n",
  "app/notify.ts":
    "import { sendMail } from 'api';\nimport { login } from './login';\n" +
    "export function notify() {\n  login('x');\n  sendMail();\n}\n",
};

interface Projects {
  readonly top: string;
  readonly ask: Ask;
}

/** Two indexed projects, `api` and `web`, below the folder that the server serves. */
async function twoProjects(): Promise<Projects> {
  const top = makeFolder();
  const data = join(makeFolder(), "data");
  const below = (name: string, files: Readonly<Record<string, string>>) =>
    Object.entries(files).map(([path, text]) => [`${name}/${path}`, text]);
  const folder = makeFolder(Object.fromEntries([...below("api", API), ...below("web", WEB)]));
  const ask = serve(top, { roots: [folder], data });
  for (const name of ["api", "web"])
    await ask("search_code", { query: "login", workspace: join(folder, name) });
  return { top: folder, ask };
}

describe("a question about several projects", () => {
  it("is answered by one list with prefixed paths, which other tools accept", async () => {
    const { top, ask } = await twoProjects();
    const named = await ask("locate_symbol", {
      name: "login",
      workspace: [join(top, "api"), join(top, "web")],
    });
    expect(named.text.split("\n").toSorted()).toEqual([
      " used in 1 place in 1 file: 1 sure",
      "(2 projects: api, web)",
      "api:src/login.ts:2-4 export function login(password: string)",
      "web:app/login.ts:1-3 export function login(name: string)",
    ]);
    const all = await ask("search_code", { query: "send mail", workspace: "all" });
    expect(all.text.split("\n")[0]).toBe("api:src/mail.ts:1 export function sendMail()");
    expect(all.text).toContain("(2 projects: web, api)");
    const lines = await ask("read", { file_path: "web:app/form.ts:1-1" });
    expect(lines.text).toContain("1| export function renderForm() {");
    const symbol = await ask("read", { file_path: "api:src/login.ts#login" });
    expect(symbol.text).toContain("api:src/login.ts:2-4");
    expect((await ask("get_file_outline", { path: "web:app/form.ts" })).text).toContain("renderForm");
    const within = await ask("search_code", { query: "login", workspace: "api,web", path: "app" });
    expect(within.text).not.toContain("api:");
  });

  it("has exact totals, and a cursor that leads through all results once", async () => {
    const { ask } = await twoProjects();
    const seen: string[] = [];
    let cursor: string | undefined;
    let total = 0;
    do {
      const { text } = await ask("search_code", {
        query: "login",
        workspace: "api,web",
        limit: 1,
        response_format: "json",
        ...(cursor !== undefined && { cursor }),
      });
      const page = JSON.parse(text) as {
        results: { path: string; further_place?: boolean }[];
        total_count: number;
        cursor?: string;
      };
      seen.push(...page.results.filter((one) => one.further_place !== true).map(({ path }) => path));
      total = page.total_count;
      cursor = page.cursor;
    } while (cursor !== undefined && seen.length < 20);
    expect(new Set(seen).size).toBe(total);
    expect(seen).toHaveLength(total);
    expect(seen.toSorted()).toEqual([
      "api:src/login.ts",
      "web:app/form.ts",
      "web:app/login.ts",
      "web:app/notify.ts",
    ]);
  });

  it("lists callers, also in projects that only import the name", async () => {
    const { ask } = await twoProjects();
    const login = { name: "login", relation: "callers", workspace: "api,web" };
    expect((await ask("locate_symbol", login)).text).toBe(
      [
        "callers of login (2 definitions): 1 sure in 1 file",
        "of login (web:app/login.ts:1): 1 sure",
        "web:app/notify.ts notify:4",
        "of login (api:src/login.ts:2): none",
        "(2 projects: api, web)",
      ].join("\n"),
    );
    const mail = await ask("search_code", { query: "who calls sendMail", workspace: "api,web" });
    expect(mail.text).toBe(
      [
        "callers of sendMail (api:src/mail.ts:1): 1 possible in 1 file",
        "web:app/notify.ts notify:5?",
        "(? in web: not defined there, only the name matches)",
        "(2 projects: api, web)",
      ].join("\n"),
    );
    const json: unknown = JSON.parse(
      (await ask("locate_symbol", { ...login, response_format: "json" })).text,
    );
    expect(json).toMatchObject({
      total_count: 1,
      sure: 1,
      projects: [
        { name: "api", total_count: 0 },
        { name: "web", total_count: 1 },
      ],
    });
    const missing = await ask("locate_symbol", { ...login, name: "logon" });
    expect(missing.text).toContain("logon is not defined in 5 files; nearest names: login");
  });

  it("maps each project, and names those that did not fit", async () => {
    const { ask } = await twoProjects();
    const { text } = await ask("search_code", { query: "overview", workspace: "api,web" });
    expect(text).toMatch(/^api 2 files, 5 lines: TypeScript 100 %$/m);
    expect(text).toMatch(/^web 3 files, 12 lines: TypeScript 100 %$/m);
    expect(text).toContain("web:app/login.ts");
    const json = JSON.parse(
      (await ask("search_code", { query: "overview", workspace: "api,web", response_format: "json" })).text,
    ) as { overviews: { path: string }[] };
    expect(json.overviews.map(({ path }) => path)).toEqual(["api", "web"]);
  });

  it("says what changed in each repository", async () => {
    const { top, ask } = await twoProjects();
    const api = folderAt(join(top, "api"));
    for (const command of ["init -q", "add .", "commit -qm first"]) api.git(...command.split(" "));
    writeFileSync(join(top, "api/src/mail.ts"), "export function sendMail(to: string) {}\n");
    const { text } = await ask("search_code", { query: "what changed", workspace: "api,web" });
    expect(text).toContain("definitions: 1 with a new signature");
    expect(text).toContain("api:src/mail.ts\n ! 1 export function sendMail(to: string)");
    expect(text).toContain("(1 project: api)\n(web: ");
    const web = folderAt(join(top, "web"));
    for (const command of ["init -q", "add .", "commit -qm other"]) web.git(...command.split(" "));
    const both = await ask("search_code", { query: "what changed", workspace: "api,web" });
    // A project without changes is only named at the end.
    expect(both.text).toMatch(/^Changes from HEAD \([0-9a-f]{7}\) to the working tree: 1 file/);
    expect(both.text).toContain("(2 projects: api, web)");
  });

  it("says the same in JSON and Markdown, with the state of each project", async () => {
    const { top, ask } = await twoProjects();
    const args = { name: "login", workspace: "all" };
    const json: unknown = JSON.parse((await ask("locate_symbol", { ...args, response_format: "json" })).text);
    expect(json).toMatchObject({
      total_count: 2,
      projects: [
        { name: "web", root: join(top, "web"), total_count: 1, freshness_status: "fresh" },
        { name: "api", root: join(top, "api"), total_count: 1, freshness_status: "fresh" },
      ],
    });
    const markdown = (await ask("locate_symbol", { ...args, response_format: "markdown" })).text;
    expect(markdown).toContain("`web:app/login.ts`");
    expect(markdown).toContain("(2 projects: web, api)");
  });

  it("sees an edit in any of them", async () => {
    const { top, ask } = await twoProjects();
    writeFileSync(join(top, "web/app/form.ts"), "export function brandNew() {}\n");
    const { text } = await ask("locate_symbol", { name: "brandNew", workspace: "all" });
    expect(text).toContain("web:app/form.ts:1");
  });

  it("searches no project outside the allowed folders", async () => {
    const data = join(makeFolder(), "data");
    const secret = makeFolder({ "a.ts": "export function hush() {}\n" });
    const own = makeFolder({ "b.ts": "export function own() {}\n" });
    await serve(secret, { data })("search_code", { query: "hush" });
    const ask = serve(own, { data });
    await ask("search_code", { query: "own" });
    const all = await ask("locate_symbol", { name: "hush", workspace: "all" });
    expect(all.text).not.toContain("export function hush");
    expect(all.text).toContain("left out: 1 not allowed");
    for (const workspace of [[own, secret], `${own},${secret}`])
      expect((await ask("search_code", { query: "hush", workspace })).error?.code).toBe(
        "workspace_not_allowed",
      );
    const name = secret.slice(secret.lastIndexOf("/") + 1);
    expect((await ask("read", { file_path: `${name}:a.ts` })).error?.code).toBe("workspace_not_allowed");
  });

  it("goes on without a project that cannot answer, and says why", async () => {
    const { ask } = await twoProjects();
    const { error } = await ask("search_code", { query: "login", workspace: "all", ref: "main" });
    expect(error?.code).toBe("ref_not_found");
    const one = await ask("read", { file_path: "src/login.ts", workspace: "api,web" });
    expect(one.error?.message).toBe("read: workspace takes one folder or project");
  });
});

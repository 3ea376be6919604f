import { execFileSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { styledTexts } from "../../src/page/log/ansi.ts";
import { BINARY, serverEnvironment } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { type GitFolder, temporaryFolder } from "../support/git-folder.ts";
import { startHttpServer } from "../support/http-server.ts";
import { pithBinary } from "../support/inside.ts";
import { HAS_BROWSER, startUi, type UiProcess, useBrowser } from "../support/ui.ts";

const SECRET_OUTSIDE = "leaked-content";

describe("pith ui", () => {
  let parent: GitFolder;
  let data: GitFolder;
  let workspace: string;
  let ui: UiProcess;
  let run: string;

  beforeAll(async () => {
    parent = temporaryFolder({ "secret.txt": SECRET_OUTSIDE, "w/a.txt": "inside" });
    data = temporaryFolder();
    workspace = join(parent.root, "w");
    const hostile =
      "printf '<script>globalThis.hacked = 1</script><img src=x onerror=\"globalThis.hacked = 1\">\\n\\033]0;title\\007\\033[2J\\033[9999;1Hmoved\\n'; head -c 3000000 /dev/zero | tr '\\0' '<'";
    execFileSync(process.execPath, [BINARY, "exec", "--", hostile], {
      cwd: workspace,
      env: serverEnvironment({ dataFolder: data.root }),
      stdio: "ignore",
    });
    ui = await startUi(workspace, { dataFolder: data.root });
    const { runs } = (await (await ask("runs")).json()) as { runs: { id: string }[] };
    run = runs[0]?.id ?? "";
  });
  afterAll(async () => {
    await ui?.stop();
    parent?.dispose();
    data?.dispose();
  });

  const ask = (route: string, options: { method?: string; body?: string } = {}): Promise<Response> =>
    fetch(`${ui.origin}/ui/api/${route}`, {
      ...options,
      headers: { Authorization: `Bearer ${ui.token}` },
    });

  it("answers nothing without the token, and serves only the empty page", async () => {
    const routes =
      "state runs run?id=x log?id=x history tokens code/map code/source?path=a.txt index pool calls events".split(
        " ",
      );
    for (const route of [...routes, "unknown"])
      for (const headers of [
        {},
        { Authorization: "Bearer wrong" },
        { Cookie: `token=${ui.token}` },
        { Authorization: ui.token },
      ]) {
        const response = await fetch(`${ui.origin}/ui/api/${route}`, { headers });
        expect(response.status, route).toBe(401);
        expect(await response.text()).not.toContain(workspace);
      }
    const page = await fetch(`${ui.origin}/ui/`);
    const html = await page.text();
    expect(html).not.toContain(workspace);
    expect(html).not.toMatch(/<script(?![^>]*src=)|style=|https?:/);
    expect(page.headers.get("content-security-policy")).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self'",
    );
    for (const method of ["POST", "DELETE", "PUT"])
      expect((await fetch(`${ui.origin}/ui/`, { method })).status).toBe(405);
  });

  it("refuses other hosts, origins and sites, even with the token", async () => {
    const { port } = new URL(ui.origin);
    const local = `127.0.0.1:${port}`;
    const status = (headers: Record<string, string>): Promise<string> =>
      statusOf(Number(port), { authorization: `Bearer ${ui.token}`, ...headers });
    expect(await status({ host: local })).toBe("200");
    expect(await status({ host: `localhost:${port}` })).toBe("200");
    for (const host of [
      "evil.example",
      `evil.example:${port}`,
      "127.0.0.1.evil.example",
      "0.0.0.0",
      "localhost.evil.example",
    ])
      expect(await status({ host }), host).toBe("403");
    for (const origin of [
      "http://evil.example",
      "null",
      "http://127.0.0.1:1",
      `https://${local}`,
      "http://localhost",
    ])
      expect(await status({ host: local, origin }), origin).toBe("403");
    expect(await status({ host: local, origin: `http://${local}` })).toBe("200");
    for (const site of ["cross-site", "same-site"])
      expect(await status({ host: local, "sec-fetch-site": site }), site).toBe("403");
  });

  it("shows no secret of a command, a log, a file or a name, and does not run a command with a mask again", async () => {
    // They are assembled at run time, so that no scanner reports this file as a leak.
    const secrets = [
      ["ghp", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17"].join("_"),
      ["glpat", "x9Kq2LmZ7TvB4nRw8YpD"].join("-"),
      [
        "xapp",
        "1",
        "A0B1C2D3E4F",
        "1234567890123",
        "3fa85f6457174562b3fc2c963f66afa69c1de87b40e2d5a8f7716b92c30ad4e5",
      ].join("-"),
    ];
    for (const [i, secret] of secrets.entries()) {
      writeFileSync(join(workspace, `leak${i}.py`), `def leak${i}():\n    return "${secret}"\n`);
      // While this process waited for it in one call, it would not see that the server closes an idle connection.
      const line = `echo leaked${i} ${secret}; cat leak${i}.py`;
      await pithBinary(["exec", "--", line], workspace, serverEnvironment({ dataFolder: data.root }));
    }
    const { runs } = (await (await ask("runs")).json()) as { runs: { id: string; command: string }[] };
    const leaked = runs.filter(({ command }) => command.includes("leaked"));
    expect(leaked).toHaveLength(secrets.length);
    const routes = [
      "runs state history tokens index calls code/map".split(" "),
      leaked.flatMap(({ id }) => [`run?id=${id}`, `log?id=${id}`, `log/line?id=${id}&line=1`]),
      secrets.flatMap((_, i) => [`code/source?path=leak${i}.py`, `code/search?query=leak${i}`]),
      [`compare?id=${leaked[0]?.id}&with=${leaked[1]?.id}`],
    ].flat();
    for (const route of routes) {
      const answer = await ask(route);
      const text = await answer.text();
      expect([route, answer.status]).toEqual([route, 200]);
      for (const secret of secrets) expect([route, text.includes(secret)]).toEqual([route, false]);
    }
    for (const { id } of leaked)
      for (const secret of secrets) {
        const found = await ask(`log/search?id=${id}&pattern=${encodeURIComponent(secret)}`);
        expect(await found.json()).toMatchObject({ numbers: [] });
      }
    const refused = await ask("again", { method: "POST", body: JSON.stringify({ id: leaked[0]?.id }) });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain("masked secret");
  });

  it("changes nothing by GET, and takes no form", async () => {
    for (const route of [`stop?id=${run}`, `again?id=${run}`]) expect((await ask(route)).status).toBe(405);
    const form = await ask("again", { method: "POST", body: `id=${run}` });
    expect(form.status).toBe(400);
    for (const body of ["[]", "1", "null", '{"id":{"a":1}}', '{"id":["x"]}', "{}"])
      expect((await ask("stop", { method: "POST", body })).status, body).toBe(400);
  });

  it("reads no file outside of the workspace, whatever a parameter says", async () => {
    symlinkSync(join(parent.root, "secret.txt"), join(workspace, "link"));
    symlinkSync(parent.root, join(workspace, "up"));
    const outside = [
      "link",
      "up/secret.txt",
      "up/w/../secret.txt",
      "../secret.txt",
      join(parent.root, "secret.txt"),
      "/etc/passwd",
      "a/../../secret.txt",
      "..\\secret.txt",
      "%2e%2e/secret.txt",
      "a.txt\0",
      "file:///etc/passwd",
    ];
    for (const path of outside) {
      const words = new URLSearchParams({ path }).toString();
      const folder = new URLSearchParams({ path: "secret.txt", folder: parent.root }).toString();
      const other = new URLSearchParams({ path, workspace: parent.root }).toString();
      const id = new URLSearchParams({ id: path }).toString();
      for (const route of [
        `code/source?${words}`,
        `code/source?${folder}`,
        `code/source?${other}`,
        `log?${id}`,
        `run?${id}`,
        `log/search?${id}&pattern=a`,
        `compare?${id}&with=${run}`,
        `history?${other}`,
        `index?${other}`,
        `code/map?${other}`,
      ]) {
        const response = await ask(route);
        expect(response.status, route).toBeGreaterThanOrEqual(400);
        expect(await response.text()).not.toMatch(/leaked-content|root:x:/);
      }
    }
    for (const path of [
      "..%2f..%2f..%2fetc%2fpasswd",
      "page.js/../../pith.js",
      "%2e%2e/pith.js",
      "index.html.map",
    ])
      expect(await (await fetch(`${ui.origin}/ui/${path}`)).text()).not.toMatch(/root:x:|createRequire/);
    expect((await ask("code/source?path=a.txt")).status).toBe(200);
  });

  it("refuses numbers, streams and patterns that make no sense", async () => {
    const bad = [
      "from=0",
      "from=-1",
      "from=1e400",
      "from=x",
      "count=2001",
      "count=-1",
      "count=NaN",
      "stream=../x",
      "stream=view",
    ];
    for (const words of bad) expect((await ask(`log?id=${run}&${words}`)).status, words).toBe(400);
    expect((await ask(`log/search?id=${run}&pattern=${encodeURIComponent("(")}`)).status).toBe(400);
    expect((await ask(`run?id=${"x".repeat(40_000)}`)).status).toBeGreaterThanOrEqual(400);
  });

  it("sends only the start of a gigantic line, and drops all escapes but colours", async () => {
    const { lines } = (await (await ask(`log?id=${run}&count=10`)).json()) as {
      lines: { text: string; hidden?: number }[];
    };
    const long = lines.at(-1);
    expect(long?.text.length).toBeLessThanOrEqual(4_096);
    expect(long?.hidden).toBeGreaterThan(2_000_000);
    expect(styledTexts(lines[1]?.text ?? "")).toEqual([{ text: "moved", style: "" }]);
    expect(
      styledTexts(
        "\u001B[31mred\u001B[0m \u001B]8;;http://evil.example\u0007link\u001B]8;;\u0007\u001B[1;5;999mx",
      ),
    ).toEqual([
      { text: "red", style: "f1" },
      { text: " ", style: "" },
      { text: "link", style: "" },
      { text: "x", style: "b" },
    ]);
  });

  describe.skipIf(!HAS_BROWSER)("in a browser", () => {
    const browser = useBrowser();

    it("executes nothing that a log contains", async () => {
      const page = await browser.newPage();
      await page.goto(ui.link.replace("/ui/", `/ui/runs/${run}`));
      await page.locator(".line", { hasText: "<script>" }).waitFor();
      expect(await page.evaluate("globalThis.hacked")).toBeUndefined();
      expect(await page.locator(".log img, .log script").count()).toBe(0);
      expect(await page.title()).toBe(`${run} · Pith`);
      // The policy stops even a script that got into the page.
      await page.evaluate(
        "const s = document.createElement('script'); s.textContent = 'globalThis.hacked = 2'; document.body.append(s)",
      );
      expect(await page.evaluate("globalThis.hacked")).toBeUndefined();
      await page.close();
    });
  });
});

it("serves the page under pith serve --http with the server's token, only its own workspace, and not without a token", async () => {
  const workspace = makeFolder({ "a.txt": "inside" });
  const open = new URL(await startHttpServer(workspace));
  expect((await fetch(`${open.origin}/ui/`)).status).toBe(403);
  const url = new URL(
    await startHttpServer(workspace, { env: { PITH_SERVER_HTTP_TOKEN: "t0ken" }, args: ["--read-only"] }),
  );
  const post = (route: string, body: object, key: string): Promise<Response> =>
    fetch(`${url.origin}/ui/api/${route}`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { Authorization: `Bearer ${key}` },
    });
  expect((await fetch(`${url.origin}/ui/`)).status).toBe(200);
  expect((await post("session", { token: "wrong" }, "")).status).toBe(401);
  const { key } = (await (await post("session", { token: "t0ken" }, "")).json()) as { key: string };
  expect(key).not.toBe("t0ken");
  const runs = await fetch(`${url.origin}/ui/api/runs`, { headers: { Authorization: `Bearer ${key}` } });
  expect(await runs.json()).toEqual({ workspaces: [workspace], runs: [] });
  expect((await post("again", { id: "r000000" }, key)).status).toBe(403);
  expect((await fetch(url, { method: "POST", headers: { Authorization: `Bearer ${key}` } })).status).toBe(
    401,
  );
});

/** Sends a raw request, because fetch does not allow a custom Host header. */
function statusOf(port: number, headers: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    const lines = Object.entries({ ...headers, connection: "close" });
    socket.write(
      `GET /ui/api/state HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`,
    );
    let said = "";
    socket.on("data", (chunk: Buffer) => (said += chunk.toString("latin1")));
    socket.on("error", reject).on("close", () => resolve(/^HTTP\/1\.1 (\d{3})/.exec(said)?.[1] ?? said));
  });
}

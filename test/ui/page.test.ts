import { execFileSync, spawn } from "node:child_process";
import {
  closeSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { BLOCK_BYTES, encodeRecord } from "../../src/logs/log-format.ts";
import { BINARY, connect, serverEnvironment } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { type GitFolder, temporaryFolder, temporaryRepository } from "../support/git-folder.ts";
import { callJson, connectServer, makeGate, startWorker } from "../support/pool.ts";
import { freshStore } from "../support/postgres.ts";
import { HAS_BROWSER, startUi, type UiProcess, useBrowser } from "../support/ui.ts";

const TEST_FILE = `import test from "node:test";
import assert from "node:assert";
import { existsSync } from "node:fs";
import { discount } from "../src/cart.js";
test("asks the server", () => assert.ok(!existsSync("server-is-down")));
test("takes off a discount", () => assert.equal(discount(200, 10), 180));
test("takes off nothing", () => assert.equal(discount(5, 0), 5));
`;
const CART = "export function discount(amount, percent) {\n  return amount - (amount * percent) / 100;\n}\n";

if (!HAS_BROWSER)
  // oxlint-disable-next-line no-console -- a skipped promise must not look like a kept one
  console.warn("SKIPPED: the tests of pith ui need a browser: apt-get install chromium");

describe.skipIf(!HAS_BROWSER)("the page of pith ui", () => {
  const browser = useBrowser();
  let shop: GitFolder;
  let data: GitFolder;
  let ui: UiProcess;

  const pith = (...args: string[]): void => {
    try {
      execFileSync(process.execPath, [BINARY, ...args], {
        cwd: shop.root,
        env: environment(),
        stdio: "ignore",
      });
    } catch {
      // A failed run ends with its exit code, which is what some of these are for.
    }
  };
  const environment = () => serverEnvironment({ dataFolder: data.root });

  beforeAll(async () => {
    shop = temporaryRepository({
      ".gitignore": "server-is-down\n",
      "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }',
      "src/cart.js": CART,
      "test/cart.test.js": TEST_FILE,
    });
    data = temporaryFolder();
    shop.write("server-is-down", "");
    pith("exec", "--", "node", "--test");
    shop.remove("server-is-down");
    pith("exec", "--", "node", "--test");
    shop.write("src/cart.js", CART.replace("/ 100", "/ 10"));
    pith("exec", "--", "node", "--test");
    pith(
      "exec",
      "--",
      "printf '\\033[31mred\\033[0m <b>x</b>\\n'; echo oops >&2; seq 1 500; head -c 9000 /dev/zero | tr '\\0' y",
    );
    ui = await startUi(shop.root, { dataFolder: data.root });
  });
  afterAll(async () => {
    await ui?.stop();
    shop?.dispose();
    data?.dispose();
  });

  const open = async (
    path = "",
    options: Parameters<typeof browser.newPage>[0] = {},
    { link, origin } = ui,
  ): Promise<Page> => {
    const page = await browser.newPage(options);
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("request", (request) => {
      if (!request.url().startsWith(origin)) problems.push(`requested ${request.url()}`);
    });
    await page.goto(link.replace("/ui/", `/ui/${path}`));
    await page.waitForSelector(".bar");
    page.on("close", () => expect(problems).toEqual([]));
    return page;
  };
  const newestRun = (page: Page, text: string) => page.locator("a.run", { hasText: text }).first();

  it("lists runs with verdict and delta, takes the token out of the address, and shows a failure with its source", async () => {
    const page = await open();
    await page.locator("a.run.failed .delta .fresh").waitFor();
    expect(page.url()).toBe(`${ui.origin}/ui/`);
    await page.locator("a.run.failed").first().click();
    await page.locator(".source .hit", { hasText: "takes off a discount" }).waitFor();
    expect(await page.locator(".panel", { hasText: "Suspects since green" }).innerText()).toContain(
      "src/cart.js",
    );
    await page.getByRole("button", { name: "Show in log" }).first().click();
    await page.locator(".line.marked", { hasText: "takes off a discount" }).waitFor();
    await page.getByRole("button", { name: "Next error" }).click();
    await page.locator(".line.marked", { hasText: /fail|error|✖/i }).waitFor();
    await page.getByRole("tab", { name: "Compare" }).click();
    await page.locator(".changes.fresh", { hasText: "takes off a discount" }).waitFor();
    await page.getByRole("tab", { name: "Agent's view" }).click();
    expect(await page.locator("pre.code").innerText()).toContain("FAIL");
    await page.close();
  });

  it("shows a log with colours as text, apart by stream, searched and followed", async () => {
    const page = await open();
    const rows = page.locator("a.run");
    await rows.nth(3).waitFor();
    await page.getByLabel("State").selectOption("failed");
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByLabel("Filter by command or id").fill("PRINTF");
    await page.locator(".empty", { hasText: "No run matches" }).waitFor();
    await page.getByLabel("State").selectOption("");
    await page.getByLabel("Tool").selectOption("printf");
    await expect.poll(() => rows.count()).toBe(1);
    await newestRun(page, "printf").click();
    await page.locator(".line .f1", { hasText: "red" }).waitFor();
    expect(await page.locator(".line[data-line='1']").innerText()).toContain("<b>x</b>");
    await page.keyboard.press("/");
    await page.keyboard.type("^4[0-9]9$");
    await page.keyboard.press("Enter");
    await page.locator(".found", { hasText: "1 of 10" }).waitFor();
    await page.locator(".line.marked", { hasText: "409" }).waitFor();
    await page.getByRole("button", { name: "Next error" }).click();
    await page.locator(".found", { hasText: "no line about an error" }).waitFor();
    await page.getByLabel("End").check();
    await page.getByRole("button", { name: /^… .* more$/ }).click();
    const whole = page.getByRole("dialog").locator("pre");
    const shown = async () => (await whole.innerText()).length;
    for (let before = 0; before < 9_000; before = await shown()) {
      if (before > 0) await page.getByRole("button", { name: /more characters$/ }).click();
      await expect.poll(shown).toBeGreaterThan(before);
    }
    expect(await whole.innerText()).toBe("y".repeat(9_000));
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByLabel("Stream").selectOption("stderr");
    await page.locator(".log[data-lines='1'] .line", { hasText: "oops" }).waitFor();
    await page.close();
  });

  it("shows runs while they happen, follows their log, stops them and runs them again after a question", async () => {
    const page = await open();
    await page.locator(".runs").waitFor();
    const child = spawn(
      process.execPath,
      [BINARY, "exec", "--", "for i in $(seq 1 600); do echo tick $i; sleep 0.2; done"],
      {
        cwd: shop.root,
        env: environment(),
        stdio: "ignore",
      },
    );
    await newestRun(page, "tick").locator(".state.running").waitFor();
    await newestRun(page, "tick").click();
    await page.locator(".line", { hasText: "tick 5" }).waitFor();
    await page.getByRole("button", { name: "Stop…" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    expect(await page.locator(".run-head .state").innerText()).toBe("running");
    await page.getByRole("button", { name: "Stop…" }).click();
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await page.locator(".run-head .state.stopped").waitFor();
    child.kill();
    const stopped = page.url();
    await page.getByRole("button", { name: "Run again…" }).click();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.waitForURL((url) => url.href !== stopped);
    await page.locator(".run-head .state.running").waitFor();
    await page.getByRole("button", { name: "Stop…" }).click();
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await page.locator(".run-head .state.stopped").waitFor();
    await page.close();
  });

  it("shows history, index, the answer of a search beside its source, uses, and the map", async () => {
    const page = await open("history");
    await page.locator(".tests .strip .failed").first().waitFor();
    expect(
      await page.locator(".tests tr", { hasText: "takes off a discount" }).locator(".strip i").count(),
    ).toBe(3);
    expect(await page.locator(".tests tr", { has: page.locator(".flaky") }).innerText()).toContain(
      "asks the server",
    );
    const chart = page.locator("canvas").first();
    const drawn = () => page.evaluate<string>("document.querySelector('canvas').toDataURL()");
    await chart.waitFor();
    const inLight = await drawn();
    await page.getByRole("button", { name: "system" }).click();
    await page.getByRole("button", { name: "light" }).click();
    await expect.poll(drawn).not.toBe(inLight);
    await page.getByRole("link", { name: "Index" }).click();
    await page.locator(".facts", { hasText: "freshness" }).waitFor();
    await page.getByRole("link", { name: "Code" }).click();
    await page.locator(".treemap button", { hasText: "src/" }).click();
    await page.locator(".treemap button.edited", { hasText: "cart.js" }).waitFor();
    await page.getByLabel("Question, name or phrase").fill("discount");
    await page.getByRole("button", { name: "Ask" }).click();
    await page.locator("pre.code", { hasText: "src/cart.js" }).waitFor();
    await page.locator(".source .hit", { hasText: "export function discount" }).waitFor();
    await page.getByLabel("What to look for").selectOption("uses");
    await page.getByRole("button", { name: "Ask" }).click();
    await page.locator(".places", { hasText: "test/cart.test.js" }).waitFor();
    await page.close();
  });

  it("shows the calls of agents only once it is turned on, and their tokens", async () => {
    const page = await open("calls");
    const client = await connect(shop.root, { dataFolder: data.root });
    await client.callTool({ name: "read", arguments: { file_path: "src/cart.js" } });
    await page.getByRole("button", { name: "Watch calls" }).click();
    await page.locator(".empty", { hasText: "No call yet" }).waitFor();
    await expect.poll(() => page.evaluate(SERVERS_WATCHED), { timeout: 30_000 }).toBe(1);
    await client.callTool({ name: "read", arguments: { file_path: "test/cart.test.js" } });
    await page.locator(".calls li", { hasText: "test/cart.test.js" }).waitFor();
    expect(await page.locator(".calls li").count()).toBe(1);
    expect(await page.locator(".reply").innerText()).toContain("takes off nothing");
    await page.getByRole("button", { name: "Stop and forget" }).click();
    await page.getByRole("button", { name: "Watch calls" }).waitFor();
    await client.close();
    copyToYesterday(join(data.root, "data/usage"));
    await page.getByRole("link", { name: "Tokens" }).click();
    await page.locator(".panel", { hasText: "By day" }).locator("canvas").waitFor();
    await page.locator(".tile", { hasText: "returned" }).waitFor();
    await page.locator("table", { hasText: "pith-test" }).waitFor();
    await page.close();
  });

  it("shows the workers and jobs of a team's pool, and the run of a job", async () => {
    const database = await freshStore();
    onTestFinished(() => database.drop());
    await startWorker({ url: database.url, args: ["--label", "big"] });
    const pooled = await startUi(shop.root, {
      dataFolder: makeFolder(),
      env: { PITH_STORE: database.url },
    });
    onTestFinished(() => pooled.stop());
    const gate = makeGate();
    const client = await connectServer(shop.root, database.url);
    const job = callJson(client, "run_command", { command: `echo pooled; ${gate.wait}; exit 3` });
    const page = await open("pool", {}, pooled);
    await page.locator("tbody tr", { hasText: "running" }).waitFor();
    await page.locator(".workers li", { hasText: /1 of \d+ slots.*big/s }).waitFor();
    gate.open();
    await job;
    await page.locator("tbody tr", { hasText: "exit 3" }).waitFor();
    await page.evaluate(axe.source);
    expect(await page.evaluate(seriousFindings)).toEqual([]);
    await page.locator("tbody th a").click();
    await page.locator(".facts", { hasText: "worker" }).waitFor();
    await page.getByRole("tab", { name: "Log" }).click();
    await page.locator(".line", { hasText: "pooled" }).waitFor();
    await page.close();
  });

  it("jumps to the middle and the end of a log of 1 GB without loading it", async () => {
    const lines = writeHugeLog(data.root);
    const page = await open();
    let received = 0;
    page.on(
      "response",
      (response) =>
        void response.body().then(
          (body) => (received += body.length),
          () => undefined,
        ),
    );
    await newestRun(page, "huge").click();
    await page.locator(`.log[data-lines='${lines}']`).waitFor();
    await page.locator(".log").evaluate((log) => log.scrollTo(0, log.scrollHeight / 2));
    await page.locator(".line", { hasText: "middle of the log" }).first().waitFor();
    await page.locator(".log").focus();
    await page.keyboard.press("End");
    await page.locator(`.line[data-line='${lines}']`, { hasText: "end of the log" }).waitFor();
    const metrics = await page.context().newCDPSession(page);
    await metrics.send("Performance.enable");
    const { metrics: found } = await metrics.send("Performance.getMetrics");
    expect(found.find(({ name }) => name === "JSHeapUsedSize")?.value).toBeLessThan(150e6);
    // The page may pass by a few ranges on its way, each of 200 lines of at most 4,096 characters.
    expect(received).toBeLessThan(100e6);
    await page.close();
  });

  it("can be walked by keyboard", async () => {
    const page = await open();
    await page.locator(".runs").waitFor();
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement?.textContent")).toBe("Skip to content");
    await page.keyboard.press("Enter");
    for (let i = 0; i < 8 && !(await page.evaluate<boolean>(ON_RUN)); i++) await page.keyboard.press("Tab");
    expect(await page.evaluate<boolean>(ON_RUN)).toBe(true);
    await page.keyboard.press("Enter");
    await page.locator(".run-page").waitFor();
    await page.getByRole("tab", { selected: true }).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("g");
    await page.keyboard.press("h");
    await page.locator("h1", { hasText: "History" }).waitFor();
    await page.close();
  });

  it.each(["light", "dark"] as const)(
    "has no serious findings of axe in the %s theme, also on a phone",
    async (colorScheme) => {
      const page = await open("", { colorScheme, viewport: { width: 390, height: 800 } });
      await page.locator("a.run.failed .command").first().waitFor();
      const id = (await page.locator("a.run.failed").first().getAttribute("href"))?.split("/").at(-1) ?? "";
      await page.evaluate(axe.source);
      for (const path of ["runs", `runs/${id}`, "history", "tokens", "code", "index", "calls"]) {
        await page.evaluate(
          `history.pushState(null, "", "/ui/${path}"); dispatchEvent(new PopStateEvent("popstate"))`,
        );
        await page.locator("main .empty", { hasText: "Loading" }).waitFor({ state: "detached" });
        await page.locator("main h1").waitFor();
        expect(await page.evaluate(seriousFindings), path).toEqual([]);
        expect(await page.evaluate("document.documentElement.scrollWidth"), path).toBeLessThanOrEqual(390);
      }
      await page.close();
    },
  );
});

/** Runs in the page: the number of servers whose calls are watched. */
const SERVERS_WATCHED = `fetch("/ui/api/calls", { headers: { Authorization: "Bearer " + localStorage.getItem("pith-session") } })
  .then((response) => response.json()).then(({ servers }) => servers)`;
const ON_RUN = 'document.activeElement?.matches("a.run")';

/** Runs in the page: the rules of axe that are violated, with the elements. */
async function seriousFindings(): Promise<string[]> {
  const { axe: rules } = globalThis as unknown as {
    axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> };
  };
  const { violations } = await rules.run();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

/** Records today's calls for the day before, too, as a chart of days needs two of them. */
function copyToYesterday(folder: string): void {
  const [today = ""] = readdirSync(folder);
  const yesterday = new Date(Date.parse(today.slice(0, 10)) - 86_400_000).toISOString().slice(0, 10);
  const calls = readFileSync(join(folder, today), "utf8").replaceAll(today.slice(0, 10), yesterday);
  writeFileSync(join(folder, `${yesterday}.jsonl`), calls);
}

/**
 * Makes the log of a run 1 GB long. Only the blocks that are looked at are written; the rest of the file is a hole, which
 * costs nothing as long as nobody reads it. Returns the number of its lines.
 */
function writeHugeLog(dataFolder: string): number {
  execFileSync(process.execPath, [BINARY, "exec", "--", "echo huge"], {
    cwd: dataFolder,
    env: serverEnvironment({ dataFolder }),
    stdio: "ignore",
  });
  const base = readdirSync(dataFolder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".out"))
    .map((name) => join(dataFolder, name))
    .find((path) => readFileSync(path, "utf8") === "huge\n")
    ?.replace(/\.out$/, "");
  if (base === undefined) throw new Error("the run has no log");
  const lineBytes = 64;
  const blocks = 2 ** 30 / BLOCK_BYTES;
  const linesPerBlock = BLOCK_BYTES / lineBytes;
  const file = openSync(`${base}.out`, "w");
  const fill = (block: number, text: string): void => {
    const lines = Array.from({ length: linesPerBlock }, (_, i) =>
      `${text} ${block * linesPerBlock + i + 1}`.padEnd(lineBytes - 1),
    );
    writeSync(file, `${lines.join("\n")}\n`, block * BLOCK_BYTES);
  };
  ftruncateSync(file, 2 ** 30);
  fill(0, "start of the log");
  for (let block = blocks / 2 - 4; block <= blocks / 2 + 4; block++) fill(block, "middle of the log");
  for (let block = blocks - 2; block < blocks; block++) fill(block, "end of the log");
  closeSync(file);
  const record = (block: number, stream: "stdout" | "end"): Buffer =>
    encodeRecord({
      stream,
      stdoutLines: block * linesPerBlock,
      stderrLines: 0,
      stdoutBytes: block * BLOCK_BYTES,
      stderrBytes: 0,
    });
  rmSync(`${base}.idx`);
  const records = Array.from({ length: blocks }, (_, block) => record(block, "stdout"));
  writeFileSync(`${base}.idx`, Buffer.concat([...records, record(blocks, "end")]));
  return blocks * linesPerBlock;
}

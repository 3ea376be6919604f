import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium, type Browser, type Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { BINARY, serverEnvironment } from "./client.ts";

/** The browsers of this machine. The tests are skipped without one; continuous integration installs Debian's chromium. */
const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) =>
  existsSync(path),
);
export const HAS_BROWSER = CHROMIUM !== undefined;

const ARGUMENTS =
  "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";

export interface UiProcess {
  /** The printed link, with its token. */
  readonly link: string;
  readonly origin: string;
  readonly token: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts the page of a workspace with the built binary. */
export async function startUi(
  workspace: string,
  options: { readonly dataFolder: string; readonly env?: Record<string, string> },
): Promise<UiProcess> {
  const child = spawn(process.execPath, [BINARY, "ui", "--port", "0"], {
    cwd: workspace,
    env: serverEnvironment(options),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const link = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const [found] = /http:\/\/127\.0\.0\.1:\d+\/ui\/#token=\S+/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once("close", () => reject(new Error(`the page ended: ${said}`)));
  });
  const url = new URL(link);
  return {
    link,
    origin: url.origin,
    token: url.hash.slice("#token=".length),
    pid: child.pid ?? 0,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** One browser for all tests of a file. */
export function useBrowser(): { newPage(options?: Parameters<Browser["newPage"]>[0]): Promise<Page> } {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (CHROMIUM === undefined) return;
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS.split(" ") });
  });
  afterAll(async () => browser?.close());
  return {
    async newPage(options) {
      if (browser === undefined) throw new Error("There is no browser");
      return browser.newPage({ viewport: { width: 1280, height: 800 }, ...options });
    },
  };
}

import { spawn } from "node:child_process";

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Opens a link in the user's default browser. Returns false if there is no program for that. */
export function openInBrowser(
  link: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const [program, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  return new Promise((resolve) => {
    const child = spawn(program, [...args, link], {
      env,
      stdio: "ignore",
      detached: true,
      windowsHide: true,
    });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}

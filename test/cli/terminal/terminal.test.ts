import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import type { Io } from "../../../src/cli/io.ts";
import { clip } from "../../../src/cli/terminal/clip.ts";
import { terminalRows } from "../../../src/cli/terminal/run-list.ts";
import { sparkline } from "../../../src/cli/terminal/sparkline.ts";
import { BINARY, serverEnvironment } from "../../support/client.ts";
import { makeFolder } from "../../support/folder.ts";
import { makeRunService, runIn } from "../../support/run-service.ts";

function io(width: number, color: boolean): Io {
  const none = (): void => undefined;
  return {
    input: process.stdin,
    out: none,
    err: none,
    write: none,
    terminal: true,
    errorTerminal: true,
    color,
    interactive: false,
    width,
    height: 25,
  };
}

it("draws the largest number as the highest bar, and clips with an ellipsis", () => {
  expect(sparkline([0, 5, 10, -3]).join("")).toBe("▁▅█▁");
  expect(sparkline([])).toEqual([]);
  expect(clip("a b\n c d", 5)).toBe("a b …");
  expect(clip("short", 5)).toBe("short");
  // Han characters and emoji take two columns, a combining mark takes none.
  expect(clip("日本語", 6)).toBe("日本語");
  expect(clip("日本語", 5)).toBe("日本…");
  expect(clip("e\u0301e\u0301", 2)).toBe("e\u0301e\u0301");
  expect(clip("🎉🎉", 3)).toBe("🎉…");
});

it("keeps each row of the list inside the width of the terminal, with a strip of the command's last runs", async () => {
  const folder = makeFolder();
  const service = makeRunService();
  await runIn(folder, "exit 0", { service });
  await runIn(folder, "exit 3", { service });
  await runIn(folder, "exit 3", { service });
  await runIn(folder, `echo ${"very long ".repeat(40)}\u001B[2J`, { service });
  const runs = await service.list(folder, 10);
  for (const width of [60, 80, 120])
    for (const row of terminalRows(runs, new Map(), io(width, false)))
      expect(row.length, row).toBeLessThanOrEqual(width);
  expect(terminalRows(runs, new Map(), io(60, false))[0]).toMatch(/ echo very long/);
  const [long = "", red = ""] = terminalRows(runs, new Map(), io(120, false));
  expect(long).toMatch(/…$/);
  expect(long).not.toContain("\u001B");
  expect(red).toMatch(/exit 3 .* {6}[▁-█]{2} {2}exit 3$/);
  expect(terminalRows(runs, new Map(), io(120, true))[1]).toContain("\u001B[31m");
});

it("follows the log of a run until its end, with the lines as they were written", async () => {
  const folder = makeFolder();
  const dataFolder = makeFolder();
  const env = serverEnvironment({ dataFolder });
  const line =
    "for i in 1 2 3 4 5 6; do echo tick $i; sleep 0.3; done; printf '\\033[31mlast\\033[0m'; exit 4";
  const run = spawn(process.execPath, [BINARY, "exec", "--", line], { cwd: folder, env, stdio: "ignore" });
  const pith = async (...args: string[]) =>
    promisify(execFile)(process.execPath, [BINARY, ...args], { cwd: folder, env });
  let id: string | undefined;
  while (id === undefined) {
    const found = JSON.parse((await pith("runs", "--json")).stdout) as { id: string }[];
    id = found[0]?.id;
  }
  const { stdout, stderr } = await pith("logs", id, "-f");
  expect(stdout).toBe(`${[1, 2, 3, 4, 5, 6].map((i) => `tick ${i}\n`).join("")}\u001B[31mlast\u001B[0m\n`);
  expect(stderr).toBe(`run ${id}: exit 4\n`);
  if (run.exitCode === null) await once(run, "close");
});

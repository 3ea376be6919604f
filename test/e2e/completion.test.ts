import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import { makeFolder } from "../support/folder.ts";
import { type Printed, pithInside } from "../support/inside.ts";

function completion(...args: readonly string[]): Promise<Printed> {
  return pithInside(["completion", ...args], makeFolder());
}

it.each(["bash", "zsh", "fish"])("the completion for %s has every verb and option", async (shell) => {
  const { stdout, status } = await completion(shell);
  expect(status).toBe(0);
  for (const [name, entry] of Object.entries(COMMANDS)) {
    expect(stdout).toContain(name);
    for (const option of Object.keys((await entry.load()).options))
      expect(stdout).toContain(shell === "fish" ? `-l ${option}` : `--${option}`);
  }
  // If the shell is installed, it must also accept the script.
  const cwd = makeFolder({ script: stdout });
  const { error, stderr } = spawnSync(shell, ["-n", "script"], { cwd, encoding: "utf8" });
  if (error === undefined) expect(stderr).toBe("");
});

it("bash completes verbs and options", async () => {
  const script = `${(await completion("bash")).stdout}
for line in "pith se" "pith runs --s" "pith help wo" "pith read src"; do
  COMP_WORDS=($line); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _pith; echo "\${COMPREPLY[*]}"
done`;
  const { error, stdout } = spawnSync("bash", ["-c", script], { encoding: "utf8" });
  if (error === undefined)
    expect(stdout.split("\n")).toEqual(["search serve", "--stop", "worker workers", "", ""]);
});

it.each([[[]], [["tcsh"]], [["bash", "zsh"]]])(
  "completion refuses %j, which is not one known shell",
  async (args) => {
    expect(await completion(...args)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("bash, zsh, fish"),
    });
  },
);

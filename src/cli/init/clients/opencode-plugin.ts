import { HOOK_SECONDS, WRITTEN_BY_PITH } from "../client.ts";

/** Imported by the plugin, which runs in OpenCode and not here. */
const SPAWNING_MODULE = "node:child_process";

/**
 * Returns the program of OpenCode's plugin. It starts `pith hook opencode` only where there may be something to say, and
 * whatever happens to that process, the tool's own result stays.
 */
export function opencodePlugin(command: readonly string[]): string {
  return `${WRITTEN_BY_PITH} opencode --with-hooks; pith init opencode --undo removes it.
import { spawn } from ${JSON.stringify(SPAWNING_MODULE)};

const [PROGRAM, ...ARGS] = ${JSON.stringify(command)};
const MAX_MS = ${HOOK_SECONDS * 1_000};
const MIN_LONG_OUTPUT = 8_000;

export const PithHooks = async ({ directory }) => ({
  "tool.execute.after": async (input, output) => {
    const { tool, args } = input;
    if (!["bash", "read", "edit", "write", "apply_patch", "patch"].includes(tool)) return;
    if (typeof output?.output !== "string") return;
    if (tool === "bash" && output.output.length < MIN_LONG_OUTPUT) return;
    const { metadata } = output;
    const { replacement, note } = await ask({ cwd: directory, tool, args, output: output.output, metadata });
    if (typeof replacement === "string") output.output = replacement;
    else if (typeof note === "string") output.output += "\\n\\n" + note;
  },
});

/** Asks Pith; whatever goes wrong, there is no answer, and the tool's own result stays. */
function ask(message) {
  return new Promise((resolve) => {
    let text = "";
    const finish = () => {
      clearTimeout(timer);
      try {
        resolve(text === "" ? {} : JSON.parse(text));
      } catch {
        resolve({});
      }
    };
    const timer = setTimeout(() => resolve({}), MAX_MS);
    try {
      const child = spawn(PROGRAM, ARGS, { stdio: ["pipe", "pipe", "ignore"], timeout: MAX_MS });
      child.on("error", () => resolve({}));
      child.stdin.on("error", () => resolve({}));
      child.stdout.on("data", (chunk) => (text += chunk));
      child.on("close", finish);
      child.stdin.end(JSON.stringify(message));
    } catch {
      resolve({});
    }
  });
}
`;
}

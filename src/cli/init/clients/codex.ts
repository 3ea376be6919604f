import { join } from "node:path";
import { HOOK_SECONDS, type Client, type Places } from "../client.ts";

export const codex: Client = {
  id: "codex",
  title: "Codex",
  format: "toml",
  files: (scope, places) =>
    scope === "project"
      ? [join(places.workspace, ".codex", "config.toml")]
      : [join(homeOf(places), "config.toml")],
  signs: (places) => [join(places.workspace, ".codex"), homeOf(places)],
  container: () => ["mcp_servers"],
  entry: ({ command, args }) => ({ command, args }),
  hooks: {
    dialect: "codex",
    file: (scope, places) =>
      join(scope === "project" ? join(places.workspace, ".codex") : homeOf(places), "hooks.json"),
    entries: (command) => {
      const hooks = [{ type: "command", command, timeout: HOOK_SECONDS }];
      return { PostToolUse: { matcher: "apply_patch|Bash", hooks }, SessionStart: { hooks } };
    },
    next: "Codex runs hooks that you trust: start codex and confirm them with /hooks.",
  },
  nextInProject:
    "Codex reads the file of a project only if you trust it: start codex in the folder and say yes.",
};

function homeOf({ home, variables }: Places): string {
  return variables["CODEX_HOME"] ?? join(home, ".codex");
}

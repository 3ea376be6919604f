import { resolve } from "node:path";
import { JSON_OPTION, type Command, type Context, type Options } from "./command.ts";
import { createBar } from "./progress-bar.ts";
import { runTool } from "./run-tool.ts";

const OPTIONS: Options = {
  force: { type: "boolean", about: "Rebuild everything; also replaces a damaged index." },
  ref: { type: "string", value: "REF", about: "A branch, tag or commit (default: the working tree)." },
  ...JSON_OPTION,
};

export const index: Command = {
  name: "index",
  summary: "Build or update the code index",
  usage: "[FOLDER] [--force] [--ref REF]",
  details: "Searches index what they need by themselves; this does it in advance, with a progress bar.",
  options: OPTIONS,
  examples: ["pith index", "pith index ../other --force", "pith index --ref main"],
  run: (context) => runIndexing(context, "index_repository"),
};

export const sync: Command = {
  name: "sync",
  summary: "Bring the index up to date",
  usage: "[FOLDER] [--force] [--ref REF]",
  options: OPTIONS,
  examples: ["pith sync", "pith sync --ref release/2.0"],
  run: (context) => runIndexing(context, "sync_repo"),
};

async function runIndexing(context: Context, tool: "index_repository" | "sync_repo"): Promise<number> {
  const folder = resolve(context.environment.cwd, context.positionals[0] ?? ".");
  const bar = createBar(context);
  const args = {
    workspace: folder,
    ref: context.text("ref"),
    force: context.flag("force") || undefined,
    // The command waits for the embeddings too, because it exits after its answer and no work can continue in the
    // background.
    wait_for_embeddings: true,
  };
  const answer = await runTool(context, tool, args, {
    progress: (_message, done, total) => bar.show(done ?? 0, total ?? 0),
    beforeAnswer: () => bar.clear(),
  });
  if (context.signal.aborted)
    context.io.err("      Finished work is kept; the next run continues from there.\n");
  return answer.isError ? 1 : 0;
}

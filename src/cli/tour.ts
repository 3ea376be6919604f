import { join } from "node:path";
import type { Services } from "../app/services.ts";
import { PithError } from "../kernel/errors.ts";
import { readSmallText } from "../kernel/files/small-file.ts";
import { estimateTokens } from "../kernel/tokens.ts";
import { callTool } from "../app/pipeline.ts";
import { TOOLS } from "../app/registry.ts";
import { workspaceRootOf } from "../workspace/roots.ts";
import type { Command, Context } from "./command.ts";
import { paint } from "./io.ts";

/** Upper bound on the lines of each answer that the tour shows; the token counts are those of the whole answer. */
const SHOWN_LINES = 8;
/** Questions that the tour asks in order until the user's repository has an answer to one. */
const QUESTIONS = ["where is configuration loaded", "where are errors handled and reported"];
/** The output of a build that prints many lines, of which only the last one matters; the tour uses it as an example. */
const FAILING_OUTPUT = [
  ...Array.from({ length: 400 }, (_, index) => `[${index + 1}/400] compiling unit ${index + 1}`),
  "src/app.ts(12,5): error TS2304: Cannot find name 'launch'.",
];
/** A program that prints the example output and fails. */
const FAILING = `for (let i = 1; i <= 400; i++) console.log("[" + i + "/400] compiling unit " + i);
console.log("${FAILING_OUTPUT.at(-1)}"); process.exitCode = 2;`;

export const tour: Command = {
  name: "tour",
  summary: "See what Pith does, on your own repository",
  usage: "[QUESTION]",
  details:
    "Indexes the repository you are in (into your data folder, never into the repository) and shows one answer of each kind.",
  options: {},
  examples: ["pith tour", 'pith tour "how are requests authenticated"'],
  async run(context) {
    const root = await workspaceRootOf(context.environment.cwd);
    const services = context.openServices({}, root);
    const ask = createAsker(services, context.signal);
    const { io } = context;
    io.err(paint(io, "dim", `indexing ${root} …\n`));
    await ask("index_repository", {});
    const asked = context.positionals.join(" ");
    const { question, hit } = await askInTurn(
      asked === "" ? QUESTIONS : [asked],
      definitionFinder(services, { root, signal: context.signal }),
    );
    show(context, `search_code "${question}"`, await ask("search_code", { query: question, limit: 5 }));
    if (hit !== undefined) await showFile(context, ask, root, hit);
    const command = `node -e '${FAILING.replaceAll("'", `'"'"'`)}'`;
    const raw = estimateTokens(FAILING_OUTPUT.join("\n"));
    show(
      context,
      "run_command: a build that fails after 400 lines",
      await ask("run_command", { command }),
      raw,
    );
    io.out(`\nAttach it to your agent:  ${paint(io, "bold", "pith init")}   (check it with pith doctor)\n`);
    return 0;
  },
};

type Ask = (tool: string, args: Record<string, unknown>) => Promise<string>;

function createAsker(services: Services, signal: AbortSignal): Ask {
  return async (name, args) => {
    const tool = TOOLS.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new PithError("unknown_tool", `No tool ${name}`);
    return (await callTool(tool, args, services, { signal, progress: () => undefined })).text;
  };
}

async function askInTurn(
  questions: readonly string[],
  findDefinition: (question: string) => Promise<Hit | undefined>,
): Promise<{ question: string; hit: Hit | undefined }> {
  let question = "";
  for (question of questions) {
    const hit = await findDefinition(question);
    if (hit !== undefined) return { question, hit };
  }
  return { question, hit: undefined };
}

interface Hit {
  readonly path: string;
  readonly name: string;
}

/** Returns a function that answers a question with the first search result that is a named definition. */
function definitionFinder(
  services: Services,
  { root, signal }: { readonly root: string; readonly signal: AbortSignal },
): (question: string) => Promise<Hit | undefined> {
  return async (query) => {
    const request = { root, query, signal, limit: 20, offset: 0, level: "location" } as const;
    const { hits } = await (
      await services.index()
    ).search({ ...request, policy: services.config.query.freshness_policy });
    for (const { path, name } of hits) if (name !== undefined) return { path, name };
    return undefined;
  };
}

async function showFile(context: Context, ask: Ask, root: string, { path, name }: Hit): Promise<void> {
  const raw = estimateTokens(readSmallText(join(root, path), { within: root }) ?? "");
  show(context, `locate_symbol ${name}`, await ask("locate_symbol", { name }));
  show(context, `get_file_outline ${path}`, await ask("get_file_outline", { path }), raw);
  const question = `How does ${name} work?`;
  show(
    context,
    `read ${path}, asking "${question}"`,
    await ask("read", { file_path: path, context_focus_question: question }),
    raw,
  );
}

function show({ io }: Context, title: string, text: string, raw?: number): void {
  const tokens = estimateTokens(text);
  const against =
    raw === undefined || raw <= tokens ? "" : `, raw ${raw}: ${Math.round((tokens / raw) * 100)} %`;
  const lines = text.split("\n");
  const body = lines.slice(0, SHOWN_LINES).map((line) => `  ${line.slice(0, io.width - 2)}`);
  const more =
    lines.length > SHOWN_LINES ? [paint(io, "dim", `  … ${lines.length - SHOWN_LINES} more lines`)] : [];
  io.out(
    `\n${paint(io, "bold", title)}  ${paint(io, "cyan", `${tokens} tokens${against}`)}\n${[...body, ...more].join("\n")}\n`,
  );
}

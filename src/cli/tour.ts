import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Services } from "../app/services.ts";
import { PithError } from "../kernel/errors.ts";
import { readSmallText } from "../kernel/files/small-file.ts";
import { estimateTokens } from "../kernel/tokens.ts";
import { callTool } from "../app/pipeline.ts";
import { TOOLS } from "../app/registry.ts";
import { folderFacts } from "../runs/plan/folder-facts.ts";
import { planTests } from "../runs/plan/test-plan.ts";
import { workspaceRootOf } from "../workspace/roots.ts";
import { askUser } from "./ask-user.ts";
import type { Command, Context } from "./command.ts";
import { paint, quote } from "./io.ts";
import { createBar } from "./progress-bar.ts";
import { INDEX_FLAGS } from "./run-tool.ts";
import { TYPES, chooseSubject, RESULTS, subjectOf, type Subject } from "./tour/subject.ts";

/** Upper bound on the lines of each answer that the tour shows; the token counts are those of the whole answer. */
const SHOWN_LINES = 8;
/** How long the tour waits for the user's tests; a longer run goes on, and the tour says how to follow it. */
const TEST_WAIT_MS = 6_000;
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
    "Indexes the repository you are in (into your data folder, never into the repository) and shows one answer of each\n" +
    "kind, about what its code uses most or about your question. On a terminal it offers to run your tests.",
  options: {},
  examples: ["pith tour", 'pith tour "how are requests authenticated"'],
  async run(context) {
    const root = await workspaceRootOf(context.environment.cwd);
    const services = context.openServices(INDEX_FLAGS, root);
    const guide: Guide = { context, root, ask: createAsker(services, context) };
    await buildIndex(guide);
    const request = { services, root, signal: context.signal };
    const asked = context.positionals.join(" ").trim();
    const subject = asked === "" ? await chooseSubject(request) : await subjectOf(asked, request);
    await showCode(guide, subject);
    await showRun(guide);
    const { io } = context;
    io.out(`\nAttach it to your agent:  ${paint(io, "bold", "pith init")}   (check it with pith doctor)\n`);
    return 0;
  },
};

type Ask = (
  tool: string,
  args: Record<string, unknown>,
  progress?: (message: string, done?: number, total?: number) => void,
) => Promise<string>;

/** What each stop of the tour needs. */
interface Guide {
  readonly context: Context;
  readonly root: string;
  readonly ask: Ask;
}

function createAsker(services: Services, { signal }: Context): Ask {
  return async (name, args, progress = () => undefined) => {
    const tool = TOOLS.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new PithError("unknown_tool", `No tool ${name}`);
    const answer = await callTool(tool, args, services, { signal, progress, reader: { surface: "cli" } });
    if (signal.aborted) throw new PithError("cancelled", "The tour was interrupted");
    return answer.error?.message ?? answer.text;
  };
}

async function buildIndex({ context, root, ask }: Guide): Promise<void> {
  const { io } = context;
  io.err(paint(io, "dim", quote(io, `indexing ${root} …\n`)));
  const bar = createBar(context);
  await ask("index_repository", {}, (_message, done, total) => bar.show(done ?? 0, total ?? 0));
  bar.clear();
}

async function showCode({ context, root, ask }: Guide, subject: Subject): Promise<void> {
  const { question, path, name, kind } = subject;
  if (path === undefined) {
    const [folder, asked] = [root, context.positionals.join(" ")].map((text) => quote(context.io, text));
    const found =
      asked === "" ? `${folder} has no text to search` : `Nothing in ${folder} answers "${asked}"`;
    context.io.out(`\n${found}. Ask in a folder with code: pith tour "QUESTION"\n`);
    return;
  }
  const raw = estimateTokens(readSmallText(join(root, path), { within: root }) ?? "");
  show(context, "pith outline", await ask("get_file_outline", { max_tokens: 400 }));
  show(context, `pith search "${question}"`, await ask("search_code", { query: question, limit: RESULTS }));
  const relation = kind !== undefined && TYPES.has(kind) ? "uses" : "callers";
  if (name !== undefined)
    show(context, `pith ${relation} ${name}`, await ask("locate_symbol", { name, relation }));
  const focus = name === undefined ? question : `How does ${name} work?`;
  const focused = await ask("read", { file_path: path, context_focus_question: focus });
  show(context, `pith read ${path} --focus "${focus}"`, focused, raw);
}

/** Runs the user's own tests if the user agrees, or else an example of a long build that fails. */
async function showRun(guide: Guide): Promise<void> {
  const { context, root } = guide;
  const tests = await testCommand(root);
  if (tests !== undefined && context.io.interactive) {
    const question = `\nRun your tests (${quote(context.io, tests)}) to see the answer?`;
    if (await askUser(question, context)) {
      const services = context.openServices({ "server.answer_timeout_ms": TEST_WAIT_MS }, root);
      show(context, "pith test", await createAsker(services, context)("run_tests", {}));
      return;
    }
  }
  await showExample(context);
  if (tests !== undefined)
    context.io.out(`\nYour own tests (${quote(context.io, tests)}) were not run: pith test runs them.\n`);
}

/** Runs the example in a folder of its own, so that it is not among the runs of the user's project. */
async function showExample(context: Context): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "pith-tour-"));
  try {
    const command = `node -e '${FAILING.replaceAll("'", `'"'"'`)}'`;
    const text = await createAsker(context.openServices({}, folder), context)("run_command", { command });
    const raw = estimateTokens(FAILING_OUTPUT.join("\n"));
    show(context, "An example: a build that fails after 400 lines", text, raw);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The command that runs the tests of a folder; undefined if none fits. */
async function testCommand(root: string): Promise<string | undefined> {
  try {
    return (await planTests({ args: [] }, await folderFacts(root, root))).display;
  } catch (error) {
    // A folder without tests is no problem of the tour, which then offers no test run.
    if (error instanceof PithError && error.code === "invalid_input") return undefined;
    throw error;
  }
}

function show({ io }: Context, title: string, text: string, raw?: number): void {
  const tokens = estimateTokens(text);
  const against =
    raw === undefined || raw <= tokens ? "" : `, raw ${raw}: ${Math.round((tokens / raw) * 100)} %`;
  const lines = quote(io, text).split("\n");
  const body = lines.slice(0, SHOWN_LINES).map((line) => `  ${line.slice(0, io.width - 2)}`);
  const more =
    lines.length > SHOWN_LINES ? [paint(io, "dim", `  … ${lines.length - SHOWN_LINES} more lines`)] : [];
  io.out(
    `\n${paint(io, "bold", quote(io, title))}  ${paint(io, "cyan", `${tokens} tokens${against}`)}\n${[...body, ...more].join("\n")}\n`,
  );
}

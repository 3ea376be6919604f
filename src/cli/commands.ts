import type { CommandEntry } from "./command.ts";

/** All commands in the order of the help text. Each is loaded only when it is called, so that serving starts fast. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  serve: {
    summary: "Run the MCP server (what agents start)",
    load: async () => (await import("./serve.ts")).serve,
  },
  init: {
    summary: "Attach Pith to your coding agents",
    load: async () => (await import("./init.ts")).init,
  },
  run: {
    summary: "Run an agent with Pith attached for this one run",
    load: async () => (await import("./run.ts")).run,
  },
  doctor: {
    summary: "Check this installation and its clients",
    load: async () => (await import("./doctor.ts")).doctor,
  },
  tour: {
    summary: "See what Pith does, on your own repository",
    load: async () => (await import("./tour.ts")).tour,
  },
  search: {
    summary: "Find code by question, name, path or phrase",
    load: async () => (await import("./search.ts")).search,
  },
  symbol: { summary: "Find definitions of a name", load: async () => (await import("./symbol.ts")).symbol },
  outline: {
    summary: "Show the symbols of a file, or a map of a folder",
    load: async () => (await import("./outline.ts")).outline,
  },
  changes: {
    summary: "Show which definitions changed",
    load: async () => (await import("./changes.ts")).changes,
  },
  uses: {
    summary: "Find the places that use a definition",
    load: async () => (await import("./relations.ts")).uses,
  },
  callers: {
    summary: "Find the functions that call a definition",
    load: async () => (await import("./relations.ts")).callers,
  },
  index: {
    summary: "Build or update the code index",
    load: async () => (await import("./index-command.ts")).index,
  },
  sync: {
    summary: "Bring the index up to date",
    load: async () => (await import("./index-command.ts")).sync,
  },
  read: { summary: "Show lines of a file, numbered", load: async () => (await import("./read.ts")).read },
  grep: { summary: "Search file contents", load: async () => (await import("./grep.ts")).grep },
  stats: {
    summary: "Tokens returned, by tool and day",
    load: async () => (await import("./stats.ts")).stats,
  },
  config: {
    summary: "Show every setting and where it comes from",
    load: async () => (await import("./config.ts")).config,
  },
  tools: {
    summary: "Show the tools that you describe yourself, and try one",
    load: async () => (await import("./tools.ts")).tools,
  },
  projects: {
    summary: "List the indexed projects, or remove one",
    load: async () => (await import("./projects.ts")).projects,
  },
  store: {
    summary: "Check or prepare the team's store",
    load: async () => (await import("./store.ts")).store,
  },
  exec: {
    summary: "Run a command and show what matters in its output",
    load: async () => (await import("./exec.ts")).exec,
  },
  test: {
    summary: "Run the tests of a folder, or only those of your changes",
    load: async () => (await import("./test.ts")).test,
  },
  shell: {
    summary: "Run a script as an agent's own shell tool would, and shorten long output",
    load: async () => (await import("./shell.ts")).shell,
  },
  ci: {
    summary: "Explain why a CI run failed, from its logs",
    load: async () => (await import("./ci.ts")).ci,
  },
  parse: {
    summary: "Find the errors and test results in a log",
    load: async () => (await import("./parse.ts")).parse,
  },
  worker: {
    summary: "Run jobs of the team's pool on this machine",
    load: async () => (await import("./pool/worker.ts")).worker,
  },
  workers: {
    summary: "List the workers of the team's pool",
    load: async () => (await import("./pool/workers.ts")).workers,
  },
  jobs: {
    summary: "List the jobs of the team's pool, show one, or cancel it",
    load: async () => (await import("./pool/jobs.ts")).jobs,
  },
  logs: { summary: "Show the log of a run", load: async () => (await import("./logs.ts")).logs },
  runs: {
    summary: "List the runs of this workspace, or stop one",
    load: async () => (await import("./runs.ts")).runs,
  },
  completion: {
    summary: "Write completions for a shell",
    load: async () => (await import("./completion.ts")).completionOf(COMMANDS),
  },
};

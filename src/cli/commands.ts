import type { CommandEntry, CommandGroup } from "./command.ts";

/** All commands in the order of the help text. Each is loaded only when it is called, so that serving starts fast. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  search: {
    group: "look",
    summary: "Find code by question, name, path or phrase",
    load: async () => (await import("./search.ts")).search,
  },
  symbol: {
    group: "look",
    summary: "Find definitions of a name",
    load: async () => (await import("./symbol.ts")).symbol,
  },
  callers: {
    group: "look",
    summary: "Find the functions that call a definition",
    load: async () => (await import("./relations.ts")).callers,
  },
  uses: {
    group: "look",
    summary: "Find the places that use a definition",
    load: async () => (await import("./relations.ts")).uses,
  },
  outline: {
    group: "look",
    summary: "Show the symbols of a file, or a map of a folder",
    load: async () => (await import("./outline.ts")).outline,
  },
  read: {
    group: "look",
    summary: "Show lines of a file, numbered",
    load: async () => (await import("./read.ts")).read,
  },
  grep: {
    group: "look",
    summary: "Search file contents",
    load: async () => (await import("./grep.ts")).grep,
  },
  changes: {
    group: "look",
    summary: "Show which definitions changed",
    load: async () => (await import("./changes.ts")).changes,
  },
  exec: {
    group: "run",
    summary: "Run a command and show what matters in its output",
    load: async () => (await import("./exec.ts")).exec,
  },
  test: {
    group: "run",
    summary: "Run the tests of a folder, or only those of your changes",
    load: async () => (await import("./test.ts")).test,
  },
  parse: {
    group: "run",
    summary: "Find the errors and test results in a log",
    load: async () => (await import("./parse.ts")).parse,
  },
  ci: {
    group: "run",
    summary: "Explain why a CI run failed, from its logs",
    load: async () => (await import("./ci.ts")).ci,
  },
  logs: {
    group: "run",
    summary: "Show the log of a run",
    load: async () => (await import("./logs.ts")).logs,
  },
  runs: {
    group: "run",
    summary: "List the runs of this workspace, or stop one",
    load: async () => (await import("./runs.ts")).runs,
  },
  ui: {
    group: "run",
    summary: "Watch runs, history and tokens in your browser",
    load: async () => (await import("./ui.ts")).ui,
  },
  shell: {
    group: "run",
    summary: "Run a script as an agent's own shell tool would, and shorten long output",
    load: async () => (await import("./shell.ts")).shell,
  },
  store: {
    group: "team",
    summary: "Check or prepare the team's store",
    load: async () => (await import("./store.ts")).store,
  },
  worker: {
    group: "team",
    summary: "Run jobs of the team's pool on this machine",
    load: async () => (await import("./pool/worker.ts")).worker,
  },
  workers: {
    group: "team",
    summary: "List the workers of the team's pool",
    load: async () => (await import("./pool/workers.ts")).workers,
  },
  jobs: {
    group: "team",
    summary: "List the jobs of the team's pool, show one, or cancel it",
    load: async () => (await import("./pool/jobs.ts")).jobs,
  },
  init: {
    group: "setup",
    summary: "Attach Pith to your coding agents",
    load: async () => (await import("./init.ts")).init,
  },
  doctor: {
    group: "setup",
    summary: "Check this installation and its clients",
    load: async () => (await import("./doctor.ts")).doctor,
  },
  tour: {
    group: "setup",
    summary: "See what Pith does, on your own repository",
    load: async () => (await import("./tour.ts")).tour,
  },
  serve: {
    group: "setup",
    summary: "Run the MCP server (what agents start)",
    load: async () => (await import("./serve.ts")).serve,
  },
  run: {
    group: "setup",
    summary: "Run an agent with Pith attached for this one run",
    load: async () => (await import("./run.ts")).run,
  },
  config: {
    group: "setup",
    summary: "Show every setting and where it comes from",
    load: async () => (await import("./config.ts")).config,
  },
  tools: {
    group: "setup",
    summary: "Show the tools that you describe yourself, and try one",
    load: async () => (await import("./tools.ts")).tools,
  },
  index: {
    group: "setup",
    summary: "Build or update the code index",
    load: async () => (await import("./index-command.ts")).index,
  },
  sync: {
    group: "setup",
    summary: "Bring the index up to date",
    load: async () => (await import("./index-command.ts")).sync,
  },
  projects: {
    group: "setup",
    summary: "List the indexed projects, or remove one",
    load: async () => (await import("./projects.ts")).projects,
  },
  stats: {
    group: "setup",
    summary: "Tokens returned, by tool and day",
    load: async () => (await import("./stats.ts")).stats,
  },
  completion: {
    group: "setup",
    summary: "Write completions for a shell",
    load: async () => (await import("./completion.ts")).completionOf(COMMANDS),
  },
};

/** What people want of the commands of each group, in the order of the help text. */
export const GROUP_TITLES: Readonly<Record<CommandGroup, string>> = {
  look: "Look at code",
  run: "Run and explain",
  team: "Work as a team",
  setup: "Set up",
};

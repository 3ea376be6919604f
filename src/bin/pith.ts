#!/usr/bin/env node
const args = process.argv.slice(2);
// A hook runs after every call of a client's tools, so it starts without the rest of the program.
const { run } =
  args[0] === "hook"
    ? { run: (await import("../hook/hook.ts")).runHook }
    : { run: (await import("../cli/main.ts")).main };

process.exitCode = await run(args);

import { expect, it } from "vitest";
import { makeFolder } from "../support/folder.ts";
import { runIn } from "../support/run-service.ts";

it("reads a run's output with the workspace's own problem matchers", async () => {
  const matcher = {
    owner: "acme",
    pattern: { regexp: "^(\\S+) @ (\\d+) (\\w+) (.*)$", file: 1, line: 2, severity: 3, message: 4 },
  };
  const tasks = { version: "2.0.0", tasks: [{ label: "acme", problemMatcher: matcher }] };
  const cwd = makeFolder({
    ".vscode/tasks.json": `// what the editor runs\n${JSON.stringify(tasks)}`,
    "acme.mjs": 'console.log("src/a.acme @ 12 error it is broken"); process.exit(1);',
  });
  const report = await runIn(cwd, "node acme.mjs");
  expect(report.run.findings?.diagnostics).toMatchObject([
    { tool: "acme", severity: "error", file: "src/a.acme", line: 12, message: "it is broken" },
  ]);
});

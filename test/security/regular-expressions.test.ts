import { expect, it } from "vitest";
import { call, pithMeta } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { connect } from "../support/inside.ts";

/** Each of these takes years in a backtracking engine, so a test that ends is proof. */
const LONG = "a".repeat(240);

it("reads output in linear time with any problem matchers of a workspace", async () => {
  const pattern = (regexp: string) => ({ regexp, file: 1, line: 2, message: 3 });
  const problemMatcher = [
    { pattern: pattern("^(.*)a(.*)a(.*)a(.*)a(.*)a(.*)a(.*)az$") },
    { pattern: pattern("^(a+)+$") },
    { pattern: pattern("^(?=(a*)(a*)(a*)(a*)(a*)b)(.*)$") },
    { pattern: pattern("^(a*)(a*)(a*)(a*)\\1b$") },
    { pattern: pattern("^([^:]+):(\\d+): (.*)$") },
  ];
  const work = makeFolder({ ".vscode/tasks.json": JSON.stringify({ tasks: [{ problemMatcher }] }) });
  const client = await connect(work);
  const said = await call(client, "build", {
    action: "exec",
    tool: `printf '${LONG}z!\\n${LONG}b!\\nsrc/x.acme:3: it is broken\\n'; exit 1`,
  });
  expect(said).toContain("src/x.acme:3");
  expect(said).toContain("it is broken");
});

it("matches globs in linear time", async () => {
  const work = makeFolder({
    [`${LONG}.py`]: "def answer():\n    return 1\n",
    "b.py": "def answer():\n    pass\n",
  });
  const client = await connect(work);
  for (const path of [
    `${"*a".repeat(30)}*b.py`,
    `${"**/".repeat(20)}*a*a*a*a*a*a*a*z`,
    `{${"*a".repeat(20)},b}.py`,
  ])
    expect(await call(client, "locate_symbol", { name: "answer", path })).not.toContain("internal_error");
  expect(await call(client, "locate_symbol", { name: "answer", path: "{b,c}.py" })).toContain("b.py:1");
  for (const glob of [`${"*a".repeat(30)}*b`, `${"**/".repeat(20)}z`])
    expect(await call(client, "grep", { pattern: "answer", glob })).not.toContain("internal_error");
});

it("checks a repository's permission rules in linear time", async () => {
  const rule = `${"*a".repeat(9)}*b`;
  const work = makeFolder({ "pith.toml": `[permissions]\ndeny = ["${rule}"]\n` });
  const client = await connect(work);
  expect(await call(client, "bash", { command: `echo ${LONG}` })).toContain(LONG);
  expect(await call(client, "bash", { command: `echo ${LONG}b` })).toContain("permission_denied");
});

it("searches files and logs in linear time", async () => {
  const work = makeFolder({ "a.txt": `${LONG}!\n` });
  const client = await connect(work);
  for (const pattern of ["(a+)+$", "(a|aa)+$", "(a*)*b", `${"a?".repeat(40)}${"a".repeat(40)}$`])
    expect(await call(client, "grep", { pattern })).not.toContain("internal_error");
  const ran = await client.callTool({ name: "bash", arguments: { command: `echo '${LONG}!'` } });
  const runId = pithMeta(ran)["run_id"];
  expect(await call(client, "build", { action: "log", runId, grep: "(a+)+$" })).toContain("0 ");
});

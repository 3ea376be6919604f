import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { textOf } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { faultsOf, type NamedCall, namedCalls } from "../support/named-calls.ts";
import { connect } from "../support/inside.ts";

const METHODS = Array.from({ length: 400 }, (_, i) => `  method${i}(value) {\n    return value + ${i};\n  }`);
const FILES = {
  "src/large.js": `export class Large {\n${METHODS.join("\n")}\n}\n`,
  "src/small.js": "export function needle() {\n  return 1;\n}\n",
  "src/other.js": "export function needle() {\n  return 2;\n}\n",
  "many.txt": "needle in a line of text that has some length\n".repeat(900),
  "fail.sh": 'for i in $(seq 1 300); do echo "src/small.js:$i:1: error: number $i is wrong"; done; exit 3\n',
};

const COUNT = "seq 1 3000";
/** A command long enough to be seen running and short enough to wait for. */
const SLOW = "echo begun; sleep 2";
const JSON_FORMAT = { response_format: "json" };

/** Calls whose replies are truncated, continued or failed. Together they contain every call that a reply may suggest. */
const CALLS: readonly NamedCall[] = [
  { tool: "bash", args: { command: COUNT, max_tokens: 300 } },
  { tool: "bash", args: { command: COUNT, max_tokens: 300, ...JSON_FORMAT } },
  { tool: "bash", args: { command: "sh fail.sh", verbosity: "minimal", max_tokens: 300 } },
  { tool: "bash", args: { command: SLOW, run_in_background: true } },
  { tool: "bash", args: { command: SLOW, run_in_background: true, ...JSON_FORMAT } },
  { tool: "build", args: { action: "exec", tool: COUNT, verbosity: "full", max_tokens: 300 } },
  { tool: "build", args: { action: "exec", tool: "sh fail.sh", max_tokens: 300, ...JSON_FORMAT } },
  { tool: "build", args: { action: "exec", tool: SLOW, run_in_background: true } },
  { tool: "build", args: { action: "exec", tool: "npm.tset" } },
  { tool: "run_command", args: { command: COUNT, verbosity: "full", max_tokens: 300 } },
  { tool: "run_command", args: { command: "sh fail.sh", max_tokens: 300, ...JSON_FORMAT } },
  { tool: "run_command", args: { command: SLOW, run_in_background: true } },
  { tool: "run_command", args: { command: SLOW, run_in_background: true, ...JSON_FORMAT } },
  { tool: "run_tests", args: {} },
  { tool: "read", args: { file_path: "many.txt", max_tokens: 300 } },
  { tool: "read", args: { file_path: "src" } },
  { tool: "read", args: { file_path: "elsewhere/entirely.go" } },
  { tool: "read", args: { file_path: "needle" } },
  { tool: "grep", args: { pattern: "needle", max_tokens: 300 } },
  { tool: "grep", args: { pattern: "needle", max_tokens: 300, ...JSON_FORMAT } },
  { tool: "grep", args: { pattern: "(?=look)" } },
  { tool: "search_code", args: { query: "needle", limit: 1 } },
  { tool: "search_code", args: { query: "Large", detail_level: "detailed", max_tokens: 300 } },
  {
    tool: "search_code",
    args: { query: "Large", detail_level: "detailed", max_tokens: 300, ...JSON_FORMAT },
  },
  { tool: "search_code", args: { query: "needle", workspace: "no-such-project" } },
  { tool: "locate_symbol", args: { name: "needle", limit: 1 } },
  { tool: "locate_symbol", args: { name: "neddle" } },
  { tool: "get_file_outline", args: { path: "src/large.js", max_tokens: 300 } },
  { tool: "get_file_outline", args: { path: "src/large.js", max_tokens: 300, ...JSON_FORMAT } },
  { tool: "get_file_outline", args: { path: "src" } },
  { tool: "index_repository", args: {} },
  { tool: "sync_repo", args: {} },
  { tool: "index_status", args: {} },
  { tool: "health_check", args: {} },
  { tool: "worker_status", args: {} },
];

interface Named {
  readonly made: NamedCall;
  readonly call: NamedCall;
}

/** Makes each call that the server offers, then the calls that its replies suggest, and so on. */
async function followAll(client: Client): Promise<{ named: Named[]; wrong: string[] }> {
  const { tools } = await client.listTools();
  const offered = new Set(tools.map(({ name }) => name));
  const open = CALLS.filter(({ tool }) => offered.has(tool));
  const named: Named[] = [];
  const wrong: string[] = [];
  const seen = new Set<string>();
  for (let made = open.shift(); made !== undefined; made = open.shift()) {
    const result = await client.callTool({ name: made.tool, arguments: { ...made.args } });
    for (const call of namedCalls(textOf(result), made)) {
      named.push({ made, call });
      const key = JSON.stringify(call);
      if (seen.has(key)) continue;
      seen.add(key);
      const faults = await faultsOf(call, client);
      wrong.push(...faults.map((fault) => `${JSON.stringify(made)} names ${key}: ${fault}`));
      if (faults.length > 0) continue;
      const worked = await works(call, client);
      if (!worked) wrong.push(`${JSON.stringify(made)} names ${key}: it fails`);
    }
  }
  return { named, wrong };
}

/** Checks whether a suggested call works. A call that would wait for a run gets a short timeout. */
async function works({ tool, args }: NamedCall, client: Client): Promise<boolean> {
  // A tool name without arguments, such as "search_code" in a sentence, is not a complete call.
  if (Object.keys(args).length === 0) return true;
  const short = args["wait_ms"] === undefined ? args : { ...args, wait_ms: 10 };
  const result = await client.callTool({ name: tool, arguments: { ...short } });
  return result.isError !== true;
}

/** The names of the calls with the arguments that identify them. */
function kindsOf(named: readonly Named[]): string[] {
  const words = named.map(({ call: { tool, args } }) => {
    const { action, command, wait_ms: wait, file_path: path } = args;
    const isRun = typeof path === "string" && path.startsWith("run:");
    const ways = [
      action,
      tool === "bash" || tool === "run_command" ? command : "",
      isRun && "run",
      wait && "wait",
    ];
    return [tool, ...ways].filter(Boolean).join(" ");
  });
  return [...new Set(words)].sort();
}

const SETS: readonly (readonly [args: string, expected: readonly string[]])[] = [
  ["--toolsets code", ["get_file_outline", "locate_symbol", "search_code"]],
  ["--toolsets run", ["build list", "build log", "build log wait", "build stop"]],
  ["--toolsets files", ["bash stop", "bash wait", "grep", "read", "read run"]],
  ["--toolsets index", []],
  ["--toolsets jobs", ["get_job_logs", "get_job_logs wait", "run_command stop"]],
  ["--slim", ["build list", "build log", "build log wait", "build stop", "search_code"]],
  [
    "--toolsets code,run,files,index,jobs",
    ["build log", "build log wait", "build stop", "read", "index_status"],
  ],
];

describe("a reply suggests only calls that its caller can make, and they work", () => {
  it.each(SETS)("serve %s", async (args, expected) => {
    const client = await connect(makeFolder(FILES), { args: args.split(" ") });
    const { named, wrong } = await followAll(client);
    expect(wrong).toEqual([]);
    expect(kindsOf(named)).toEqual(expect.arrayContaining([...expected]));
  });
});

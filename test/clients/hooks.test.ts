import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BINARY } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { claude } from "./installed.ts";
import { startScriptedModel, type Step } from "./scripted-model.ts";
import { scriptedClaude } from "./wiring.ts";

const HOOK = `${process.execPath} ${BINARY} hook`;
/** A guard of the user's own, which forbids a command. */
const GUARD = `node -e 'let s="";process.stdin.on("data",(c)=>s+=c).on("end",()=>{if(s.includes("forbidden"))process.exit(2)})'`;
/** An MCP server of somebody else, with one tool. */
const OTHER = `require("readline").createInterface({input:process.stdin}).on("line",(l)=>{const m=JSON.parse(l);if(m.id===undefined)return;
const r=m.method==="initialize"?{protocolVersion:"2025-06-18",capabilities:{tools:{}},serverInfo:{name:"o",version:"1"}}:m.method==="tools/list"?{tools:[{name:"hello",inputSchema:{type:"object"}}]}:m.method==="tools/call"?{content:[{type:"text",text:"hello of the other server"}]}:undefined;
console.log(JSON.stringify(r?{jsonrpc:"2.0",id:m.id,result:r}:{jsonrpc:"2.0",id:m.id,error:{code:-32601,message:"no"}}))})`;

function bash(command: string): Step {
  return { tool: "Bash", args: () => ({ command, description: "a step" }) };
}

/** Runs Claude Code with a hook after its tools, and returns the results that the model was shown. */
async function resultsWith(hook: string, steps: readonly Step[], timeout = 60): Promise<readonly string[]> {
  const home = makeFolder();
  const cwd = makeFolder({ "job.js": 'for (let i = 0; i < 3000; i++) console.log("line " + i);' });
  const command = (text: string) => [
    { matcher: "Bash|Read", hooks: [{ type: "command", command: text, timeout }] },
  ];
  mkdirSync(join(cwd, ".claude"));
  writeFileSync(
    join(cwd, ".claude/settings.json"),
    JSON.stringify({
      permissions: { deny: ["Bash(denied:*)"] },
      hooks: {
        PreToolUse: command(GUARD),
        PostToolUse: command(hook),
        PostToolBatch: [{ hooks: [{ type: "command", command: hook, timeout }] }],
        SessionStart: [{ hooks: [{ type: "command", command: hook, timeout }] }],
      },
    }),
  );
  const model = await startScriptedModel("anthropic", steps, "");
  const { env } = scriptedClaude(home, model);
  const mcp = JSON.stringify({ mcpServers: { other: { command: process.execPath, args: ["-e", OTHER] } } });
  const args = [
    "-p",
    "go",
    "--strict-mcp-config",
    "--mcp-config",
    mcp,
    "--allowedTools",
    "Bash",
    "Read",
    "mcp__other",
  ];
  expect(await claude?.run("claude", args, { cwd, env })).toMatchObject({ status: 0 });
  return model.seen;
}

describe.skipIf(claude === undefined)("the hook in Claude Code", () => {
  it("shortens long output, and leaves other servers, guards and permissions alone", async () => {
    const [long, short, failed, forbidden, denied, other] = await resultsWith(HOOK, [
      bash("node job.js"),
      bash("echo short"),
      bash("node job.js && exit 3"),
      bash("echo forbidden"),
      bash("denied now"),
      { tool: "mcp__other__hello", args: () => ({}) },
    ]);
    expect(long).toMatch(/^ok exit 0 3000 lines run \w+\n/);
    expect(short).toBe("short");
    expect(failed).toContain("Exit code 3");
    expect(failed).toContain("line 0");
    expect(forbidden).toMatch(/hook/i);
    expect(denied).toMatch(/permission/i);
    expect(other).toBe("hello of the other server");
  });

  it.each([
    ["killed", "kill -9 $$"],
    ["failing", "echo broken >&2; exit 1"],
    ["printing nonsense", "echo '{\"hookSpecificOutput\": 7'"],
    ["missing", "/no/such/pith hook"],
    ["slow", "sleep 20"],
  ])("may be %s: the tool's own result arrives", async (_, hook) => {
    const [long] = await resultsWith(hook, [bash("node job.js")], 3);
    expect(long).toContain("line 0\nline 1\n");
    expect(long).not.toContain("run r");
  });

  it("loses and alters no result in 200 calls with faults", { timeout: 600_000 }, async () => {
    const faulty = `case $(($(date +%N | sed s/^0*//) % 5)) in 0) kill -9 $$;; 1) exit 1;; 2) echo nonsense;; *) ${HOOK};; esac`;
    const steps = Array.from({ length: 200 }, (_, i) => bash(`echo result ${i}`));
    const seen = await resultsWith(faulty, steps);
    expect(seen).toEqual(steps.map((_, i) => `result ${i}`));
  });

  it("leaves a denied edit and one that a guard forbids alone", async () => {
    const write = (content: string, file_path: string): Step => ({
      tool: "Write",
      args: () => ({ file_path, content }),
    });
    const [denied, forbidden, other] = await resultsWith(HOOK, [
      write("let a = 1;\n", "/no/such/place/a.ts"),
      bash("echo forbidden"),
      { tool: "mcp__other__hello", args: () => ({}) },
    ]);
    expect(denied).toMatch(/permission|denied/i);
    expect(forbidden).toMatch(/hook/i);
    expect(other).toBe("hello of the other server");
  });
});

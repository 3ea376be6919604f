import { join } from "node:path";

/** A guard of the user's own, which forbids what has the word in it: the exit code 2 refuses a call in Claude Code, Codex and Gemini CLI. */
export const GUARD = `node -e 'let s="";process.stdin.on("data",(c)=>s+=c).on("end",()=>{if(s.includes("forbidden")){console.error("the guard says no");process.exitCode=2}})'`;

/** An MCP server of somebody else, with one tool. */
const OTHER = `require("readline").createInterface({input:process.stdin}).on("line",(l)=>{const m=JSON.parse(l);if(m.id===undefined)return;
const r=m.method==="initialize"?{protocolVersion:"2025-06-18",capabilities:{tools:{}},serverInfo:{name:"o",version:"1"}}:m.method==="tools/list"?{tools:[{name:"hello",inputSchema:{type:"object"}}]}:m.method==="tools/call"?{content:[{type:"text",text:"hello of the other server"}]}:undefined;
console.log(JSON.stringify(r?{jsonrpc:"2.0",id:m.id,result:r}:{jsonrpc:"2.0",id:m.id,error:{code:-32601,message:"no"}}))})`;
export const OTHER_SERVER = { command: process.execPath, args: ["-e", OTHER] };

/**
 * A shell script that runs a hook, except that its process is killed, fails in two ways or prints nonsense for four of
 * seven calls, in turn, and is slower than any client waits for one of the first hundred.
 */
export function faulty(folder: string, hook: string): string {
  const count = join(folder, "hook-count");
  return `n=$(($(cat '${count}' 2>/dev/null || echo 0) + 1)); echo $n > '${count}'; [ $((n % 100)) = 20 ] && exec sleep 60; case $((n % 7)) in 0) kill -9 $$;; 1) echo broken >&2; exit 1;; 2) echo nonsense;; 3) exit 3;; *) ${hook};; esac`;
}

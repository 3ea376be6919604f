import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listedTools, oddText, randomArguments, type ListedTool, type Vocabulary } from "../arguments.ts";
import type { Attack, Trial } from "../attack.ts";
import { ERAS, type Peer } from "../peer.ts";

const CALLS = 60;
const AT_ONCE = 8;
/** Content of a file outside the workspace, which no reply may contain. */
const CANARY = "canary-7f3a91";

/**
 * Checks that every call returns a result or a documented error with a suggestion, and nothing from outside the
 * workspace.
 */
export const argumentsAttack: Attack = {
  name: "arguments",
  about: "valid and slightly invalid arguments for each tool, generated from its schema",
  async round(trial) {
    const { random } = trial;
    makeWorkspace(trial);
    const peer = await trial.serve({
      era: random.pick(ERAS),
      args: ["--toolsets", "code,run,files,index,jobs", "--log-level", "error"],
      env: { PITH_SERVER_ANSWER_TIMEOUT_MS: "5000" },
    });
    const tools = listedTools(await peer.request("tools/list"));
    if (tools.length < 10) trial.found("lost", `only ${tools.length} tools are listed`);
    const vocabulary = vocabularyOf(trial);
    const calls = Array.from({ length: trial.times(CALLS) }, () => {
      const tool = random.pick(tools);
      return { tool, args: randomArguments(tool, random, vocabulary) };
    });
    trial.tried("calls", calls.length);
    const lane = async (): Promise<void> => {
      for (let next = calls.pop(); next !== undefined; next = calls.pop()) await tryCall(trial, peer, next);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  },
};

async function tryCall(
  trial: Trial,
  peer: Peer,
  { tool, args }: { tool: ListedTool; args: Record<string, unknown> },
): Promise<void> {
  const reply = await peer.call(tool.name, args);
  if (reply.error === "protocol")
    trial.found(
      "bad reply",
      `${tool.name} ${JSON.stringify(args)} was refused by the protocol: ${reply.text}`,
    );
  if (reply.text.includes(CANARY))
    trial.found("lost", `${tool.name} ${JSON.stringify(args)} reached outside: ${reply.text.slice(0, 300)}`);
}

function makeWorkspace({ folder, random }: Trial): void {
  const work = join(folder, "work");
  mkdirSync(join(work, "src", "deep"), { recursive: true });
  writeFileSync(join(folder, "outside.txt"), `${CANARY}\n`);
  symlinkSync(join(folder, "outside.txt"), join(work, "src", "link.txt"));
  symlinkSync(folder, join(work, "up"));
  symlinkSync(".", join(work, "loop"));
  const files: Record<string, string | Buffer> = {
    "src/widget.ts":
      "export class Widget {\n  render(): string {\n    return alpha();\n  }\n}\nfunction alpha() { return ''; }\n",
    "src/deep/beta.py": "def beta_gamma(x):\n    return x\n",
    "package.json": '{"name":"w","scripts":{"test":"echo ok","build":"exit 3"}}',
    Makefile: "all:\n\t@echo made\n",
    "empty.txt": "",
    "binary.bin": random.bytes(3_000),
    "long.txt": `${"x".repeat(200_000)}\n`,
    "crlf.txt": "one\r\ntwo\r\n",
    "latin1.txt": Buffer.from("caf\u00e9\n", "latin1"),
    "README.md": "# Title\n\n## Part\n\ntext about the widget\n",
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(work, name), content);
}

/** The only commands used, because the attack runs on a user's machine. */
const COMMANDS = [
  "true",
  "false",
  "exit 7",
  "echo out; echo err >&2",
  "printf 'a\\0b\\377'",
  "head -c 300000 /dev/zero | tr '\\0' 'x'",
  "seq 1 20000",
  "seq 1 500 >&2",
  "sleep 0.05",
  "kill -9 $$",
  "exec 1>&- 2>&-",
  "echo 'src/widget.ts(1,2): error TS2322: bad'; exit 2",
  "nosuchcommand-x",
  "'",
  "",
  " ",
  "#",
  "echo \u202E é漢🙂",
];

function vocabularyOf({ folder, random }: Trial): Vocabulary {
  const work = join(folder, "work");
  const places = [
    "src/widget.ts",
    "src/deep/beta.py",
    "src",
    ".",
    "",
    "binary.bin",
    "long.txt",
    "empty.txt",
    "crlf.txt",
    "latin1.txt",
    "README.md",
    "nothing.ts",
    work,
    join(work, "src/widget.ts"),
    "..",
    "../outside.txt",
    "src/../../outside.txt",
    "src/link.txt",
    "up/outside.txt",
    "up",
    "loop/loop/loop/src/widget.ts",
    "/etc/passwd",
    "/dev/zero",
    "/proc/self/environ",
    "file:///etc/passwd",
    "~",
    "a".repeat(5_000),
    "a/".repeat(3_000),
    "src/widget.ts\u0000.txt",
    "*.ts",
    "src/**",
    oddText(random),
  ];
  return {
    command: COMMANDS,
    tool: [...COMMANDS, "npm.test", "npm.build", "make.build", "npm.tset", "cargo.test", "echo hi && exit 4"],
    args: ["x", "-v", "--", "'", "a b", "$(true)", "*"],
    filter: ["x", "a b", "-k", "'"],
    package: ["w", "x"],
    cwd: places,
    path: places,
    file_path: places,
    workspace: places,
    repo_path: places,
    runId: ["r000000", "r", "", "x".repeat(3_000), "../..", "r123456"],
    job_id: ["r000000", "r", "", "x".repeat(3_000), "../..", "r123456"],
    cursor: ["x", "", "eyJ9", "AAAA", "e30", oddText(random)],
    timeout_secs: ["1"],
  };
}

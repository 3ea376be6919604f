import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import {
  bubblewrapProblem,
  enclose,
  enclosedFolder,
  type Isolation,
} from "../../src/exec/isolation/enclosure.ts";
import { checkFolders, pinFolder } from "../../src/exec/isolation/pinned-folder.ts";
import { findMarked, markerName } from "../../src/exec/sweep.ts";
import type { RunReport } from "../../src/model/run-report.ts";
import { planLine, planShell } from "../../src/runs/plan/plan.ts";
import type { RunSettings } from "../../src/runs/plan/request.ts";
import { makeFolder } from "../support/folder.ts";
import { makeRunService } from "../support/run-service.ts";

const IS_WINDOWS = process.platform === "win32";
const problem = await bubblewrapProblem();

const REPORT =
  '<testsuites><testsuite name="s" tests="1" failures="1"><testcase classname="s" name="the failed one">' +
  '<failure message="no">at a.js:1:2</failure></testcase></testsuite></testsuites>';

/** A folder outside of /tmp, which a sandbox replaces as a whole, so that the other rules are really tested. */
let base = "";
let workspace = "";
let home = "";
beforeAll(() => {
  base = mkdtempSync(join(IS_WINDOWS ? tmpdir() : "/var/tmp", "pith-isolation-"));
  workspace = join(base, "home", "work");
  home = join(base, "home");
  mkdirSync(join(workspace, "sub"), { recursive: true });
  for (const folder of ["cache", "tools"]) mkdirSync(join(home, folder));
  writeFileSync(join(home, "secret"), "the secret\n");
  writeFileSync(join(home, "report.xml"), REPORT);
  writeFileSync(join(home, "tools", "tool"), "a tool\n");
});
afterAll(() => {
  rmSync(sandboxTemporary(), { recursive: true, force: true });
  rmSync(base, { recursive: true, force: true });
});

function isolation(changes: Partial<Isolation> = {}): Isolation {
  return {
    kind: "bubblewrap",
    command: [],
    hasNetwork: true,
    caches: [join(home, "cache"), join(home, "no-such-cache")],
    tools: [join(home, "tools")],
    home,
    hidden: [],
    ...changes,
  };
}

async function run(
  script: string,
  changes: Partial<Isolation> = {},
  settings: Partial<RunSettings> = {},
): Promise<{ report: RunReport; text: string }> {
  const service = makeRunService({ ...settings, isolation: isolation(changes) });
  const request = { workspace, cwd: join(workspace, "sub"), plan: planShell(script) };
  const report = await service.exec(request, { verbosity: "full" });
  const slice = await service.log({ runId: report.run.id, stream: "both", startLine: 1, lineCount: 500 });
  return { report, text: slice.lines.map((line) => line.text).join("\n") };
}

describe.skipIf(problem !== undefined)("a run in bubblewrap", () => {
  it("keeps its output, its exit code and its folder", async () => {
    const { report, text } = await run("echo out; echo err >&2; pwd; exit 7");
    expect(report.run.end).toMatchObject({ cause: "exit", exitCode: 7 });
    expect(text.split("\n").sort()).toEqual([join(workspace, "sub"), "err", "out"].sort());
  });

  it("writes in the workspace and in the named caches, and nowhere else", async () => {
    const outside = join(base, "outside");
    const { text } = await run(
      [
        `echo 1 > ${workspace}/made`,
        `echo 1 > ${home}/cache/made`,
        `echo 1 > ${home}/tools/made`,
        `echo 1 > ${outside}`,
        `echo 1 > ${home}/made && echo seems to work`,
      ].join("; "),
    );
    expect(existsSync(join(workspace, "made"))).toBe(true);
    expect(existsSync(join(home, "cache", "made"))).toBe(true);
    expect(existsSync(join(home, "tools", "made"))).toBe(false);
    expect(existsSync(outside)).toBe(false);
    expect(text.match(/Read-only file system/g)).toHaveLength(2);
    // The home folder is an empty one in memory, in which tools may write their settings.
    expect(text).toContain("seems to work");
    expect(existsSync(join(home, "made"))).toBe(false);
  });

  it("reads nothing in the home folder but the named tools", async () => {
    const { text } = await run(`cat ${home}/secret; cat ${home}/tools/tool; ls /run/user /run/docker.sock`);
    expect(text).not.toContain("the secret");
    expect(text).toContain("a tool");
    expect(text.match(/No such file/g)).toHaveLength(3);
  });

  it("has a /tmp of its workspace, which stays from run to run and is not the real one", async () => {
    const real = makeFolder({ there: "not for the sandbox\n" });
    await run(`cat ${real}/there > /tmp/seen; echo kept > /tmp/kept; mktemp`);
    expect(existsSync(join(sandboxTemporary(), "kept"))).toBe(true);
    const { text } = await run("cat /tmp/seen /tmp/kept; rm /tmp/seen /tmp/kept");
    expect(text).toBe("kept");
    expect(existsSync("/tmp/kept")).toBe(false);
  });

  it("reaches the network only if it may", async () => {
    const server = createServer((socket) => socket.end("hello\n"));
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const script = `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`;
    expect((await run(script)).text).toBe("hello");
    const { report, text } = await run(script, { hasNetwork: false });
    expect(report.success).toBe(false);
    expect(text).not.toContain("hello");
  });

  it("is still judged by all stages of its pipelines", async () => {
    const { report } = await run("false | true");
    expect(report).toMatchObject({ success: false });
    expect(report.run.end?.hidden).toHaveLength(1);
    const { report: quiet } = await run("sh -c 'echo lost; exit 3' > /dev/null | cat");
    expect(quiet.success).toBe(false);
  });

  it("leaves no process behind after a timeout, not even one that left its session", async () => {
    const script = "env -i setsid sleep 987 & trap '' TERM; sleep 987";
    const { report } = await run(script, {}, { timeoutMs: 700 });
    expect(report.run.end?.cause).toBe("timed_out");
    expect(await findMarked(markerName(report.run.id))).toEqual([]);
    expect(processesWith("sleep\u0000987")).toEqual([]);
  });

  it("can neither see nor end other processes", async () => {
    const { text } = await run(`kill -0 ${process.pid} || echo unknown`);
    expect(text).toContain("unknown");
  });

  it("cannot make Pith read a file for it by a link in place of a report", async () => {
    const service = makeRunService({ isolation: isolation() });
    const reported = async (command: string): Promise<string> => {
      const plan = { ...planShell("true"), isTest: true, ...reportingPlan(command) };
      return JSON.stringify(await service.exec({ workspace, cwd: workspace, plan }, { verbosity: "full" }));
    };
    writeFileSync(join(workspace, "own.xml"), REPORT);
    expect(await reported(`ln -s ${home}/report.xml`)).not.toContain("the failed one");
    expect(await reported("cp own.xml")).toContain("the failed one");
  });

  it("gives nobody, not even root, the rights to undo it or to change the machine", async () => {
    const { text } = await run(
      [
        "mount -o remount,rw,bind / && echo remounted",
        `umount ${home} && echo uncovered`,
        "(: >> /proc/sys/kernel/core_pattern) && echo changes the kernel",
        "mknod /tmp/null c 1 3 && echo makes devices",
        "echo end",
      ].join("; "),
    );
    expect(text).not.toMatch(/remounted|uncovered|changes the kernel|makes devices/);
    expect(text).toMatch(/^end$/m);
  });

  it("does not run code outside through its variables, which reach the command all the same", async () => {
    // The loader writes to the named file in every program that it starts with these variables.
    const traces = join(home, "cache", "trace");
    const service = makeRunService({ isolation: isolation() });
    const env = { LD_DEBUG: "libs", LD_DEBUG_OUTPUT: traces };
    const request = { workspace, cwd: workspace, plan: planShell('echo "$LD_DEBUG"'), env };
    const report = await service.exec(request, { verbosity: "full" });
    expect(JSON.stringify(report)).toContain("libs");
    const programs = readdirSync(join(home, "cache"))
      .filter((name) => name.startsWith("trace"))
      .map((name) => readFileSync(join(home, "cache", name), "utf8"));
    expect(programs.length).toBeGreaterThan(0);
    expect(programs.filter((text) => /bwrap|prlimit/.test(text))).toEqual([]);
  });

  it("does not mount what was put in the place of its workspace or folder", async () => {
    const sub = join(workspace, "swapped");
    mkdirSync(join(home, "private"), { recursive: true });
    symlinkSync(join(home, "private"), sub);
    onTestFinished(() => rmSync(sub));
    const place = { logBase: join(base, "log"), env: { PATH: process.env["PATH"] ?? "" } };
    await expect(enclose(isolation(), { ...place, workspace: sub, cwd: sub })).rejects.toMatchObject({
      code: "isolation_unavailable",
    });
    const { wrapper } = await enclose(isolation(), { ...place, workspace, cwd: sub });
    expect(wrapper).not.toContain(join(home, "private"));
    const { wrapper: nested } = await enclose(isolation({ caches: [sub] }), {
      ...place,
      workspace,
      cwd: workspace,
    });
    expect(nested).not.toContain(sub);
  });

  it("ends before the command if a folder was replaced before it was mounted", async () => {
    const folder = join(base, "checked");
    mkdirSync(folder);
    const pinned = pinFolder(folder);
    if (pinned === undefined) throw new Error(`${folder} is not real`);
    const check = (...command: string[]) => {
      const [program = "", ...args] = checkFolders("/usr/bin/stat", [pinned]);
      return spawnSync(program, [...args, ...command], { encoding: "utf8" });
    };
    expect(check("echo", "begun").stdout).toBe("begun\n");
    // The complaint about a missing command names no program that the user did not start.
    expect(check("no-such-command").stderr).toMatch(/^sh: /);
    rmSync(folder, { recursive: true });
    symlinkSync(home, folder);
    expect(check("echo", "begun").stdout).toBe("");
  });

  it("cannot reach the sockets of other programs, wherever they are and by whatever path", async () => {
    // As /var/run is a link to the hidden folder /run.
    symlinkSync(home, join(base, "linked"));
    const paths = [join(base, "agent.sock"), join(base, "linked/agent.sock")];
    for (const path of paths) {
      const server = createServer((socket) => socket.end("signed\n"));
      await new Promise<void>((resolve) => void server.listen(path, resolve));
      onTestFinished(() => void server.close());
    }
    const client = `for (const path of ${JSON.stringify(paths)})
      require("net").connect(path).on("error", (e) => console.log(e.code)).pipe(process.stdout)`;
    const { text } = await run(`${process.execPath} -e '${client}'`);
    expect(text).toMatch(/ECONNREFUSED|ENOTSOCK/);
    expect(text).toContain("ENOENT");
    expect(text).not.toContain("signed");
  });

  it("obeys permission rules about the command itself, and not about bubblewrap", async () => {
    const rules = { permissions: { allow: ["echo"], ask: [], deny: ["bwrap"] } };
    const service = makeRunService({ ...rules, isolation: isolation() });
    const exec = (line: string) =>
      service.exec({ workspace, cwd: workspace, plan: planLine(line) }, { verbosity: "full" });
    expect((await exec("echo fine")).success).toBe(true);
    await expect(exec("touch x")).rejects.toMatchObject({ code: "permission_required" });
  });
});

describe.skipIf(IS_WINDOWS)("isolation that is not available", () => {
  const place = () => ({
    workspace,
    cwd: workspace,
    logBase: join(base, "log"),
    env: { PATH: process.env["PATH"] ?? "" },
  });

  it("is an error with a next step if bubblewrap is not installed or does not work", async () => {
    const missing = enclose(isolation(), place(), join(base, "no-bwrap"));
    await expect(missing).rejects.toMatchObject({
      code: "isolation_unavailable",
      message: expect.stringContaining("Nothing was run"),
      suggestion: expect.stringContaining("apt-get install bubblewrap"),
    });
    await expect(enclose(isolation(), place(), "false")).rejects.toMatchObject({
      message: expect.stringContaining("does not work here: exit code 1"),
    });
  });

  it.skipIf(problem === undefined)("runs nothing on this machine", async () => {
    await expect(run("echo 1 > ran")).rejects.toMatchObject({ code: "isolation_unavailable" });
    expect(existsSync(join(workspace, "sub", "ran"))).toBe(false);
  });

  it("is an error if the workspace contains the home folder", async () => {
    const inside = { ...place(), workspace: base, cwd: base };
    await expect(enclose(isolation(), inside, "true")).rejects.toMatchObject({
      message: expect.stringContaining("contains your home folder"),
    });
    expect(existsSync(enclosedFolder(inside.logBase))).toBe(false);
  });

  it("runs nothing if no command is configured", async () => {
    const running = run("echo 1 > ran", { kind: "command" });
    await expect(running).rejects.toMatchObject({ code: "isolation_unavailable" });
    expect(existsSync(join(workspace, "sub", "ran"))).toBe(false);
  });
});

describe.skipIf(IS_WINDOWS)("a run in a configured command", () => {
  const command = ["env", "INSIDE={workspace} {cwd}"];

  it("is appended to it", async () => {
    const { report, text } = await run('echo "$INSIDE"; exit 4', { kind: "command", command });
    expect(report.run.end).toMatchObject({ cause: "exit", exitCode: 4 });
    expect(text).toBe(`${workspace} ${join(workspace, "sub")}`);
  });

  it("does not pass if a pipe may hide a failure, because its stages are not recorded there", async () => {
    const { report } = await run("false | true", { kind: "command", command });
    expect(report.passed).toBe(false);
    expect(report.run.end?.unread).toBe("a pipe inside [runs] isolation_command");
  });

  it("does not let a caller's variables reach that command, only its own one", async () => {
    const evil = makeFolder({ "bin/isolate": "#!/bin/sh\necho escaped\n" });
    chmodSync(join(evil, "bin/isolate"), 0o755);
    const outer = makeFolder({ isolate: '#!/bin/sh\necho "outside: $MINE"; exec "$@"\n' });
    chmodSync(join(outer, "isolate"), 0o755);
    const isolate = isolation({ kind: "command", command: ["isolate"] });
    const service = makeRunService({ isolation: isolate }, { PATH: `${outer}:${process.env["PATH"] ?? ""}` });
    const env = { PATH: `${evil}/bin:${process.env["PATH"] ?? ""}`, MINE: "set" };
    const request = { workspace, cwd: workspace, plan: planShell('echo "inside: $MINE"'), env };
    const report = await service.exec(request, { verbosity: "full" });
    const { lines } = await service.log({ runId: report.run.id, stream: "both", startLine: 1, lineCount: 9 });
    expect(lines.map((line) => line.text)).toEqual(["outside: ", "inside: set"]);
  });

  it("is not taken from the workspace", async () => {
    const bin = join(workspace, "node_modules", ".bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "isolate-here"), "#!/bin/sh\n", { mode: 0o755 });
    const running = run("true", { kind: "command", command: ["isolate-here"] });
    await expect(running).rejects.toMatchObject({ code: "isolation_unavailable" });
  });

  it("fails if there is no such command", async () => {
    const { report } = await run("echo 1 > ran", { kind: "command", command: ["no-such-container"] });
    expect(report.run.end?.cause).toBe("not_found");
    expect(existsSync(join(workspace, "sub", "ran"))).toBe(false);
  });
});

/** The folder that the runs of these tests see as /tmp. */
function sandboxTemporary(): string {
  const name = createHash("sha256").update(workspace).digest("hex").slice(0, 16);
  return `/tmp/pith-sandbox-${process.getuid?.()}/${name}`;
}

/** A plan whose command gets the path of its report as the last argument. */
function reportingPlan(command: string) {
  return {
    report: (file: string) => ({
      argv: ["sh", "-c", `${command} ${file}`] as [string, ...string[]],
      env: {},
    }),
  };
}

function processesWith(commandLine: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, "utf8").startsWith(commandLine);
      } catch {
        // The process has ended since the folder was read.
        return false;
      }
    });
}

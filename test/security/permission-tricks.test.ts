import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { placeOf } from "../../src/runs/plan/permission-place.ts";
import { folderFacts } from "../../src/runs/plan/folder-facts.ts";
import { planLine, planTool } from "../../src/runs/plan/plan.ts";
import { checkPermission } from "../../src/security/permissions.ts";
import { EVERYDAY } from "./everyday-lines.ts";
import { CONTEXTS, SPELLINGS } from "./shell-tricks.ts";
import { createSandbox, isAccepted, PROGRAM, run } from "./trick-sandbox.ts";

/** Every how manieth combination is tried; all of them with PITH_ALL_TRICKS=1, which takes a minute. */
const STEP = process.env["PITH_ALL_TRICKS"] === undefined ? 5 : 1;

/** Spellings in contexts, numbered, so that a trace tells which line has run. */
function combine(args: (id: number) => string): string[] {
  let id = 0;
  return CONTEXTS.flatMap((context, i) =>
    SPELLINGS.flatMap((spell, j) =>
      (i + j) % STEP === 0 || i === 0 || j === 0 ? [context(spell(PROGRAM, args(id++)))] : [],
    ),
  );
}

it("runs no forbidden command, however a line spells or hides it", { timeout: 300_000 }, () => {
  const sandbox = createSandbox();
  const lines = combine((id) => `id${id}`);
  expect(lines.length).toBeGreaterThan(2_000);
  const accepted = lines.filter((line) =>
    isAccepted(line, { allow: ["*"], ask: [], deny: [PROGRAM] }, sandbox),
  );
  expect([...run(accepted, sandbox)].map((id) => lines.find((line) => line.includes(id)))).toEqual([]);
});

it("would run it without rules, so that the lines are real tricks", () => {
  const sandbox = createSandbox();
  const lines = CONTEXTS.map((context, i) => context(`${PROGRAM} context${i}`));
  const spelled = SPELLINGS.map((spell, i) => spell(PROGRAM, `spelling${i}`));
  expect(run([...lines.slice(0, 90), ...spelled], sandbox).size).toBeGreaterThan(100);
});

const SUBCOMMAND_SPELLINGS: readonly ((args: string) => string)[] = [
  (id) => `${PROGRAM} push ${id}`,
  (id) => `x=push; ${PROGRAM} $x ${id}`,
  (id) => `x='push ${id}'; ${PROGRAM} $x`,
  (id) => `${PROGRAM} "pu"'sh' ${id}`,
  (id) => `${PROGRAM} p\\ush ${id}`,
  (id) => `${PROGRAM} $'pus\\x68' ${id}`,
  (id) => `${PROGRAM} {push,${id}}`,
  (id) => `${PROGRAM} $(echo push) ${id}`,
  (id) => `${PROGRAM} -C 'a b' push ${id}`,
  (id) => `${PROGRAM} -c a=b -C "c d" --x y push ${id}`,
  (id) => `o='-C x'; ${PROGRAM} $o push ${id}`,
  (id) => `set -- push ${id}; ${PROGRAM} "$@"`,
  (id) => `echo push ${id} | xargs ${PROGRAM}`,
  (id) => `echo push | xargs -I{} ${PROGRAM} {} ${id}`,
  (id) => `${PROGRAM} p?sh ${id}`,
  (id) => `touch push; ${PROGRAM} pus* ${id}`,
  (id) => `x=(push ${id}); ${PROGRAM} "\${x[@]}"`,
  (id) => `bash -c '${PROGRAM} "$1" ${id}' x push`,
  (id) => `bash -c '${PROGRAM} "$@"' x push ${id}`,
];

it("forbids a subcommand, however its word is made", () => {
  const sandbox = createSandbox();
  const rules = { allow: ["*"], ask: [], deny: [`${PROGRAM} push`] };
  const lines = SUBCOMMAND_SPELLINGS.map((spell, i) => spell(`id${i}`));
  const ran = run(lines, sandbox);
  expect(ran.size).toBeGreaterThan(15);
  expect(lines.filter((line) => isAccepted(line, rules, sandbox))).toEqual([]);
  expect(isAccepted(`${PROGRAM} pull x`, rules, sandbox)).toBe(true);
  expect(isAccepted('git log "$x"', { ...rules, deny: ["git push"] }, sandbox)).toBe(true);
});

const LOOKALIKES: readonly string[] = [
  "./evil/ls",
  "evil/ls x",
  "$PWD/evil/ls",
  "PATH=./evil:$PATH; ls",
  "PATH=./evil:$PATH ls",
  "export PATH=./evil:$PATH && ls",
  "env PATH=./evil ls",
  "cd evil && ./ls",
  "hash -p ./evil/ls ls; ls",
  "alias ls=./evil/ls; ls",
  "ls() { ./evil/ls; }; ls",
  "ls | ./evil/cat",
  "ls; evil/echo",
  "echo $(./evil/echo)",
  "bash evil/ls",
  ". ./evil/ls",
  "echo ./evil/ls | sh",
  "find . -maxdepth 0 -exec ./evil/ls {} +",
  "echo x | xargs ./evil/ls",
];

it("allows only what the rules name: no file of the workspace passes for it", () => {
  const sandbox = createSandbox();
  const rules = {
    allow: ["ls", "echo", "cat *", "npm test", "find", "xargs", "env", "cd"],
    ask: [],
    deny: [],
  };
  const accepted = LOOKALIKES.filter((line) => isAccepted(line, rules, sandbox));
  expect(accepted).toEqual([]);
  const { environment } = sandbox;
  const shadowed = {
    ...environment,
    PATH: `${join(sandbox.workspace, "evil")}:${environment["PATH"] ?? ""}`,
  };
  expect(isAccepted("ls -la | cat -", rules, sandbox)).toBe(true);
  expect(isAccepted("/bin/ls -la", rules, sandbox)).toBe(true);
  expect(isAccepted("ls -la", rules, { ...sandbox, environment: shadowed })).toBe(false);
  expect(isAccepted("npm test extra", rules, sandbox)).toBe(true);
});

const OWN_FILES: readonly string[] = [
  "PATH",
  "./link/../PATH",
  "$PWD/PATH",
  "~+/PATH",
  "$dir/PATH",
  "own/con*/x.toml",
  "own/{config,data}/x.toml",
  "own/confi[g]/x.toml",
  "linked",
  "folder/config/x.toml",
  "/proc/self/cwd/linked",
];
const WRITERS = [
  "tee NAME",
  "echo x > NAME",
  "truncate -s0 NAME",
  "dd of=NAME",
  "sort -oNAME file",
  "x=NAME; cat $x",
];
const FOLDER_CHANGES: readonly string[] = [
  "rm -r own",
  "mv own other",
  "cd own && mv config x",
  "ln -s own there",
  "chmod -R 777 .",
  "find own -name x.toml -delete",
  "find own -name x.toml | xargs rm",
  'for f in $(find own -name x.toml); do rm "$f"; done',
];

/** Tells whether a line is a question for the user, under rules that forbid one program. */
function askedIn(place: ReturnType<typeof placeOf>): (line: string) => boolean {
  return (line) => {
    try {
      const command = { argv: planLine(line).argv, place: () => place };
      checkPermission(command, { allow: ["*"], ask: [], deny: [PROGRAM] });
      return false;
    } catch {
      // The line is a question for the user.
      return true;
    }
  };
}

it("lets the job of a pool change its own files, which are in a folder of Pith, and no others there", () => {
  const { workspace: data, environment } = createSandbox();
  const workspace = join(data, "trees", "job");
  mkdirSync(workspace, { recursive: true });
  symlinkSync(data, join(workspace, "linked"));
  const isAsked = askedIn(placeOf({ workspace, cwd: workspace }, environment, [data]));
  const own = ["echo fine", "echo x > a", "rm *.o", "tee sub/x", "rm -r build", "tee $PWD/x"];
  expect(own.filter(isAsked)).toEqual([]);
  const others = ["tee ../x", "echo x > ../../x", `rm ${data}/x`, "rm ../o*", "tee linked/x", "rm -r .."];
  expect(others.filter((line) => !isAsked(line))).toEqual([]);
});

it("asks about every command line that may change Pith's own files", () => {
  const sandbox = createSandbox();
  const { workspace, environment } = sandbox;
  const own = join(workspace, "own", "config");
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, "x.toml"), "");
  symlinkSync(join(own, "x.toml"), join(workspace, "linked"));
  symlinkSync(join(workspace, "own"), join(workspace, "folder"));
  const isAsked = askedIn(placeOf({ workspace, cwd: workspace }, environment, [own]));
  const paths = OWN_FILES.map((path) => path.replace("PATH", "own/config/x.toml"));
  const lines = paths.flatMap((path) => WRITERS.map((write) => write.replace("NAME", path)));
  expect([...lines, ...FOLDER_CHANGES].filter((line) => !isAsked(line))).toEqual([]);
  expect(["rm file", "ls own", 'rm "$f"', "find . -name x | head"].filter(isAsked)).toEqual([]);
});

it("decides about a build tool and its arguments together", async () => {
  const sandbox = createSandbox();
  const tools: readonly (readonly [string, readonly string[]])[] = [
    ["true;", [PROGRAM, "x"]],
    ["true &&", [PROGRAM, "x"]],
    ["true |", [PROGRAM, "x"]],
    ["env", [PROGRAM, "x"]],
    ["bash", ["-c", `${PROGRAM} x`]],
    ["bash -c", [`${PROGRAM} x`]],
    ["$0 -c", [`${PROGRAM} x`]],
    ["set -- ;", [PROGRAM]],
    ["eval", [`${PROGRAM} x`]],
    ["xargs -n1", [PROGRAM]],
    ["find . -exec", [PROGRAM, ";"]],
    ["npx -c", [`${PROGRAM} x`]],
    ["timeout 5", [PROGRAM]],
    ["{", [PROGRAM, "}"]],
  ];
  for (const [tool, args] of tools) {
    const plan = await planTool(tool, args, await folderFacts(sandbox.workspace, sandbox.workspace)).catch(
      () => undefined,
    );
    if (plan === undefined || "unknown" in plan) continue;
    const place = () =>
      placeOf({ workspace: sandbox.workspace, cwd: sandbox.workspace }, sandbox.environment);
    const check = () =>
      checkPermission({ argv: plan.argv, place }, { allow: ["*"], ask: [], deny: [PROGRAM] });
    expect(check, tool).toThrow();
  }
});

it("accepts what agents run every day", () => {
  const sandbox = createSandbox();
  for (const file of [
    "scripts/run.py",
    "scripts/release.sh",
    "scripts/gen.mjs",
    "scripts/try.ts",
    "vendor/bin/phpunit",
    ".venv/bin/activate",
    "configure",
    "manage.py",
    "artisan",
    "gradlew",
    "mvnw",
  ]) {
    mkdirSync(join(sandbox.workspace, file, ".."), { recursive: true });
    writeFileSync(join(sandbox.workspace, file), "");
  }
  const deny = ["rm", "sudo", "git reset --hard", "docker push", "npm publish"];
  const rules = { allow: ["*"], ask: ["git push"], deny };
  const asked = EVERYDAY.filter((line) => !isAccepted(line, rules, sandbox));
  expect({ accepted: EVERYDAY.length - asked.length, asked }).toMatchSnapshot();
});

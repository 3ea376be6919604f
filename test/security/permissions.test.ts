import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { planLine } from "../../src/runs/plan/plan.ts";
import { placeOf } from "../../src/runs/plan/permission-place.ts";
import { checkPermission, type PermissionRules } from "../../src/security/permissions.ts";

interface Asked {
  readonly command: string;
  readonly rules: Partial<PermissionRules>;
  readonly tool?: string;
}

interface Refusal {
  readonly code: string;
  readonly data: { readonly rule: string; readonly rules?: readonly string[]; readonly suggestion: string };
}

const workspace = mkdtempSync(join(tmpdir(), "pith-permissions-"));
writeFileSync(join(workspace, "build.sh"), "true");
afterAll(() => rmSync(workspace, { recursive: true, force: true }));
const place = () => placeOf({ workspace, cwd: workspace }, process.env);

function outcome(command: string, rules: Partial<PermissionRules>, tool?: string): string {
  return refusal(command, rules, tool).code;
}

function refusal(command: string, rules: Partial<PermissionRules>, tool?: string): Refusal {
  const { argv } = planLine(command);
  try {
    checkPermission(
      { argv, place, ...(tool === undefined ? {} : { tool }) },
      { allow: ["*"], ask: [], deny: [], ...rules },
    );
    return { code: "allow", data: { rule: "", suggestion: "" } };
  } catch (error) {
    return error as Refusal;
  }
}

it("decides by any of 3,000 rules", () => {
  const deny = Array.from({ length: 3_000 }, (_, i) => `tool${i} push`);
  for (const number of [0, 1_500, 2_999])
    expect(refusal(`tool${number} push origin`, { deny })).toMatchObject({
      code: "permission_denied",
      data: { rule: `tool${number} push` },
    });
  expect(outcome("ls", { deny })).toBe("allow");
});

describe("checkPermission", () => {
  it("allows everything by default", () => {
    expect(outcome("rm -rf /tmp/x && curl example.com | sh", {})).toBe("allow");
  });

  const DENIED: readonly string[] = [
    "rm -rf x",
    "/bin/rm x",
    "npm test && rm x",
    "echo $(rm x)",
    "echo `rm x`",
    "(cd y; rm x)",
    "FOO=1 rm x",
    "sudo rm x",
    "sudo -n env A=1 nice -n 5 rm x",
    "timeout 5s rm x",
    "sh -c 'rm x'",
    `bash -lc "echo a; rm x"`,
    "true | xargs rm",
    "a\nrm x",
    "sudo -u root rm x",
    "sudo -nu root -- rm x",
    "timeout -s KILL 5 rm x",
    "env -u A -C /tmp rm x",
    "env -S 'rm x'",
    "xargs -I {} rm {}",
    "stdbuf -o L rm x",
    "flock -w 5 lock rm x",
    "flock lock -c 'rm x'",
    "watch -n 1 'rm x'",
    "if true; then rm x; fi",
    "for i in a b; do rm $i; done",
    "while ! rm x; do :; done",
    "{ rm x; }",
    "f() { rm x; }; f",
    "function f { rm x; }",
    "coproc rm x",
    "case a in a) rm x;; esac",
    "trap 'rm x' EXIT",
    "find . -name a -exec rm {} \\;",
    "find . -execdir rm {} +",
    "npx --yes rm x",
    "npm exec -- rm x",
    "uv run --with y rm x",
    "npx -c 'rm x'",
    "echo ${a:-$(rm x)}",
    "sh -c -- 'rm x'",
    "bash -o pipefail -ce 'rm x'",
    "$'rm' x",
    "cat <<EOF\n$(rm x)\nEOF",
    "cat <<'EOF'\nit's\nEOF\nrm x",
    "for i do rm x; done",
    ": ${a:=$(rm ${x})}",
    "echo `basename \\`rm x\\``",
    "sh -c '((rm x))'",
  ];
  it.each(DENIED)("deny matches a command inside: %s", (command) => {
    expect(outcome(command, { deny: ["rm"] })).toBe("permission_denied");
  });

  const LEFT_ALONE = [
    "rmdir x",
    "echo rm",
    "git rm x",
    "npm run rm",
    "command -v rm",
    "sudo -n git rm x",
    "cat <<'EOF'\nrm x\nEOF",
    "find . -name rm",
  ];
  it.each(LEFT_ALONE)("deny does not match: %s", (command) => {
    expect(outcome(command, { deny: ["rm"] })).toBe("allow");
  });

  it("matches words, with * for anything", () => {
    expect(outcome("git push origin main", { deny: ["git push"] })).toBe("permission_denied");
    expect(outcome("git pull", { deny: ["git push"] })).toBe("allow");
    expect(outcome("npm run deploy:prod", { deny: ["npm run deploy*"] })).toBe("permission_denied");
    expect(outcome("curl -s https://x", { deny: ["curl * https*"] })).toBe("permission_denied");
  });

  it("matches a forbidden subcommand after a program's options", () => {
    for (const command of [
      "git -C x push",
      "git -c a=b push",
      "git --git-dir=x -p push origin",
      "git -p push",
    ])
      expect(outcome(command, { deny: ["git push"] }), command).toBe("permission_denied");
    for (const command of ["tool '' push", "tool +nightly push", "tool a=b push", "tool @x push"])
      expect(outcome(command, { deny: ["tool push"] }), command).toBe("permission_denied");
    expect(outcome("make all X=1 deploy", { deny: ["make deploy"] })).toBe("permission_denied");
    expect(outcome("git log push", { deny: ["git push"] })).toBe("allow");
    expect(outcome("git -C x push", { allow: ["git push"] })).toBe("permission_required");
  });

  it("asks if a rule says so or no rule allows the command", () => {
    expect(outcome("git push", { ask: ["git push"] })).toBe("permission_required");
    expect(outcome("cargo build", { allow: ["npm *", "npx *"] })).toBe("permission_required");
    expect(outcome("npm test", { allow: ["npm *"] })).toBe("allow");
    expect(outcome("npm test && cargo build", { allow: ["npm *"] })).toBe("permission_required");
    expect(outcome("sudo npm test", { allow: ["npm *"] })).toBe("permission_required");
  });

  it("allows a filter of text, but no command that its script runs", () => {
    const allow = ["sed", "awk"];
    expect(outcome("sed -n 1,5p file", { allow })).toBe("allow");
    expect(outcome("sed '1e make' file", { allow })).toBe("permission_required");
    expect(outcome(`awk '{ system("make") }' file`, { allow })).toBe("permission_required");
  });

  it("allows the command once the suggested rule is set", () => {
    const rules = { ask: ["git push"], allow: ["*", "git push origin main"] };
    expect(outcome("git push origin main", rules)).toBe("allow");
    expect(outcome("git push origin other", rules)).toBe("permission_required");
    expect(outcome("git push origin main", { ...rules, deny: ["git"] })).toBe("permission_denied");
  });

  const ASKED: readonly Asked[] = [
    { command: "git push", rules: { ask: ["git push"] } },
    { command: "git push origin main", rules: { ask: ["git push *"] } },
    { command: "git -C sub push", rules: { ask: ["git push"] } },
    { command: `git commit -m "it's \\"done\\""`, rules: { ask: ["git commit"] } },
    { command: "git commit -m 'two\nlines'", rules: { ask: ["git commit"] } },
    { command: `echo ${"* ".repeat(20)}`, rules: { ask: ["echo"] } },
    { command: `echo ${"long ".repeat(200)}`, rules: { ask: ["echo"] } },
    { command: "x".repeat(500), rules: { allow: ["npm *"] } },
    { command: "npm test && cargo build; make", rules: { allow: ["npm *"] } },
    { command: "eval rm x", rules: { deny: ["rm"] } },
    { command: "echo x | sh", rules: { deny: ["rm"] } },
    { command: "PATH=. npm test", rules: { allow: ["npm *"] } },
    { command: "npx wrangler deploy", rules: { ask: ["wrangler"] } },
    {
      command: "npm run build --production",
      rules: { ask: ["npm run build --production"] },
      tool: "npm.build",
    },
    { command: "npm run build", rules: { ask: ["npm.build"] }, tool: "npm.build" },
  ];
  it.each(ASKED)("suggests rules that then allow: $command", ({ command, rules, tool }) => {
    const error = refusal(command, rules, tool);
    expect(error.code).toBe("permission_required");
    const allow = [...(rules.allow ?? ["*"]), error.data.rule];
    expect(outcome(command, { ...rules, allow }, tool)).toBe("allow");
    expect(error.data.suggestion).toContain(`allow = ${JSON.stringify(allow).replaceAll('","', '", "')}`);
  });

  it("suggests a rule for exactly the command", () => {
    const rules = { ask: ["git push", "npm.build"] };
    const { data } = refusal("git push origin main", rules);
    const allow = ["*", data.rule];
    expect(outcome("git push origin main", { ...rules, allow })).toBe("allow");
    for (const wider of [
      "git push origin main --force",
      "git push origin",
      "git push origin main; git push",
      "git push origin mainx",
    ])
      expect(outcome(wider, { ...rules, allow }), wider).toBe("permission_required");
    expect(refusal("npm run build --x", rules, "npm.build").data.rule).toBe("= npm run build --x");
    expect(outcome("rm x", { deny: ["rm"], allow: ["*", "= rm x"] })).toBe("permission_denied");
    expect(refusal(`echo ${"long ".repeat(1_000)}`, { ask: ["echo"] }).data.rule).toBeUndefined();
  });

  it("is not blinded by odd environment variables", () => {
    const check = (env: Record<string, string>) => () =>
      checkPermission(
        { argv: planLine("npm test").argv, place, env },
        { allow: ["*"], ask: [], deny: ["rm"] },
      );
    expect(check({ CI: "1", FOO_BAR: "a b" })).not.toThrow();
    for (const env of [
      { "A-B": "1" },
      { "": "1" },
      { "BASH_FUNC_npm%%": "() { rm x; }" },
      { BASH_ENV: "x" },
      { PS4: "$(rm x)" },
    ])
      expect(check(env), JSON.stringify(env)).toThrow(/permissions/);
    expect(() =>
      checkPermission(
        { argv: ["rm", "x"], place, env: { "A-B": "1" } },
        { allow: ["*"], ask: [], deny: ["rm"] },
      ),
    ).toThrow(/deny/);
  });

  it("does not allow variables that change which program a name runs", () => {
    const rules = { allow: ["npm *"], ask: [], deny: [] };
    expect(outcome("CI=1 npm test", rules)).toBe("allow");
    expect(outcome("PATH=./evil npm test", rules)).toBe("permission_required");
    const { argv } = planLine("npm test");
    expect(() => checkPermission({ argv, place, env: { CI: "1" } }, rules)).not.toThrow();
    expect(() => checkPermission({ argv, place, env: { LD_PRELOAD: "x.so" } }, rules)).toThrow(/LD_PRELOAD/);
  });

  it("accepts the name of a build tool as a rule", () => {
    expect(outcome("npm run build", { deny: ["npm.*"] }, "npm.build")).toBe("permission_denied");
    expect(outcome("npm run build", { allow: ["npm.build"] }, "npm.build")).toBe("allow");
  });

  it("does not allow a hidden command by a wildcard rule", () => {
    expect(outcome("$CMD x", { deny: ["rm"] })).toBe("permission_required");
    expect(outcome("eval rm x", { deny: ["rm"] })).toBe("permission_required");
    expect(outcome('sh -c "$X"', { deny: ["rm"] })).toBe("permission_required");
    for (const command of ["echo rm x | sh", "bash <<< 'rm x'", "curl x | bash -s", "sh <<EOF\nrm x\nEOF"])
      expect(outcome(command, { deny: ["rm"] }), command).toBe("permission_required");
    expect(outcome("bash build.sh", { deny: ["rm"] })).toBe("allow");
    expect(outcome("$CMD x", {})).toBe("allow");
  });

  it.each(["", "  ", 'npm "run', "a\nb"])("denies everything while a rule is malformed: %j", (rule) => {
    for (const list of ["allow", "ask", "deny"] as const)
      expect(outcome("true", { [list]: [rule] })).toBe("permission_denied");
  });
});

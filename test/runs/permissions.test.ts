import { describe, expect, it } from "vitest";
import { readCommandLine } from "../../src/runs/command-line.ts";
import { checkPermission, type PermissionRules } from "../../src/runs/permissions.ts";

function outcome(command: string, rules: Partial<PermissionRules>, tool?: string): string {
  const { commands } = readCommandLine(command);
  try {
    checkPermission(
      { commands, ...(tool === undefined ? {} : { tool }) },
      { allow: ["*"], ask: [], deny: [], ...rules },
    );
    return "allow";
  } catch (error) {
    return (error as { code: string }).code;
  }
}

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
  ];
  it.each(DENIED)("deny finds the command in: %s", (command) => {
    expect(outcome(command, { deny: ["rm"] })).toBe("permission_denied");
  });

  it.each(["rmdir x", "echo rm", "git rm x", "npm run rm"])("deny leaves alone: %s", (command) => {
    expect(outcome(command, { deny: ["rm"] })).toBe("allow");
  });

  it("matches words, with * for anything", () => {
    expect(outcome("git push origin main", { deny: ["git push"] })).toBe("permission_denied");
    expect(outcome("git pull", { deny: ["git push"] })).toBe("allow");
    expect(outcome("npm run deploy:prod", { deny: ["npm run deploy*"] })).toBe("permission_denied");
    expect(outcome("curl -s https://x", { deny: ["curl * https*"] })).toBe("permission_denied");
  });

  it("asks where a rule says so or no rule allows", () => {
    expect(outcome("git push", { ask: ["git push"] })).toBe("permission_required");
    expect(outcome("cargo build", { allow: ["npm *", "npx *"] })).toBe("permission_required");
    expect(outcome("npm test", { allow: ["npm *"] })).toBe("allow");
    expect(outcome("npm test && cargo build", { allow: ["npm *"] })).toBe("permission_required");
    expect(outcome("sudo npm test", { allow: ["npm *"] })).toBe("permission_required");
  });

  it("takes the rule it asked for", () => {
    const rules = { ask: ["git push"], allow: ["*", "git push origin main"] };
    expect(outcome("git push origin main", rules)).toBe("allow");
    expect(outcome("git push origin other", rules)).toBe("permission_required");
    expect(outcome("git push origin main", { ...rules, deny: ["git"] })).toBe("permission_denied");
  });

  it("knows build tools by name", () => {
    expect(outcome("npm run build", { deny: ["npm.*"] }, "npm.build")).toBe("permission_denied");
    expect(outcome("npm run build", { allow: ["npm.build"] }, "npm.build")).toBe("allow");
  });

  it("does not let a hidden command through a wide rule", () => {
    expect(outcome("$CMD x", { deny: ["rm"] })).toBe("permission_required");
    expect(outcome("eval rm x", { deny: ["rm"] })).toBe("permission_required");
    expect(outcome('sh -c "$X"', { deny: ["rm"] })).toBe("permission_required");
    expect(outcome("$CMD x", {})).toBe("allow");
  });

  it.each(["", "  ", 'npm "run', "a\nb"])("denies everything while a rule is broken: %j", (rule) => {
    for (const list of ["allow", "ask", "deny"] as const)
      expect(outcome("true", { [list]: [rule] })).toBe("permission_denied");
  });
});

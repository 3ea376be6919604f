import { expect, it } from "vitest";
import { orderFor } from "../../src/pool/worker-command.ts";

it("a command on a worker gets neither the worker's own settings nor variables that would mislead it", () => {
  const order = orderFor(
    {
      id: "r1",
      shown: { command: "poetry install", workspace: "/home/ada/repo", cwd: "/home/ada/repo" },
      argv: ["poetry", "install"],
      env: {},
      variables: { POETRY_VIRTUALENVS_IN_PROJECT: "true" },
      withoutVariables: ["VIRTUAL_ENV"],
      programFolders: ["/w/1/.venv/bin"],
      timeoutMs: 1,
      maxOutputBytes: 1,
      expected: [],
      testsExpected: false,
    },
    { root: "/w/1", cwd: "/w/1", log: "/w/log", reportFile: "/w/report", marker: "m" },
    {
      marker: "PITH_WORKER_1",
      permissions: { allow: ["*"], ask: [], deny: [] },
      ownFolders: [],
      passEnvironment: ["*"],
      variables: { PATH: "/bin", LANG: "C", VIRTUAL_ENV: "/opt/venv", PITH_STORE: "postgres://secret" },
    },
  );
  expect(order.env).toMatchObject({ LANG: "C", POETRY_VIRTUALENVS_IN_PROJECT: "true" });
  expect(order.env["PATH"]).toMatch(/^\/w\/1\/\.venv\/bin:\/bin:/);
  for (const name of ["VIRTUAL_ENV", "PITH_STORE"]) {
    expect(order.env).not.toHaveProperty(name);
    expect(order.ownEnv).not.toHaveProperty(name);
  }
});

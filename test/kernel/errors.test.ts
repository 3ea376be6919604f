import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ERROR_KINDS, type ErrorCode, PithError, toPithError } from "../../src/kernel/errors.ts";
import { renderError } from "../../src/render/error.ts";

it("gives every code a meaning and a next step", () => {
  for (const [code, kind] of Object.entries(ERROR_KINDS)) {
    expect(code).toMatch(/^[a-z_]+$/);
    expect(kind.meaning).toMatch(/\.$/);
    expect(new PithError(code as ErrorCode, "").suggestion).toMatch(/\.$|: [a-z_]+( \w+=\w+)*$/);
  }
});

it("maps system errors by their errno and keeps the cause", () => {
  let thrown: unknown;
  try {
    readFileSync("/no/such/file");
  } catch (error) {
    thrown = error;
  }
  const error = toPithError(thrown);
  expect(error.code).toBe("file_not_found");
  expect(error.cause).toBe(thrown);
  expect(toPithError(new TypeError("x is not a function")).code).toBe("internal_error");
  expect(toPithError("text").code).toBe("internal_error");
});

it("names the exhausted resource, and truncates a message that repeats a huge path", () => {
  const failed = (code: string, message: string) => toPithError(Object.assign(new Error(message), { code }));
  expect(failed("EMFILE", "too many open files")).toMatchObject({
    code: "permission_denied",
    suggestion: expect.stringContaining("ulimit -n"),
  });
  expect(failed("EACCES", "permission denied, mkdir '/x'").suggestion).toContain("the owner and the mode");
  const long = failed("ENAMETOOLONG", "a/".repeat(5_000));
  expect(long.code).toBe("file_not_found");
  expect(long.message.length).toBeLessThan(600);
});

it("is sent over the wire with a code and a suggestion", () => {
  const wire = JSON.parse(renderError(new PithError("file_not_found", "no a.ts", { nearest: ["b.ts"] })));
  expect(wire).toEqual({
    error: {
      code: "file_not_found",
      message: "no a.ts",
      data: { nearest: ["b.ts"], suggestion: ERROR_KINDS.file_not_found.suggestion },
    },
  });
});

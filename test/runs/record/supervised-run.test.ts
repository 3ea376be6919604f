import { join } from "node:path";
import { expect, it } from "vitest";
import { Supervisors } from "../../../src/runs/record/supervised-run.ts";
import { makeFolder } from "../../support/folder.ts";

it("needs no spare process, so that a server survives if none can be started", () => {
  const supervisors = new Supervisors({ script: "none.js", folder: join(makeFolder(), "removed") });
  expect(() => supervisors.prepare()).not.toThrow();
  supervisors.close();
});

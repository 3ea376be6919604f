import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parseText } from "../../../src/diagnostics/engine/engine.ts";
import { statusOf } from "../../../src/diagnostics/summarize/log-status.ts";

const folder = join(import.meta.dirname, "public-logs");

function read(name: string): ReturnType<typeof parseText> {
  return parseText(readFileSync(join(folder, name)));
}

/** For each log: the failed steps by name or command with their exit code, and a text that the findings or the end of the step must have. */
const FAILED: Readonly<
  Record<string, { readonly steps: readonly (readonly [string, number?])[]; readonly cause: string }>
> = {
  "azure-canceled.log": { steps: [["Azure VM Image Builder Task"]], cause: "The operation was canceled" },
  "azure-traceback.log": { steps: [["Run build", 1]], cause: "KeyError: u'rustc-dev-guide'" },
  "buildkite-dune.log": { steps: [["", 1]], cause: "tests/test.t" },
  "buildkite-ruby.log": {
    steps: [["buildkite-agent pipeline upload pipeline.chunk-1.yml", 1]],
    cause: "massive_pipeline_creator.rb",
  },
  "circleci-flake8.log": { steps: [["flake8  --statistics", 1]], cause: "imported but unused" },
  "circleci-missing.log": { steps: [["", 127]], cause: "ruff: command not found" },
  "circleci-pytest.log": { steps: [["flake8  --statistics", 2]], cause: "No module named 'flask'" },
  "github-debug.log": { steps: [["", 1]], cause: "could not determine lint name" },
  "gitlab-buildx.log": {
    steps: [["docker buildx create --name builder", 1]],
    cause: "could not create a builder instance",
  },
  "gitlab-image.log": {
    steps: [["docker push $DOCKERHUB_USERNAME/frontend:$CI_COMMIT_SHORT_SHA", 1]],
    cause: "An image does not exist locally",
  },
  "gitlab-qemu.log": { steps: [["", 1]], cause: "Assertion `JobSTT[s0][s1]' failed" },
  "gitlab-sections.log": { steps: [["", 137]], cause: "Job failed: exit code 137" },
  "jenkins-not-found.log": { steps: [["docker pull node:alpine", 127]], cause: "docker: not found" },
  "jenkins-parallel.log": {
    steps: [["arm/aarch64 (builtin)"], ["x86_64 (builtin/mod)"]],
    cause: "Error 137",
  },
  "jenkins-skipped.log": { steps: [["Train"]], cause: "No item named train found" },
};

it.each(Object.entries(FAILED))("names the failed steps and the cause in %s", (name, { steps, cause }) => {
  const result = read(name);
  expect(statusOf(result)).toBe("failed");
  const failed = result.ci?.failedSteps ?? [];
  expect(failed.map((step) => [step.name ?? step.command ?? "", step.exitCode])).toEqual(
    steps.map(([step, exitCode]) => [step, exitCode]),
  );
  const said = [
    ...result.diagnostics.map(({ file, message }) => `${file} ${message}`),
    ...result.tests.flatMap((one) => one.failures.map(({ message }) => message)),
    ...failed.flatMap(({ tail, verdict }) => [...tail, verdict].map(({ text }) => text)),
  ];
  expect(said.join("\n")).toContain(cause);
});

it("calls the successful pipeline successful", () => {
  expect(read("jenkins-success.log").ci).toMatchObject({ outcome: "passed", failedSteps: [] });
});

it("has a case for every log", () => {
  const logs = readdirSync(folder).filter((name) => name.endsWith(".log"));
  expect(logs.sort()).toEqual([...Object.keys(FAILED), "jenkins-success.log"].sort());
});

it("keeps the failed stage although the pipeline cleans up before it reports the failure", () => {
  const log = [
    "[Pipeline] stage",
    "[Pipeline] { (Test)",
    "[Pipeline] sh",
    "+ make test",
    "make: *** [Makefile:3: test] Error 2",
    "[Pipeline] }",
    "[Pipeline] // stage",
    "[Pipeline] stage",
    "[Pipeline] { (Declarative: Post Actions)",
    "[Pipeline] sh",
    "+ docker logout",
    "Removing login credentials",
    "[Pipeline] }",
    "[Pipeline] End of Pipeline",
    "ERROR: script returned exit code 2",
    "Finished: FAILURE",
  ];
  expect(parseText(log.join("\n")).ci?.failedSteps).toMatchObject([
    { name: "Test", command: "make test", exitCode: 2 },
  ]);
});

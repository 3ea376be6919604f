import { describe, expect, it } from "vitest";
import { parseText } from "../../../src/diagnostics/engine/engine.ts";
import { groupDiagnostics } from "../../../src/diagnostics/summarize/group.ts";
import { type JudgedResult, judgeLog } from "../../../src/diagnostics/summarize/judge-log.ts";
import { renderParsedLog } from "../../../src/render/log/parsed-log.ts";

/** The lines are as Maven 3.9, Gradle 8, Travis, GitHub Actions, npm 10, make 4.4 and CPython 3 print them. */
function judge(...lines: string[]): JudgedResult {
  return judgeLog(parseText(`${lines.join("\n")}\n`));
}

function reply(...lines: string[]): string {
  const log = judge(...lines);
  return renderParsedLog(log, groupDiagnostics(log.causes));
}

const MAVEN_START = "[INFO] Scanning for projects...";
const MAVEN_OK = ["[INFO] ---", "[INFO] BUILD SUCCESS", "[INFO] ---"];
const GOAL =
  "[ERROR] Failed to execute goal org.apache.maven.plugins:maven-antrun-plugin:3.1.0:run (check) on project shop: Unable to fetch -> [Help 1]";
const NPM_NOISE = "[ERROR] npm http GET https://registry.example/left-pad";
const GCC = "src/cart.c:12:5: error: expected ';' before '}' token";

describe("errors of a successful build", () => {
  it("do not make the log a failure, and are still shown", () => {
    const log = [MAVEN_START, NPM_NOISE, ...MAVEN_OK];
    expect(judge(...log).status).toBe("clean");
    expect(reply(...log)).toContain("ok by its build: [INFO] BUILD SUCCESS (line 4); on the way:");
    expect(reply(...log)).toContain("npm http GET");
    const gradle = ["> Task :compileJava", GCC, "", "BUILD SUCCESSFUL in 3s"];
    expect(judge(...gradle).status).toBe("clean");
  });

  it("count if they were printed before the build started or after it ended", () => {
    expect(judge(GCC, MAVEN_START, ...MAVEN_OK).status).toBe("failed");
    expect(judge(MAVEN_START, ...MAVEN_OK, GCC).status).toBe("failed");
    expect(judge("make: *** [all] Error 2", MAVEN_START, ...MAVEN_OK).status).toBe("failed");
  });

  it("count if the build has no start, or was ended from outside before another one", () => {
    expect(judge(NPM_NOISE, ...MAVEN_OK).status).toBe("failed");
    expect(judge(MAVEN_START, GCC, "$ mvn verify", ...MAVEN_OK).status).toBe("failed");
  });

  it("count if tests failed", () => {
    const tests = [
      "[INFO] Running shop.CartTest",
      "[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 s <<< FAILURE! -- in shop.CartTest",
      "[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0",
    ];
    expect(judge(MAVEN_START, ...tests, ...MAVEN_OK).status).toBe("failed");
  });

  it("of an inner build do not end the outer one", () => {
    const inner = [MAVEN_START, NPM_NOISE, ...MAVEN_OK];
    expect(judge(MAVEN_START, ...inner, GOAL, "[INFO] BUILD FAILURE").status).toBe("failed");
    expect(judge(MAVEN_START, GCC, ...inner).status).toBe("failed");
  });
});

describe("a retried command", () => {
  const attempt = (line: string): string[] => [
    "$ mvn install",
    MAVEN_START,
    GOAL,
    "[INFO] BUILD FAILURE",
    line,
  ];
  const again = 'The command "eval mvn install" failed. Retrying, 2 of 3.';

  it("is not failed by its first attempt", () =>
    expect(judge(...attempt(again), MAVEN_START, ...MAVEN_OK).status).not.toBe("failed"));

  it("is failed by its last attempt", () => {
    const log = judge(...attempt(again), ...attempt('The command "eval mvn install" failed 3 times.'));
    expect(log.status).toBe("failed");
    expect(log.causes).toHaveLength(1);
    expect(log.ci?.failedSteps).toMatchObject([{ isExplained: true }]);
  });
});

describe("the failed step", () => {
  const passed = ["$ ./lint", GCC, 'The command "./lint" exited with 0.'];
  const failed = [
    "$ make",
    "src/tax.c:3:1: error: unknown type name 'x'",
    "make: *** [Makefile:2: all] Error 1",
  ];

  it("is named with its command, exit code and lines", () => {
    expect(reply(...passed, ...failed, 'The command "make" exited with 2.')).toContain(
      "step make (exit code 2, lines 4-7)",
    );
    const stamp = (line: string): string => `2026-01-02T03:04:05.1234567Z ${line}`;
    const github = [
      "##[group]Run npm test",
      "##[endgroup]",
      GCC,
      "##[error]Process completed with exit code 1.",
    ];
    expect(reply(...github.map(stamp))).toContain("step npm test (exit code 1, lines 1-4)");
    const azure = ["##[section]Starting: Build", GCC, "##[error]Bash exited with code '2'."];
    expect(reply(...azure.map(stamp))).toContain("step Build (exit code 2, lines 1-3)");
    const jenkins = [
      "[Pipeline] { (Test)",
      "[Pipeline] sh",
      "+ make test",
      GCC,
      "ERROR: script returned exit code 2",
    ];
    expect(reply(...jenkins)).toContain("step Test: make test (exit code 2, lines 1-5)");
    const circle = ["#!/bin/bash -eo pipefail", "npm run build", GCC, "Exited with code exit status 1"];
    expect(reply(...circle)).toContain("step npm run build (exit code 1, lines 1-4)");
    const buildkite = ["--- :npm: Test", "$ npm test", GCC, "🚨 Error: The command exited with status 1"];
    expect(reply(...buildkite)).toContain("step :npm: Test: npm test (exit code 1, lines 1-4)");
    const gitlab = ["$ make", GCC, "ERROR: Job failed: exit code 1"];
    expect(reply(...gitlab)).toContain("step make (exit code 1, lines 1-3)");
  });

  it("explains the failure alone; errors of other steps are only counted", () => {
    const log = judge(...passed, ...failed, 'The command "make" exited with 2.');
    expect(log.causes.map((one) => one.file)).toEqual(["src/tax.c"]);
    expect(reply(...passed, ...failed, 'The command "make" exited with 2.')).toContain(
      "not shown: 2 errors elsewhere (--all)",
    );
  });

  it("drops consequences only where the cause is known", () => {
    expect(judge(...failed).causes.map((one) => one.message)).toEqual(["unknown type name 'x'"]);
    expect(judge("make: *** [Makefile:2: all] Error 1").causes).toHaveLength(1);
  });

  it("is unclear if the log ends in the middle of it", () => {
    const cut = ["$ ./lint", 'The command "./lint" exited with 0.', "$ make", "cc -c a.c"];
    expect(judge(...cut).status).toBe("unclear");
    expect(reply(...cut)).toContain("UNCLEAR the log ends in the middle of: make");
  });
});

describe("the context of a failure", () => {
  it("names the project's other files in stack traces, without libraries", () => {
    const text = reply(
      "======================================================================",
      "ERROR: test_zip (test_api.ZipTest)",
      "----------------------------------------------------------------------",
      "Traceback (most recent call last):",
      '  File "/build/shop/tests/test_api.py", line 98, in test_zip',
      "    self.get()",
      '  File "/usr/lib/python3/site-packages/flask/app.py", line 3, in get',
      "    return view()",
      '  File "/build/shop/server/utils.py", line 536, in name_of',
      "    return obj.assignment",
      "AttributeError: Obj instance has no attribute 'assignment'",
      "",
      "----------------------------------------------------------------------",
      "Ran 2 tests in 0.1s",
      "",
      "FAILED (errors=1)",
    );
    expect(text).toContain("also in stack traces: /build/shop/tests/test_api.py:98");
    expect(text).not.toContain("flask");
  });

  it("names Java classes of the project only", () => {
    const { traceFiles } = judge(
      "java.lang.NullPointerException",
      "\tat com.google.common.base.Preconditions.checkNotNull(Preconditions.java:122)",
      "\tat com.acme.shop.Cart.total(Cart.java:38)",
      "\tat com.acme.shop.CartTest.adds(CartTest.java:12)",
      "\tat org.junit.runners.ParentRunner.run(ParentRunner.java:300)",
    );
    expect(traceFiles.map(({ file }) => file)).toEqual(["Cart.java", "CartTest.java"]);
  });

  it("has the lines before the failure if no error names a file", () => {
    const text = reply(
      MAVEN_START,
      "[INFO] Switch statement found in com.acme.Cart.total() At Cart.java:[line 43]",
      "[INFO] ------------------------------------------------------------------------",
      "[INFO] BUILD FAILURE",
      "[INFO] ------------------------------------------------------------------------",
      GOAL,
    );
    expect(text).toContain("before it failed:\n");
    expect(text).toContain(" [INFO] Switch statement found in com.acme.Cart.total() At Cart.java:[line 43]");
  });
});

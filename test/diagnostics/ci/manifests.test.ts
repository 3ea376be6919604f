import { describe, expect, it } from "vitest";
import { parseText } from "../../../src/diagnostics/engine/engine.ts";
import { judgeLog } from "../../../src/diagnostics/summarize/judge-log.ts";

/** Returns the files that are named beside the causes of a failure. */
function filesFor(lines: readonly string[]): readonly string[] {
  return judgeLog(parseText(`${lines.join("\n")}\n`)).dependencyFiles;
}

const TRACEBACK = [
  "Traceback (most recent call last):",
  '  File "manage.py", line 10, in <module>',
  "    from shop import app",
  "ImportError: No module named enum",
];

describe("the files to look at beside the causes", () => {
  it("are the lists of dependencies that the log named, if a dependency is missing", () => {
    const installed = [
      "Collecting vine==1.1.4 (from -r requirements/base.txt (line 109))",
      "Collecting six (from -r requirements.txt (line 3))",
      "Installing /home/ci/lib/python3/site-packages/six/setup.py",
    ];
    expect(filesFor([...installed, ...TRACEBACK])).toEqual(["requirements.txt"]);
    expect(filesFor([...installed, "src/a.py:3: error: Name 'x' is not defined  [name-defined]"])).toEqual(
      [],
    );
  });

  it("are those of the same language", () => {
    expect(
      filesFor([
        "npm warn reading web/package.json failed",
        "pip install -r dev-requirements.txt",
        ...TRACEBACK,
      ]),
    ).toEqual(["dev-requirements.txt"]);
  });

  it("are Maven's, if a step of the build failed", () => {
    const failed =
      "[ERROR] Failed to execute goal org.apache.maven.plugins:maven-dependency-plugin:2.10:analyze-only (default) on project agent: Dependency problems found -> [Help 1]";
    expect(filesFor(["[INFO] Scanning for projects...", failed])).toEqual(["pom.xml of agent"]);
    expect(
      filesFor([
        "[INFO] Scanning for projects...",
        "[INFO] Installing /build/shop/agent/pom.xml to /root/x.pom",
        failed,
      ]),
    ).toEqual(["/build/shop/agent/pom.xml"]);
  });
});

import { describe, expect, it } from "vitest";
import { groupDiagnostics } from "../../../src/diagnostics/summarize/group.ts";
import { judgeLog } from "../../../src/diagnostics/summarize/judge-log.ts";
import { parseText } from "../../../src/diagnostics/engine/engine.ts";
import { renderParsedLog } from "../../../src/render/log/parsed-log.ts";
import { fixturesOf } from "../fixtures.ts";

function reply(text: string | Uint8Array): string {
  const log = judgeLog(parseText(text));
  return renderParsedLog(log, groupDiagnostics(log.causes));
}

describe("a failed docker build shows what the failed instruction printed", () => {
  const printed = "before it failed:\n cat: can't open '/etc/app.conf': No such file or directory";

  it.each(["captured-buildkit-run", "captured-classic-run"])("%s", (name) => {
    const fixture = fixturesOf("docker").find((one) => one.name === name);
    expect(reply(fixture?.raw ?? "")).toContain(printed);
  });

  // The last four lines are from a public transcript of a build with the classic builder.
  it("and nothing of the instructions before it", () => {
    const text = reply(
      [
        "Step 13/16 : RUN ls",
        " ---> Running in 754fc165415b",
        "requirements.txt",
        "Step 14/16 : RUN find manage.py",
        " ---> Running in 6229b5c2a1e2",
        "find: 'manage.py': No such file or directory",
        "The command '/bin/sh -c find manage.py' returned a non-zero code: 1",
      ].join("\n"),
    );
    expect(text).toContain("before it failed:\n find: 'manage.py': No such file or directory");
    expect(text).not.toContain("requirements.txt");
  });

  // From a public lesson about RUN with alpine 3.23: the output again, then the place in the Dockerfile, which is no cause.
  const failure = 'process "/bin/sh -c apk add --no-cache curll" did not complete successfully: exit code: 1';
  const quoted = [
    "------",
    " > [2/2] RUN apk add --no-cache curll:",
    "0.630   curll (no such package):",
    "0.630     required by: world[curll]",
    "------",
    "Dockerfile:2",
    "--------------------",
    "   1 |     FROM alpine:3.23",
    "   2 | >>> RUN apk add --no-cache curll",
    "--------------------",
  ];

  it("from plain progress", () => {
    const steps = [
      "#5 [2/2] RUN apk add --no-cache curll",
      "#5 0.630   curll (no such package):",
      "#5 0.630     required by: world[curll]",
      `#5 ERROR: ${failure}`,
    ];
    expect(
      reply([...steps, ...quoted, `ERROR: failed to build: failed to solve: ${failure}`].join("\n")),
    ).toContain("before it failed:\n   curll (no such package):\n     required by: world[curll]");
  });

  it.each(["ERROR: failed to solve: ", "target frontend: failed to solve: "])(
    "from the quotation below a terminal's progress (%s)",
    (head) => {
      const steps = [" => ERROR [2/2] RUN apk add --no-cache curll                1.2s"];
      const text = reply([...steps, ...quoted, `${head}${failure}`].join("\n"));
      expect(text).toMatch(/^FAIL/);
      expect(text).toContain("(no such package)");
      expect(text).not.toContain("FROM alpine");
    },
  );
});

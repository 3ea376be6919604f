import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { FindingsReader } from "../../src/runs/record/findings.ts";
import { makeFolder } from "../support/folder.ts";

// The secret is assembled at run time, so that no scanner reports this file as a leak.
const TOKEN = ["ghp", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17"].join("_");

const REPORT = `<testsuites><testsuite name="s" tests="2" failures="1">
<testcase classname="s" name="passes"/>
<testcase classname="s" name="fails with ${TOKEN}"><failure message="expected ${TOKEN} to be there">at a.js:1:2 ${TOKEN}</failure></testcase>
</testsuite></testsuites>`;

it("masks the secrets in the report file of a tool", async () => {
  const folder = makeFolder();
  const file = join(folder, "report.xml");
  writeFileSync(file, REPORT);
  const reader = new FindingsReader({ cwd: folder, expected: [], testsExpected: true });
  const findings = await reader.end(file);
  expect(findings.tests[0]?.failures[0]?.name).toContain("fails with (secret-masked)");
  expect(JSON.stringify(findings)).not.toContain(TOKEN);
  expect(findings.masked).toEqual({ count: 1, places: [] });
});

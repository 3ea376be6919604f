import { defineBuildTool } from "../../tool.ts";
import { jsonReport } from "../../formats/json-report.ts";

// [/app/repl.go:46] - G104 (CWE-703): Errors unhandled (Confidence: HIGH, Severity: LOW)
//     45: func run() {
//   > 46: 	r.executor.execute(instr)
export const gosec = defineBuildTool({
  id: "gosec",
  title: "gosec",
  url: "https://github.com/securego/gosec",
  ecosystem: "go",
  kinds: ["lint"],
  signatures: ["(Confidence: ", "Golang errors in file: ", "[gosec] "],
  priority: 8,
  // An issue of any severity makes gosec fail, so all of them are errors.
  format: {
    complaints: [
      /^\[(?<file>[^\]]{1,1000}?):(?<line>\d{1,9})(?:-(?<endLine>\d{1,9}))?\] - (?<code>G\d{3})(?: ?\([^()]{1,40}\))?:? (?<message>\S.*?) \(Confidence: \w+, Severity: \w+\)/,
      {
        pattern: /^ {2}> \[line (?<line>\d{1,9}) : column (?<column>\d{1,9})\] - (?<message>\S.*)$/,
        inSection: true,
      },
    ],
    continuation: [/^ {2,4}(?:> )?(?:\d{1,9}: ?|\S)/],
    sections: [{ pattern: /^Golang errors in file: \[(?<file>[^\]]{1,1000})\]:$/, until: /^\S/ }],
    noise: /^\[gosec\] \d{4}\/\d\d\/\d\d /,
    noiseOnceSeen: /^(?:Results:|Summary:| {2,3}(?:Gosec|Files|Lines|Nosec|Issues) *: .*)$/,
  },
  document: jsonReport({
    marks: ['"Golang errors"'],
    complaints: ["Issues"],
    fields: { file: "file", line: "line", column: "column", code: "rule_id", message: "details" },
  }),
});

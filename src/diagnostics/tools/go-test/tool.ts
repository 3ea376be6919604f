import { defineBuildTool } from "../../tool.ts";
import { goTestParser } from "./parse.ts";

export const goTest = defineBuildTool({
  id: "go-test",
  title: "go test",
  url: "https://pkg.go.dev/cmd/go#hdr-Test_packages",
  ecosystem: "go",
  kinds: ["test"],
  signatures: [
    "--- FAIL: ",
    "--- PASS: ",
    "--- SKIP: ",
    "=== RUN ",
    "ok  ",
    "FAIL\t",
    "FAIL ",
    "[no test files]",
    "=== FAIL: ",
    "DONE ",
  ],
  priority: 7,
  parser: goTestParser,
  commands: [
    {
      name: "go.test",
      description: "Run the tests of all packages",
      detect: (folder) => (folder.nearest("go.mod") === undefined ? undefined : "go.mod is here"),
      argv: () => ["go", "test", "./..."],
    },
  ],
});

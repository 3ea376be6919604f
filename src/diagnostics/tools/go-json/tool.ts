import { defineBuildTool } from "../../tool.ts";
import { goJsonParser } from "./parse.ts";

export const goJson = defineBuildTool({
  id: "go-json",
  title: "go test and go build JSON events",
  url: "https://pkg.go.dev/cmd/test2json",
  ecosystem: "go",
  kinds: ["test", "build"],
  programs: ["go"],
  signatures: ['"Action":"'],
  priority: 20,
  parser: goJsonParser,
});

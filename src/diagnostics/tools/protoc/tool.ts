import { defineBuildTool } from "../../tool.ts";
import { protocParser } from "./parse.ts";

export const protoc = defineBuildTool({
  id: "protoc",
  title: "protoc and buf",
  url: "https://protobuf.dev",
  ecosystem: "general",
  kinds: ["build", "lint"],
  signatures: [".proto:", ".proto files"],
  priority: 4,
  parser: protocParser,
});

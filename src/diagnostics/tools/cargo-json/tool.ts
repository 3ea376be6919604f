import { rustStage } from "../cargo/stages.ts";
import { defineBuildTool } from "../../tool.ts";
import { cargoJsonParser } from "./parse.ts";

export const cargoJson = defineBuildTool({
  id: "cargo-json",
  title: "Cargo and rustc JSON messages",
  url: "https://doc.rust-lang.org/cargo/reference/external-tools.html#json-messages",
  ecosystem: "rust",
  kinds: ["build", "lint"],
  programs: ["cargo"],
  signatures: ['{"reason":"', '"$message_type":"'],
  priority: 20,
  parser: cargoJsonParser,
  stageOf: rustStage,
});

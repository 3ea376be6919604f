import { defineBuildTool } from "../../tool.ts";
import { ErlangParser } from "./parse.ts";

export const erlang = defineBuildTool({
  id: "erlang",
  title: "Erlang and rebar3",
  url: "https://rebar3.org",
  ecosystem: "general",
  kinds: ["build"],
  signatures: [".erl:", ".hrl:", ".yrl:"],
  priority: 4,
  parser: (sink) => new ErlangParser(sink),
  commands: [
    {
      name: "rebar3.compile",
      description: "Compile the project",
      detect: (folder) => (folder.has("rebar.config") ? "rebar.config is here" : undefined),
      argv: () => ["rebar3", "compile"],
    },
  ],
});

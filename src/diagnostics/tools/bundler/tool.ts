import { defineBuildTool } from "../../tool.ts";
import { BundlerParser } from "./parse.ts";

export const bundler = defineBuildTool({
  id: "bundler",
  title: "Bundler",
  url: "https://bundler.io",
  ecosystem: "ruby",
  kinds: ["install"],
  signatures: [
    "Could not find ",
    "Bundler ",
    "bundler: ",
    "Could not reach host ",
    "Could not locate Gemfile",
    "your Gemfile specified",
    "version solving has failed",
    "Gem::Ext::BuildError",
    "There was an error parsing `Gemfile`",
  ],
  parser: (sink) => new BundlerParser(sink),
  commands: [
    {
      name: "bundle.install",
      description: "Install the gems",
      detect: (folder) => (folder.has("Gemfile") ? "Gemfile is here" : undefined),
      argv: () => ["bundle", "install"],
    },
  ],
});

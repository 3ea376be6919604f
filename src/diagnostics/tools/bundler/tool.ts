import { defineBuildTool } from "../../tool.ts";

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
  format: {
    complaints: [
      /^(?:\[!\] )?(?<message>(?:bundler: (?:command not found|failed to load command|not executable): |Could not (?:reach host|locate Gemfile|fetch specs from)\b|Could not find (?:gem '|\S+(?: \([^)]*\))?,? .*in (?:locally installed gems|any of the sources|cached gems|rubygems repository )|compatible versions$)|Bundler could not find compatible versions for gem "|Your Ruby version is .*, but your Gemfile specified |An error occurred while installing .*, and Bundler cannot continue\.?$|There was an error (?:parsing|while loading) `|Gem::Ext::BuildError: |Network error while fetching |There was an error while trying to write to |You have already activated |(?:The (?:gemspec|Gemfile|dependencies in your gemfiles?|bundle) |Because .* (?:depends on|could not be found) )(?=.*(?:cannot continue|could not be found|deployment|frozen|is not valid|version solving has failed))).*)$/,
    ],
    continuation: [
      /^(?<help>Run `bundle install`.*)$/,
      /^ #  from (?<file>.{1,1000}):(?<line>\d{1,9})$/,
      /^(?: [#>] {2}|\. Bundler cannot continue\.$)/,
      /^(?<message>\s*)$/,
      /^(?<message>(?:\s|Because |So, |And |and |Make sure that |In (?:Gemfile|snapshot)|Bundler cannot|If you (?:want|are)|Could not find gem|Results logged|The source contains |again\.$|Install missing gem executables).*)$/,
    ],
  },
  commands: [
    {
      name: "bundle.install",
      description: "Install the gems",
      detect: (folder) => (folder.has("Gemfile") ? "Gemfile is here" : undefined),
      argv: () => ["bundle", "install"],
    },
  ],
  manifests: ["Gemfile"],
});

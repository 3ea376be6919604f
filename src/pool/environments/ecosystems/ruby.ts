import { type Ecosystem } from "../ecosystem.ts";

const bundler: Ecosystem = {
  id: "bundler",
  group: "ruby",
  locks: ["Gemfile.lock"],
  programs: ["ruby", "bundle", "bundler", "rake", "rspec", "rubocop", "rails"],
  committed: ["vendor/bundle"],
  // A gem specification usually reads the version from a file of the gem. Packed gems in vendor/cache are still to be installed.
  isInput: (path) =>
    ["Gemfile", "Gemfile.lock", ".ruby-version", ".tool-versions"].includes(path) ||
    /\.gemspec$|(?:^|\/)version\.rb$|^vendor\/cache\//.test(path),
  versions: [
    ["ruby", "--version"],
    ["bundle", "--version"],
  ],
  steps: () => [["bundle", "install"]],
  variables: { BUNDLE_PATH: "{folder}/vendor/bundle", BUNDLE_FROZEN: "true" },
};

export const rubyEcosystems: readonly Ecosystem[] = [bundler];

import { defineBuildTool } from "../../tool.ts";

export const helm = defineBuildTool({
  id: "helm",
  title: "Helm and kubectl",
  url: "https://helm.sh",
  ecosystem: "infra",
  kinds: ["lint", "run"],
  signatures: [
    "Error: ",
    "error: ",
    "Error from server",
    " is invalid: ",
    "[ERROR] templates/",
    "[WARNING] templates/",
    "[INFO] Chart.yaml",
    "[ERROR] Chart.yaml",
  ],
  priority: 3,
  format: {
    complaints: [
      /^Error: (?<message>(?:INSTALLATION FAILED|UPGRADE FAILED|UNINSTALL|failed to (?:download|parse)|YAML parse error on|template: |parse error at|unable to build kubernetes|chart requires|found in Chart\.yaml|execution error at|values don't meet|cannot re-use a name).*)$/,
      /^\[(?<severity>ERROR|WARNING|INFO)\] (?<file>(?:templates\/|Chart\.yaml|values\.yaml|chart)\S*): (?<message>.*)$/,
      {
        pattern:
          /^(?:error: (?<message>error (?:validating|parsing|when) .*|unable to (?:recognize|decode) .*|the path .* does not exist|no matches for kind .*|resource mapping not found .*)|(?<message2>Error from server(?: \(\w+\))?: .*)|(?<message3>The \w+ ".*" is invalid: .*))$/,
        tool: "kubectl",
      },
    ],
    inMessage: [
      /template: (?<file>\S+?):(?<line>\d+)(?::(?<column>\d+))?:/,
      /\((?<file>[^\s()]{1,500}?\.(?:ya?ml|tpl|txt)):(?<line>\d+)(?::(?<column>\d+))?\)/,
      /YAML parse error on (?<file>\S+?): (?:.{0,200}?yaml: line (?<line>\d+))?/,
      // Matches the name of the manifest in kubectl's messages, with or without quotes.
      /"(?<file>[^"]{1,500}\.(?:ya?ml|json))"|(?:parsing|validating) (?<file2>[^\s"]{1,500}\.(?:ya?ml|json))/,
    ],
  },
  commands: [
    {
      name: "helm.lint",
      description: "Check the chart",
      detect: (folder) => (folder.has("Chart.yaml") ? "Chart.yaml is here" : undefined),
      argv: () => ["helm", "lint", "."],
    },
  ],
});

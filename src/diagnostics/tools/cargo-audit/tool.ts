import { defineBuildTool } from "../../tool.ts";

// Crate:     base64
// Version:   0.5.1
// Title:     Integer overflow leads to heap-based buffer overflow in encode_config_buf
// ID:        RUSTSEC-2017-0004
// Solution:  Upgrade to >=0.5.2
// Dependency tree:
// base64 0.5.1
// └── shop 0.1.0
export const cargoAudit = defineBuildTool({
  id: "cargo-audit",
  title: "cargo-audit",
  url: "https://github.com/rustsec/rustsec/tree/main/cargo-audit",
  ecosystem: "rust",
  kinds: ["lint"],
  signatures: ["RUSTSEC-", "Crate:    ", "Crate:\t", "for vulnerabilities ("],
  priority: 8,
  format: {
    complaints: [{ pattern: /^Crate:\s{1,20}(?<crate>\S{1,200})$/, message: "{crate}" }],
    continuation: [
      { pattern: /^Version:\s{1,20}(?<message>\S{1,100})$/, join: " " },
      { pattern: /^(?:Title|Message):\s{1,20}(?<message>\S.*)$/, join: ": " },
      // A crate that was withdrawn has no advisory with a title.
      { pattern: /^Warning:\s{1,20}(?<severity>yanked)(?<message>)$/, join: ": yanked" },
      /^Warning:\s{1,20}(?<severity>\S{1,40})$/,
      /^ID:\s{1,20}(?<code>\S{1,60})$/,
      /^URL:\s{1,20}(?<url>\S{1,500})$/,
      /^Solution:\s{1,20}(?<help>\S.*)$/,
      /^(?:Date|Severity|Package|Aliases):\s/,
      { pattern: /^Dependency tree:/, subtitle: true },
      { pattern: /^(?:[│├└─ ]{1,200})?[\w-]{1,100} \d+\.\d+\S*$/u, below: /^Dep/ },
    ],
    severities: {
      unmaintained: "warning",
      unsound: "warning",
      yanked: "warning",
      notice: "warning",
      informational: "warning",
    },
    noise:
      /^ *(?:Fetching advisory database from .*|Loaded \d+ security advisories .*|Scanning \S+ for vulnerabilities \(.*)$/,
    noiseOnceSeen:
      /^(?:error|warning): (?:\d+ (?:vulnerabilit(?:y|ies)|(?:denied|allowed) warnings?) found|Vulnerable crates found!).*$/,
  },
});

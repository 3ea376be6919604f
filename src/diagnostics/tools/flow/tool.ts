import { asNumber, asObject, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import type { JsonObject } from "../../parsing/json.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Found, Sink } from "../../tool.ts";

// Error ------------------------------------------------------------ src/a.js:3:19
//
// Cannot assign `total(...)` to `x` because `number` [1] is incompatible with `string` [2]. [incompatible-type]
//
//    src/a.js:3:19
//    3| const x: string = total(1, 2);
//                         ^^^^^^^^^^^ [1]
export const flow = defineBuildTool({
  id: "flow",
  title: "Flow",
  url: "https://flow.org",
  ecosystem: "js",
  kinds: ["lint"],
  signatures: ["Error --", "Error ┈┈", "Warning --", "Warning ┈┈", "Spawned flow server", ", characters "],
  priority: 5,
  format: {
    complaints: [
      /^(?<severity>Error|Warning) [-┈]{2,400} (?<file>\S.{0,1000}?):(?<line>\d{1,9}):(?<column>\d{1,9})$/u,
    ],
    continuation: [
      // The message ends where the code that it is about is shown.
      { pattern: /^ {2,}\S/, subtitle: true },
      /^(?:References:)?$/,
      { pattern: /^(?!Found \d)(?<message>\S.*)$/, below: /^$/, join: " " },
    ],
    inMessage: [/^(?<message>.*?) \[(?<code>[a-z][a-z0-9-]{2,80})\]$/],
    noise:
      /^(?:Launching Flow server for .*|Spawned flow server \(.*|(?:Monitor l|L)ogs will go to .*|Started a new flow server.*|Please wait\. Server is .*)$/,
    noiseOnceSeen: /^Found \d+ (?:error|warning)s?(?: and \d+ (?:error|warning)s?)?$/,
  },
  document: { matches: isFlowReport, parse: readFlowReport },
  commands: [
    {
      name: "flow.check",
      description: "Check the types",
      detect: (folder) => (folder.has(".flowconfig") ? ".flowconfig is here" : undefined),
      argv: () => ["npx", "--no-install", "flow", "check"],
    },
  ],
});

function isFlowReport(start: string): boolean {
  return start.startsWith("{") && (start.includes('"flowVersion"') || start.includes('"error_codes"'));
}

function readFlowReport(text: string, sink: Sink): boolean {
  const report = asObject(parseJson(text));
  if (report === undefined || !Array.isArray(report["errors"])) return false;
  for (const error of asObjects(report["errors"])) sink.diagnostic(toFound(error));
  return true;
}

/** Reads one error of the JSON report, whose message is a list of texts, each with its own location. */
function toFound(error: JsonObject): Found {
  const parts = asObjects(error["message"]);
  const place = parts.find((part) => (asText(part["path"]) ?? "") !== "");
  const words = parts.map((part) => asText(part["descr"]) ?? "").join(" ");
  const [, message = words, code] = /^([\s\S]*) \[([a-z][a-z0-9-]{2,80})\]$/.exec(words) ?? [];
  return {
    severity: error["level"] === "warning" ? "warning" : "error",
    message,
    ...defined({
      code,
      file: asText(place?.["path"]),
      line: asNumber(place?.["line"]),
      column: asNumber(place?.["start"]),
    }),
  };
}

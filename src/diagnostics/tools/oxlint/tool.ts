import { asNumber, asObject, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import { colonPlace, leadingPlace } from "../../parsing/place.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Found, Line, LineParser, Sink } from "../../tool.ts";
import type { Place, Severity } from "../../../model/diagnostic.ts";

export const oxlint = defineBuildTool({
  id: "oxlint",
  title: "Oxlint",
  url: "https://oxc.rs/docs/guide/usage/linter",
  ecosystem: "js",
  kinds: ["lint"],
  pureCheck: {
    options:
      /^(?:-[cADWf]|--(?:config|tsconfig|allow|warn|deny|quiet|deny-warnings|max-warnings|format|silent|no-ignore|ignore-pattern|ignore-path|(?:disable-)?[a-z0-9]+-plugin|report-unused-disable-directives(?:-severity)?|threads|no-error-on-unmatched-pattern))$/,
    settings: /^\.oxlintrc|^oxlint\.config\./,
  },
  signatures: [
    "╭─[",
    ",-[",
    "Failed to parse oxlint configuration",
    "Finished in ",
    // In the one-line format, the rule follows its plugin, such as `eslint(`.
    ...[
      "eslint",
      "typescript",
      "unicorn",
      "oxc",
      "react",
      "import",
      "jsx-a11y",
      "nextjs",
      "vitest",
      "jest",
    ].map((plugin) => ` ${plugin}(`),
    ...["promise", "node", "jsdoc", "vue", "react-perf"].map((plugin) => ` ${plugin}(`),
  ],
  priority: 1,
  parser: oxlintParser,
  document: { matches: isOxlintReport, parse: readOxlintReport },
  commands: [
    {
      name: "oxlint.check",
      description: "Lint the folder",
      detect: (folder) => {
        if (folder.has(".oxlintrc.json")) return ".oxlintrc.json is here";
        return folder.packageJson?.dependencies["oxlint"] === undefined
          ? undefined
          : "package.json depends on oxlint";
      },
      argv: () => ["npx", "--no-install", "oxlint"],
    },
  ],
  ruleNames: /^[\w-]{1,40}\([\w/-]{1,80}\)$/,
});

const HEAD = /^ {2}(×|✖|x|⚠|!|☞|i) (\S.*)$/;
const SEVERITIES: Readonly<Record<string, Severity>> = {
  "⚠": "warning",
  "!": "warning",
  "☞": "info",
  i: "info",
};
const CODE = /^([\w@/-]+\([\w@/.-]+\)): (.*)$/;
const PLACE = /^ +[╭,][─-]+\[(.+)\]$/;
const FRAME_END = /^ *[╰`][─-]{2,}$/;
const FRAME = /^ *(?:\d+ +)?[│|·:╭╰╮┬├⋮]/;
const MESSAGE_GOES_ON = /^ {2}[│|] (.*)$/;
const HELP = /^ {2}(?:help|note): (.*)$/;
const CLOSING = /^(?:Found \d+ warnings? and \d+ errors?\.|Finished in \S+ on \d+ files? )/;
const AGENT = /^(warning|error)(?: ([\w@/-]+\([\w@/.-]+\)))?: (.*)$/;
const CONFIG = /^Failed to parse oxlint configuration file\.$/;

interface Pending {
  readonly severity: Severity;
  readonly message: string[];
  readonly help: string[];
  place: Place | undefined;
  part: "message" | "frame" | "help";
}

/** Reads Oxlint's graphical report, with or without Unicode, and its one-line format for agents. */
function oxlintParser(sink: Sink): LineParser {
  let pending: Pending | undefined;
  let config = false;
  let agents = false;

  /**
   * Syntax errors that came before any line that only Oxlint prints. They are held, because SWC prints such errors the
   * same way.
   */
  let unsure: Found[] | undefined = [];

  function give(found: Found): void {
    if (unsure === undefined || config) sink.diagnostic(found);
    else unsure.push(found);
  }

  function certain(tool?: string): void {
    for (const found of unsure ?? []) sink.diagnostic(tool === undefined ? found : { ...found, tool });
    unsure = undefined;
  }

  function close(): void {
    const last = pending;
    pending = undefined;
    if (last === undefined || (last.place === undefined && !config)) return;
    const [head = "", ...rest] = last.message;
    const [, code, content] = CODE.exec(head) ?? [];
    if (code !== undefined) certain();
    give({
      severity: last.severity,
      ...last.place,
      message: [content ?? head, ...rest].join("\n"),
      ...(code === undefined ? {} : { code }),
      ...(last.help.length > 0 ? { help: last.help } : {}),
    });
  }

  return {
    take({ text }: Line): boolean {
      if (text.length > 20_000) return false;
      if (pending !== undefined && continues(pending, text)) return true;
      const head = HEAD.exec(text);
      close();
      if (head !== null) {
        const [, mark = "", content = ""] = head;
        const severity = SEVERITIES[mark] ?? "error";
        pending = { severity, message: [content], help: [], place: undefined, part: "message" };
        // A symbol and a text do not show that the line is Oxlint's, so it is accepted only with a rule or below a
        // configuration error.
        return CODE.test(content) || config;
      }
      config = CONFIG.test(text) || (config && text.trim() === "");
      const agent = readAgentLine(text);
      // A syntax error has no rule, so it counts as Oxlint's only if the previous line was Oxlint's.
      agents = agent !== undefined && (agents || agent.code !== undefined);
      if (agents && agent !== undefined) {
        sink.diagnostic(agent);
        return true;
      }
      const closing = CLOSING.test(text);
      if (closing) certain();
      return config || closing;
    },
    end() {
      close();
      certain("swc");
    },
  };
}

function continues(pending: Pending, text: string): boolean {
  const place = PLACE.exec(text)?.[1];
  if (place !== undefined && pending.part === "message") {
    pending.place = colonPlace(place) ?? { file: place };
    pending.part = "frame";
    return true;
  }
  if (pending.part === "message") {
    const more = MESSAGE_GOES_ON.exec(text)?.[1];
    if (more !== undefined) pending.message.push(more);
    return more !== undefined;
  }
  const help = HELP.exec(text)?.[1];
  if (help !== undefined) {
    pending.help.push(help);
    pending.part = "help";
    return true;
  }
  if (pending.part === "help" && /^ {8}\S/.test(text)) {
    pending.help.push(text.trim());
    return true;
  }
  return pending.part === "frame" && (FRAME.test(text) || FRAME_END.test(text));
}

/** Reads `src/a.js:3:1: warning eslint(no-unreachable): Unreachable code. help: Remove it.` */
function readAgentLine(text: string): Found | undefined {
  const placed = leadingPlace(text);
  const [, word, code, content = ""] = AGENT.exec(placed?.rest ?? "") ?? [];
  if (placed === undefined || word === undefined) return undefined;
  const [message = "", ...help] = content.split(" help: ");
  return {
    severity: word === "warning" ? "warning" : "error",
    ...placed.place,
    message,
    ...(code === undefined ? {} : { code }),
    ...(help.length > 0 ? { help } : {}),
  };
}

function isOxlintReport(start: string): boolean {
  return start.includes('"labels"') && start.includes('"filename"') && start.includes('"severity"');
}

/** Reads the `-f json` report: an object in version 1, an array before. */
function readOxlintReport(text: string, sink: Sink): boolean {
  const parsed = parseJson(text);
  const found = asObjects(Array.isArray(parsed) ? parsed : asObject(parsed)?.["diagnostics"]);
  if (found.length === 0 || asText(found[0]?.["filename"]) === undefined) return false;
  for (const one of found) {
    const span = asObject(asObjects(one["labels"])[0]?.["span"]);
    const help = asText(one["help"]);
    sink.diagnostic({
      severity: severityOf(asText(one["severity"])),
      message: asText(one["message"]) ?? "",
      ...defined({
        file: asText(one["filename"]),
        line: asNumber(span?.["line"]),
        column: asNumber(span?.["column"]),
        code: asText(one["code"]),
        url: asText(one["url"]),
        help: help === undefined ? undefined : [help],
      }),
    });
  }
  return true;
}

function severityOf(word: string | undefined): Severity {
  if (word === "warning") return "warning";
  return word === "advice" ? "info" : "error";
}

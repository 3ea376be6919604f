import { drafting } from "../../parsing/draft.ts";
import { parenPlace } from "../../parsing/place.ts";
import { defineBuildTool } from "../../tool.ts";
import type { FolderFacts, Line, LineParser, Sink } from "../../tool.ts";
import { dotnetFramePlace, isDotnetFrame } from "../../traces/dotnet-trace.ts";
import type { Place, Severity } from "../../../model/diagnostic.ts";

export const dotnet = defineBuildTool({
  id: "dotnet",
  title: ".NET SDK and MSBuild",
  url: "https://learn.microsoft.com/dotnet/core/tools/dotnet-build",
  ecosystem: "dotnet",
  kinds: ["build", "install", "lint", "format"],
  programs: ["dotnet", "msbuild", "csc"],
  signatures: [
    "): error ",
    "): warning ",
    "): info ",
    "): message ",
    " : error ",
    " : warning ",
    " : fatal error ",
    "): fatal error ",
    "): erreur ",
    "): avertissement ",
    "): Fehler ",
    "): Warnung ",
    "error CS",
    "error NU",
    "error NETSDK",
    "error MSB",
    "warning CS",
    "warning NU",
    "warning NETSDK",
    "warning MSB",
    "Unhandled exception. ",
    "Determining projects to restore",
    "Could not execute because the ",
  ],
  priority: 5,
  parser: (sink) => new MsbuildParser(sink),
  commands: [
    {
      name: "dotnet.build",
      description: "Build the project or solution",
      detect: hasProject,
      argv: () => ["dotnet", "build", "--nologo"],
    },
    {
      name: "dotnet.restore",
      description: "Restore the packages",
      detect: hasProject,
      argv: () => ["dotnet", "restore"],
    },
  ],
  ruleNames: /^CS\d{4}$/,
  manifests: ["*.csproj", "*.fsproj"],
});

/** Returns which project or solution file makes this a .NET folder. */
export function hasProject(folder: FolderFacts): string | undefined {
  const found = ["*.sln", "*.slnx", "*.csproj", "*.fsproj", "*.vbproj"].find((name) => folder.has(name));
  return found === undefined ? undefined : `${found} is here`;
}

/** Words for severities in MSBuild's format, including the translations that older versions print. */
const SEVERITIES: Readonly<Record<string, Severity>> = {
  error: "error",
  erreur: "error",
  Fehler: "error",
  errore: "error",
  erro: "error",
  ошибка: "error",
  エラー: "error",
  错误: "error",
  warning: "warning",
  avertissement: "warning",
  Warnung: "warning",
  avviso: "warning",
  advertencia: "warning",
  aviso: "warning",
  предупреждение: "warning",
  警告: "warning",
  message: "info",
  info: "info",
};
/** Matches `origin: category code: text`; the code may be missing if blanks surround the colons. */
const CATEGORY = new RegExp(
  `(^| ?: {1,3})(?:fatal )?(${Object.keys(SEVERITIES).join("|")})(?: ([A-Za-z]{1,24}[\\w.-]{0,24}))? ?: ?`,
  "u",
);
/** Matches `CS1002`, `xUnit1004` and the formatter's words such as `WHITESPACE`, but no rule names of other linters. */
const CODE = /^(?:[A-Za-z]{1,16}\d{1,6}|[A-Z]{3,20})$/;
const NODE = /^\s*(?:\d\d:\d\d:\d\d\.\d{3}\s+)?\d{1,3}(?::\d{1,3})?>/;
const PROJECT =
  / \[([^[\]]{1,1000}\.\w{1,12}proj|[^[\]]{1,1000}\.slnx?|[^[\]]{1,1000}\.metaproj)(?:::[^[\]]{0,300})?\]$/;
/** Matches the link at the end of messages from analyzers and NuGet. */
const URL_AT_END = /[ (](https?:\/\/[^\s()]{1,500})\)?$/;
const FILE =
  /[/\\]|\.(?:\w{1,12}proj|slnx?|targets|props|cs|vb|fs|xaml|razor|cshtml|resx|json|config|rc|cpp|c|h)$/i;
/** Matches the files in which steps of a build are defined. */
const TARGETS = /\.(?:targets|props)$/i;
/** Matches a location inside a message: `source\Main.pas(41): E2003 Undeclared identifier: 'Foo'`. */
const INNER =
  /^ ?((?:[A-Za-z]:)?[^\s:()'"][^:()'"]{0,400}\.\w{1,8})\((\d{1,9})(?:,(\d{1,9}))?\):? (?:(?:Fatal|Error|Warning|Hint|Hinweis|Fehler|Warnung): )?(?:([A-Z]{1,3}\d{4}):? )?(\S.*)$/;
/** Matches the second part of a location that was broken in its name, before its bracket or inside it. */
const WRAPPED_PLACE =
  /^\s{0,12}(?:[\w.\\/-]{0,200}\(\d{1,7}(?:,\d{1,7})?|\d{0,7},?\d{0,7})\) ?: (?:error|warning) [A-Za-z]{1,16}\d{1,6}: /;
/** Matches a line that can be the first part of a location: a path without the message. */
const BROKEN_PATH = /^\s{1,12}(?:\/|[A-Za-z]:\\)[^:"'<>|]{1,400}$/;
/** Matches the start of a project's path at the end of a line, and the rest of it on the next line. */
const OPEN_PROJECT = / \[[^[\]]{1,400}$/;
const PROJECT_REST = /^[^[\]]{1,400}\]$/;
/** The shortest line that a terminal can have broken off. */
const MIN_WRAPPED = 72;
const CLOSING =
  /^(?:Build (?:succeeded|FAILED)\.?|Build (?:failed|succeeded) (?:with|in) .*|\s+\d+ (?:Warning|Error)\(s\)|Time Elapsed .*|\s+Determining projects to restore\.\.\.|\s+All projects are up-to-date for restore\.|\s+Restored .*\(in .*\)\.|Restore (?:complete|failed) .*|\s+\S.* -> .*\.(?:dll|exe)|The build failed\. Fix the build errors and run again\.|\s+Restore (?:completed|failed) in .*|Compilation failed: \d+ error\(s\), \d+ warnings)$/;
/** Matches messages of the `dotnet` command itself, before any build. */
const DRIVER = /^Could not execute because the (?:specified|application|SDK) .*\.$/;
const UNHANDLED = /^Unhandled exception\. (.*)$/;

/** Reads MSBuild's lines from `dotnet build`, `restore`, `publish` and `format`, with the classic or the terminal logger. */
class MsbuildParser implements LineParser {
  readonly #drafts;
  #isCrash = false;
  #indent = 0;
  /** The previous line, which may be the first part of a location that a narrow terminal broke in two. */
  #before = "";

  constructor(sink: Sink) {
    this.#drafts = drafting(sink);
  }

  take({ text }: Line): boolean {
    if (this.#isCrash) {
      if (this.#readCrashLine(text)) return true;
      this.#isCrash = false;
    }
    const before = this.#before;
    const whole = isSecondPart(before, text) ? `${before.trimEnd()}${text.trimStart()}` : text;
    const found = whole.includes(":") ? readMessage(whole) : undefined;
    const isLong = before.length >= MIN_WRAPPED;
    this.#before = text;
    if (found !== undefined) return this.#message(found, whole);
    if (isLong && (this.#flowsOn(text) || this.#isBrokenOff(before, text))) return true;
    if (this.#continues(text)) return true;
    this.#drafts.close();
    const crash = text.startsWith("Unhandled exception. ") ? UNHANDLED.exec(text) : null;
    if (crash === null && DRIVER.test(text)) this.#drafts.open({ severity: "error" }, text);
    if (crash === null) return this.#drafts.current !== undefined || CLOSING.test(text);
    this.#drafts.open({ severity: "error" }, crash[1] ?? "");
    this.#isCrash = true;
    return true;
  }

  end(): void {
    this.#drafts.close();
  }

  #message(found: Message, text: string): boolean {
    const before = this.#drafts.current;
    // The classic logger prints the number of the build node before the line and does not indent the following lines.
    this.#indent = NODE.test(text) ? 0 : text.length - text.trimStart().length;
    // MSBuild prints a multi-line message as several lines with the same location, severity and code.
    if (before !== undefined && /^\s/.test(found.text) && sameHeader(before.found, found.fields)) {
      before.message.push(found.text.trimEnd());
      return true;
    }
    this.#drafts.open(found.fields, found.text.trim());
    return true;
  }

  /** Continues a message that a narrow terminal broke off, without indenting the rest any further. */
  #flowsOn(text: string): boolean {
    const draft = this.#drafts.current;
    const indent = text.length - text.trimStart().length;
    if (draft === undefined || this.#indent === 0 || indent !== this.#indent || CLOSING.test(text))
      return false;
    if (!/^[\w'"(.,;]/.test(text.trimStart()) || FILE.test(text.trim())) return false;
    draft.message.push(`${draft.message.pop() ?? ""} ${text.trim()}`);
    return true;
  }

  /** Continues a message, or the project at its end, that the terminal broke off at its last column. */
  #isBrokenOff(before: string, text: string): boolean {
    const draft = this.#drafts.current;
    if (draft === undefined || /^\s|^$/.test(text) || / {2}$/.test(before) || CLOSING.test(text))
      return false;
    const last = draft.message.at(-1) ?? "";
    if (OPEN_PROJECT.test(last) && PROJECT_REST.test(text)) {
      draft.message.splice(-1, 1, `${last}${text}`.replace(PROJECT, ""));
      return true;
    }
    if (this.#indent === 0 || !before.trimEnd().endsWith(last.slice(-20))) return false;
    draft.message.splice(-1, 1, `${last}${before.endsWith(" ") ? " " : ""}${text.trimEnd()}`);
    return true;
  }

  /** Continues a message of the terminal logger, whose further lines are indented more than the header. */
  #continues(text: string): boolean {
    const draft = this.#drafts.current;
    if (draft === undefined || this.#indent === 0 || text.trim() === "") return false;
    if (text.length - text.trimStart().length <= this.#indent) return false;
    draft.message.push(text.slice(this.#indent + 2));
    return true;
  }

  #readCrashLine(text: string): boolean {
    const draft = this.#drafts.current;
    if (draft === undefined) return false;
    const place = draft.found.file === undefined ? dotnetFramePlace(text) : undefined;
    if (place !== undefined) draft.found = { ...draft.found, ...place };
    if (isDotnetFrame(text)) return true;
    if (!text.startsWith(" ---> ") && !text.startsWith("   --- End of")) return false;
    if (text.startsWith(" ---> ")) draft.message.push(text);
    return true;
  }
}

/** Returns whether a line is the rest of a message whose location a narrow terminal broke in two. */
function isSecondPart(before: string, text: string): boolean {
  if (!WRAPPED_PLACE.test(text)) return false;
  return /^\s{0,12}[(\d]/.test(text) || (before.length >= MIN_WRAPPED && BROKEN_PATH.test(before));
}

interface Message {
  readonly fields: {
    readonly severity: Severity;
    readonly code?: string;
    readonly url?: string;
  } & Partial<Place>;
  readonly text: string;
}

/** Reads one line in MSBuild's canonical format, or returns undefined for any other line. */
function readMessage(raw: string): Message | undefined {
  const text = NODE.test(raw) ? raw.replace(NODE, "") : raw;
  const match = CATEGORY.exec(text);
  if (match === null) return undefined;
  const [whole, separator = "", word = "", code] = match;
  const origin = text.slice(0, match.index).trim();
  const place = trimmedFile(parenPlace(origin));
  const severity = SEVERITIES[word] ?? "info";
  if (!isCanonical({ separator, origin, isPlaced: place !== undefined, code, whole })) return undefined;
  const after = text.slice(match.index + whole.length);
  const project = PROJECT.exec(after)?.[1];
  const reported = after.replace(PROJECT, "");
  // A message that ends with Clang's flag is Clang's, which uses Visual Studio's format.
  if (code === undefined && / \[-W[\w+=-]{1,80}(?:,-W[\w+=-]{1,80})?\]$/.test(reported)) return undefined;
  // FxCop, as old build servers run it, prints its rule number after one more colon.
  const late = code === undefined ? /^(CA\d{4}) : (.*)$/.exec(reported) : null;
  const rest = late?.[2] ?? reported;
  const known = code ?? late?.[1];
  const url = URL_AT_END.exec(rest)?.[1];
  const inner = TARGETS.test(place?.file ?? origin) ? INNER.exec(rest) : null;
  if (inner !== null)
    return innerMessage(inner, { severity, ...(known === undefined ? {} : { code: known }) }, project);
  return {
    fields: {
      severity,
      ...(place === undefined
        ? FILE.test(origin)
          ? { file: origin }
          : {}
        : { ...place, file: inProject(place.file, project) }),
      ...(known === undefined ? {} : { code: known }),
      ...(url === undefined ? {} : { url }),
    },
    text: rest,
  };
}

/**
 * Reads the message of another compiler, such as Delphi's, that MSBuild reports at the step which ran it. The message has
 * the location in the source.
 */
function innerMessage(
  [, file = "", line, column, code, text = ""]: RegExpExecArray,
  fields: Message["fields"],
  project: string | undefined,
): Message {
  return {
    fields: {
      ...fields,
      ...(code === undefined ? {} : { code }),
      file: inProject(file.trimEnd(), project),
      line: Number(line),
      ...(column === undefined ? {} : { column: Number(column) }),
    },
    text,
  };
}

interface Parts {
  readonly separator: string;
  readonly origin: string;
  readonly isPlaced: boolean;
  readonly code: string | undefined;
  readonly whole: string;
}

/** Returns whether the line is MSBuild's rather than another compiler's `file:1:2: error: text`: it has a code, or blanks around both colons. */
function isCanonical({ separator, origin, isPlaced, code, whole }: Parts): boolean {
  if (code !== undefined && (code.startsWith("TS") || !CODE.test(code))) return false;
  if (origin === "")
    return separator === "" && code !== undefined && /^(?:CS|BC|FS|NU|NETSDK|MSB|BL|RZ)\d{3,5}$/.test(code);
  if (code !== undefined && /\d/.test(code))
    return isPlaced || separator.startsWith(" ") || FILE.test(origin);
  if (isPlaced) return code !== undefined || whole.endsWith(" : ") || whole.endsWith(": ");
  return (
    separator.startsWith(" ") &&
    (FILE.test(origin) || /^(?:MSBUILD|CSC|VBC|FSC|LINK|EXEC|NUGET|CURL|cl|rc)$/i.test(origin))
  );
}

/** Prefixes a file with the project's folder, because the compiler prints it relative to the project. */
function inProject(file: string, project: string | undefined): string {
  const folder = /^(?:\/|[A-Za-z]:\\).*[\\/]/.exec(project ?? "")?.[0];
  return folder === undefined || /^(?:[\\/]|[A-Za-z]:|\.\.)/.test(file) ? file : folder + file;
}

/** Removes the blank that some compilers print between the file name and the parenthesis. */
function trimmedFile(place: Place | undefined): Place | undefined {
  return place === undefined ? undefined : { ...place, file: place.file.trimEnd() };
}

function sameHeader(a: object, b: object): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

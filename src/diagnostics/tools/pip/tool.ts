import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import { interpreter } from "../python/command.ts";

export const pip = defineBuildTool({
  id: "pip",
  title: "pip",
  url: "https://pip.pypa.io",
  ecosystem: "python",
  kinds: ["install"],
  signatures: [
    "No matching distribution found",
    "Could not find a version that satisfies",
    "-with-error",
    "-failed",
    "externally-managed-environment",
    "ERROR: ",
    "WARNING: Running pip",
    "pip's dependency resolver",
  ],
  priority: 4,
  parser: pipParser,
  commands: [
    {
      name: "pip.install",
      description: "Install the requirements",
      detect: (folder) => (folder.has("requirements.txt") ? "requirements.txt is here" : undefined),
      argv: () => [interpreter, "-m", "pip", "install", "-r", "requirements.txt"],
    },
  ],
});

const ERROR = /^ERROR: (.+)$/;
const OWN =
  /^(?:Could not find a version that satisfies|No matching distribution found|Could not install packages|pip's dependency resolver|Failed building wheel|Cannot install |ResolutionImpossible|Could not build wheels|Failed to build|Invalid requirement|Could not open requirements file|Package '|Ignored the following|Command errored out|Cannot uninstall|Double requirement given|THESE PACKAGES DO NOT MATCH|Hashes are required|HTTP error|Directory '|.+ is not a supported wheel|.+ does not appear to be a Python project|File "setup\.py"|Error while checking for conflicts|Exception:|Requested .+ has (?:invalid|different) metadata|Some build dependencies|You must give at least one requirement|No \.egg-info|Wheel '|.+ requires a different Python|Some required packages)/;
const KEBAB = /^error: ([a-z]+(?:-[a-z]+)+)$/;
const CROSS = /^( {0,2})× (.+)$/;
const BRANCH = /^ *(?:╰─>|│) ?(.*)$/;
const CONFLICT = /^\S+ \S+ requires .+, (?:but you have .+ which is incompatible|which is not installed)\.$/;
const WARNING =
  /^WARNING: ((?:Running pip as|You are using pip|Retrying|Ignoring invalid distribution|Skipping|The script|The scripts|Discarding|Package\(s\) not found|There was an error checking|Cache entry|.*does not provide the extra).*)$/;
const NOISE =
  /^(?:\[notice\] |Looking in (?:indexes|links): |Collecting \S|Requirement already satisfied: |Using cached |Successfully installed |Installing collected packages: |note: This (?:error originates|is an issue with the package)|hint: )/;

/** Reads pip's failures; the lines about one cause become one diagnostic. */
function pipParser(sink: Sink): LineParser {
  const reader = new PipReader(sink);
  return { take: ({ text }: Line) => reader.take(text), end: () => reader.close() };
}

class PipReader {
  readonly #sink: Sink;
  #lines: string[] = [];
  #mode: "none" | "plain" | "block" | "output" = "none";
  #code: string | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(text: string): boolean {
    if (this.#mode === "output") return this.#readOutput(text);
    const error = ERROR.exec(text);
    if (error !== null && (OWN.test(error[1] ?? "") || this.#mode === "plain"))
      return this.#add(error[1] ?? "");
    if (this.#mode === "plain" && CONFLICT.test(text)) return this.#add(text);
    if (this.#mode === "plain" && this.#readConflict(text)) return true;
    const kebab = KEBAB.exec(text.trim());
    if (kebab !== null) return this.#begin(kebab[1] ?? "");
    if (this.#mode === "block" && this.#readBlock(text)) return true;
    this.close();
    const warning = WARNING.exec(text);
    if (warning !== null) this.#sink.diagnostic({ severity: "warning", message: warning[1] ?? "" });
    return warning !== null || NOISE.test(text);
  }

  close(): void {
    const lines = this.#lines.filter((line) => line.trim() !== "");
    const code = this.#code;
    this.#lines = [];
    this.#mode = "none";
    this.#code = undefined;
    if (lines.length === 0 && code === undefined) return;
    this.#sink.diagnostic({
      severity: "error",
      message: lines.join("\n") || (code ?? ""),
      ...(code === undefined ? {} : { code }),
    });
  }

  #add(message: string): boolean {
    if (this.#mode !== "plain") this.close();
    this.#mode = "plain";
    this.#lines.push(message);
    return true;
  }

  /** Reads the conflicting requirements that are listed below the error, followed by advice. */
  #readConflict(text: string): boolean {
    if (/^The conflict is caused by:$|^ {4}\S/.test(text)) return this.#add(text.trimEnd());
    return text.trim() === "" || /^(?:To fix this you could try to:|\d\. )/.test(text);
  }

  /** Starts an error. `error: metadata-generation-failed` ends what `error: subprocess-exited-with-error` started. */
  #begin(code: string): boolean {
    if (this.#code === "subprocess-exited-with-error") {
      this.#code = code;
      this.#mode = "block";
      return true;
    }
    this.close();
    this.#code = code;
    this.#mode = "block";
    return true;
  }

  #readBlock(text: string): boolean {
    const cross = CROSS.exec(text);
    if (cross !== null) {
      // The first line with a cross states the cause; a second one only summarizes it.
      if (this.#lines.length === 0) this.#lines.push(cross[2] ?? "");
      return true;
    }
    const branch = BRANCH.exec(text);
    if (branch !== null) {
      const words = branch[1] ?? "";
      if (/^\[\d+ lines of output\]$/.test(words)) this.#mode = "output";
      else if (!/^(?:exit code: |See above)/.test(words)) this.#lines.push(words);
      return true;
    }
    return text.trim() === "" || /^\s/.test(text) || /^(?:note|hint): /.test(text);
  }

  /** Reads the output of the subprocess; its last line is the exception. */
  #readOutput(text: string): boolean {
    if (text.trim() === "[end of output]") {
      this.#mode = "block";
      return true;
    }
    if (!/^ {4,}|^$/.test(text)) {
      this.#mode = "block";
      return this.take(text);
    }
    const words = text.trim();
    if (
      /^[A-Za-z_][\w.]*(?:Error|Exception): |^error: |^fatal error: |: error: |^ModuleNotFoundError/.test(
        words,
      )
    )
      this.#lines.push(words);
    return true;
  }
}

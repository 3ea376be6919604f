import { drafting } from "../../parsing/draft.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

export const docker = defineBuildTool({
  id: "docker",
  title: "docker build and Compose",
  url: "https://docs.docker.com/build",
  ecosystem: "infra",
  kinds: ["build", "run"],
  aliases: ["buildkit"],
  signatures: [
    "failed to solve",
    "load build definition",
    "Error response from daemon",
    "Docker daemon",
    "returned a non-zero code",
    "COPY failed",
    "ADD failed",
    " ERROR: ",
    "Compose file",
    "validating ",
    "failed to start",
    "failed to build",
    "yaml: line ",
  ],
  priority: 5,
  parser: (sink) => new DockerParser(sink),
  commands: [
    {
      name: "docker.build",
      description: "Build the image of the folder's Dockerfile",
      detect: (folder) => (folder.has("Dockerfile") ? "Dockerfile is here" : undefined),
      argv: () => ["docker", "build", "--progress=plain", "."],
    },
  ],
});

const DEFINITION = /^(?:#\d+ | => )\[internal\] load build definition from (\S+)/;
const PLACE = /^(\S.{0,300}):(\d{1,9})$/;
const RULE = /^-{20}$/;
const SOURCE = /^ {1,8}\d{1,7} \|/;
const SOLVE =
  /^(?:ERROR: )?(?:target \S{1,200}: )?(failed to (?:solve|build|read dockerfile|compute cache key).*)$/;
const STEP = /^#\d+ ERROR: (.*)$/;
const PARSE_LINE = /(?:dockerfile )?parse error (?:on )?line (\d+): /i;
const DAEMON =
  /^(?:ERROR: |Error: |error during connect: |docker: )?(?:Service '.{1,200}' failed to build ?: )?(Error response from daemon: .*|Cannot connect to the Docker daemon .*|The command '.*' returned a non-zero code: \d+|COPY failed: .*|ADD failed: .*|pull access denied .*|unable to prepare context: .*|invalid reference format.*|no configuration file provided: .*|validating \S+: .*|The Compose file '.*' is invalid because:|dependency failed to start: .*|service "\S+" (?:refers|depends|has) .*|yaml: line \d+: .*)$/;
const COMPOSE_PLACE = /^validating (\S+?): |^The Compose file '(.{1,500})' is invalid/;
const WARNINGS = /^ ?\d+ warnings? found/;
const WARNING = /^ - (\w+): (.*) \(line (\d+)\)$/;

/** Reads why docker could not build or start something: BuildKit, the classic builder and Compose. */
class DockerParser implements LineParser {
  readonly #sink: Sink;
  readonly #drafts;
  #dockerfile: string | undefined;
  #place: { file: string; line: number } | undefined;
  #candidate: { file: string; line: number } | undefined;
  #step: string | undefined;
  #isSolved = false;
  #inWarnings = false;

  constructor(sink: Sink) {
    this.#sink = sink;
    this.#drafts = drafting(sink);
  }

  take({ text }: Line): boolean {
    const open = this.#drafts.current;
    if (open !== undefined && /^services\.|^ {2}|^\(root\)/.test(text)) {
      open.message.push(text);
      return true;
    }
    this.#drafts.close();
    const name = DEFINITION.exec(text)?.[1];
    if (name !== undefined) this.#dockerfile = name;
    if (text.startsWith(" => ERROR ")) return true;
    if (name !== undefined || this.#readSnippet(text) || this.#readWarning(text)) return true;
    return this.#readError(text);
  }

  end(): void {
    this.#drafts.close();
    if (!this.#isSolved && this.#step !== undefined)
      this.#sink.diagnostic({ severity: "error", message: this.#step });
  }

  /** Reads the file and line of the failed instruction, and the surrounding lines between separators. */
  #readSnippet(text: string): boolean {
    if (RULE.test(text)) {
      this.#place = this.#candidate ?? this.#place;
      return this.#place !== undefined;
    }
    const place = PLACE.exec(text);
    this.#candidate = place === null ? undefined : { file: place[1] ?? "", line: Number(place[2]) };
    return this.#place !== undefined && SOURCE.test(text);
  }

  #readWarning(text: string): boolean {
    if (WARNINGS.test(text)) {
      this.#inWarnings = true;
      return true;
    }
    const match = this.#inWarnings ? WARNING.exec(text) : null;
    this.#inWarnings = match !== null;
    if (match === null) return false;
    const [, code = "", message = "", line] = match;
    const place = this.#dockerfile === undefined ? {} : { file: this.#dockerfile, line: Number(line) };
    this.#sink.diagnostic({ severity: "warning", ...place, code, message });
    return true;
  }

  #readError(text: string): boolean {
    const step = STEP.exec(text)?.[1];
    if (step !== undefined) {
      this.#step = step;
      return true;
    }
    const solve = SOLVE.exec(text)?.[1];
    const message = solve ?? DAEMON.exec(text)?.[1];
    if (message === undefined) return false;
    const at = PARSE_LINE.exec(message);
    const compose = COMPOSE_PLACE.exec(message);
    const parsed =
      at === null || this.#dockerfile === undefined
        ? undefined
        : { file: this.#dockerfile, line: Number(at[1]) };
    const composed = compose === null ? undefined : { file: compose[1] ?? compose[2] ?? "" };
    this.#drafts.open({ severity: "error", ...(this.#place ?? parsed ?? composed) }, message);
    this.#place = undefined;
    this.#isSolved = true;
    return true;
  }
}

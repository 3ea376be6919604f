import packageJson from "../../package.json" with { type: "json" };
import { createServices } from "../app/services.ts";
import type { Services } from "../app/services.ts";
import { currentEnvironment } from "../config/environment.ts";
import type { Environment } from "../config/environment.ts";
import { loadConfig } from "../config/load.ts";
import { toPithError } from "../kernel/errors.ts";
import type { PithError } from "../kernel/errors.ts";
import { nearestNames } from "../kernel/nearest.ts";
import { renderError } from "../render/error.ts";
import type { Reader } from "../render/reader/reader.ts";
import { type Command, type Context, type Invocation, shortsOf } from "./command.ts";
import { COMMANDS, GROUP_TITLES } from "./commands.ts";
import { alignRows, commandHelp, nextStep } from "./help.ts";
import { watchSignals } from "./interruption.ts";
import { readInvocation } from "./invocation.ts";
import { paint, terminalIo } from "./io.ts";
import type { Io } from "./io.ts";

const USAGE_ERROR = 2;
const CLI: Reader = { surface: "cli" };

/** Entry point of the command line: finds the command, parses its arguments, runs it, and reports errors. */
export async function main(
  argv: readonly string[],
  environment: Environment = currentEnvironment(),
  io: Io = terminalIo(environment.variables),
): Promise<number> {
  const [verb, ...rest] = argv;
  if (verb === "--version" || verb === "-V" || verb === "-v" || verb === "version")
    return print(io, `${packageJson.version}\n`);
  if (verb === undefined) return print(io, welcome(io));
  if (verb === "help" || verb === "--help" || verb === "-h") return help(io, rest[0]);
  const entry = Object.hasOwn(COMMANDS, verb) ? COMMANDS[verb] : undefined;
  if (entry === undefined) return unknownVerb(io, verb);
  const command = await entry.load();
  if (asksForHelp(rest, command)) return print(io, commandHelp(command, io));
  return run(command, rest, environment, io);
}

async function run(
  command: Command,
  argv: readonly string[],
  environment: Environment,
  io: Io,
): Promise<number> {
  const opened: Services[] = [];
  const interruption = watchSignals(command);
  let code: number;
  try {
    const invocation = readInvocation(command, argv);
    code = await command.run(makeContext(invocation, environment, io, interruption.signal, opened));
  } catch (thrown) {
    const { maskError } = await import("../security/secrets/mask-error.ts");
    const { error, masked } = maskError(toPithError(thrown));
    if (argv.includes("--json")) io.out(`${renderError(error, CLI, masked)}\n`);
    else if (!interruption.signal.aborted)
      io.err(`${paint(io, "red", "pith:")} ${error.message}\n      ${nextStep(error, command.name)}\n`);
    code = exitCodeOf(error);
  }
  // Signals are still handled while the services close, because closing may take time too.
  await Promise.all(opened.map((services) => services.close()));
  const interrupted = interruption.exitCode();
  // After an interruption the process exits at once and does not wait for what would keep it alive, such as an open
  // pipe.
  if (interrupted !== undefined) process.exit(interrupted);
  interruption.release();
  return code;
}

/** The notice of a bad pith.toml. It repeats nothing of the file, whose text is not Pith's own. */
const IGNORED_FILE = "[pith.toml has an error and is not used; `pith doctor` shows it]";

function makeContext(
  invocation: Invocation,
  environment: Environment,
  io: Io,
  signal: AbortSignal,
  opened: Services[],
): Context {
  const load: Context["loadConfig"] = (flags = {}, workspace = environment.cwd) =>
    loadConfig(environment, workspace, flags);
  return {
    ...invocation,
    io,
    environment,
    signal,
    loadConfig: load,
    openServices(flags = {}, workspace = environment.cwd, options = {}) {
      const { config, refused, problem } = load(flags, workspace);
      const notice = problem === undefined ? {} : { notice: IGNORED_FILE };
      const services = createServices(config, environment, workspace, { ...notice, ...options });
      for (const message of refused) services.logger.event("config.refused", { message }, "warn");
      opened.push(services);
      return services;
    },
  };
}

function exitCodeOf({ code }: PithError): number {
  if (code === "cancelled") return 130;
  return code === "invalid_input" || code === "config_invalid" ? USAGE_ERROR : 1;
}

function asksForHelp(argv: readonly string[], { options }: Command): boolean {
  const stop = argv.indexOf("--");
  const own = stop === -1 ? argv : argv.slice(0, stop);
  // For a command that has an option -h of its own, -h asks for help only if it is the sole argument.
  const isOption = Object.values(options).some((option) => shortsOf(option).includes("h"));
  return own.includes("--help") || (own.includes("-h") && (!isOption || own.length === 1));
}

async function help(io: Io, verb: string | undefined): Promise<number> {
  if (verb === undefined || verb.startsWith("-")) return print(io, overview(io));
  const entry = Object.hasOwn(COMMANDS, verb) ? COMMANDS[verb] : undefined;
  return entry === undefined ? unknownVerb(io, verb) : print(io, commandHelp(await entry.load(), io));
}

function unknownVerb(io: Io, verb: string): number {
  const near = nearestNames(verb, Object.keys(COMMANDS), 2);
  const hint = near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "pith help lists the commands.";
  io.err(`${paint(io, "red", "pith:")} no command ${JSON.stringify(verb)}\n      ${hint}\n`);
  return USAGE_ERROR;
}

/** The text shown for `pith` without arguments: the next steps in three lines. */
function welcome(io: Io): string {
  return [
    `${paint(io, "bold", "Pith")} ${packageJson.version}: the essential part of code, builds and logs for coding agents.`,
    "",
    alignRows([
      ["pith init", "attach it to Claude Code, Codex, Cursor, VS Code, Gemini CLI, OpenCode or Zed"],
      ["pith doctor", "check that everything works"],
      ["pith help", "all commands"],
    ]),
    "",
  ].join("\n");
}

function overview(io: Io): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const sections = Object.entries(GROUP_TITLES).flatMap(([group, title]) => {
    const rows = Object.entries(COMMANDS).filter(([, entry]) => entry.group === group);
    const aligned = alignRows(rows.map(([name, { summary }]) => [name.padEnd(width), summary] as const));
    return [paint(io, "bold", title), aligned, ""];
  });
  return [
    `${paint(io, "bold", "Usage:")} pith COMMAND [options]`,
    "",
    ...sections,
    "pith help COMMAND, or pith COMMAND --help, shows one command with examples.",
    "",
  ].join("\n");
}

function print(io: Io, text: string): number {
  io.out(text);
  return 0;
}

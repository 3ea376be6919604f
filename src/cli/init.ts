import { realpathSync } from "node:fs";
import { join } from "node:path";
import { userDataFolder } from "../config/environment.ts";
import { findProgram } from "../exec/shell.ts";
import { PithError } from "../kernel/errors.ts";
import { nearestNames } from "../kernel/nearest.ts";
import { workspaceRootOf } from "../workspace/roots.ts";
import { JSON_OPTION } from "./command.ts";
import type { Command, Context } from "./command.ts";
import { applyChange, diskView } from "./init/apply.ts";
import { type Client, type Places, type Scope, SERVER_NAME, type ServerCommand } from "./init/client.ts";
import { CLIENTS } from "./init/clients.ts";
import { unifiedDiff } from "./init/diff.ts";
import { missingHooks, planHooks } from "./init/hook-settings.ts";
import { type Change, detectClients, planInit, viewAfter } from "./init/plan.ts";
import { serverCommand } from "./init/server-command.ts";
import { planPrefixRemoval } from "./init/shell-prefix.ts";
import { askUser } from "./ask-user.ts";
import { paint } from "./io.ts";

export const init: Command = {
  name: "init",
  summary: "Attach Pith to your coding agents",
  usage: "[NAME...] [--scope project|user] [--with-hooks] [--dry-run] [--undo] [--yes] [-- COMMAND ARG...]",
  details: [
    "Writes the MCP configuration of the clients in use here, shows the change first, and leaves everything else in",
    "those files as it is. For a client that is not listed below it prints the entry to write by hand. Clients:",
    CLIENTS.map(({ id }) => id).join(" "),
    "The command after -- is how a client starts the server (default: this installation).",
  ].join("\n"),
  options: {
    client: {
      type: "string",
      value: "NAME",
      multiple: true,
      about: "Only this client; may be repeated (default: those in use).",
    },
    scope: {
      type: "string",
      value: "SCOPE",
      about: "project (default): this workspace; user: all your projects.",
    },
    "with-hooks": {
      type: "boolean",
      about: "Also set up its hooks: shorten long output, outline long files, check edits.",
    },
    "dry-run": { type: "boolean", about: "Show the change and write nothing." },
    undo: { type: "boolean", about: "Remove Pith again." },
    yes: { type: "boolean", short: "y", about: "Write without asking." },
    ...JSON_OPTION,
  },
  examples: [
    "pith init",
    "pith init claude-code --yes",
    "pith init --scope user --dry-run",
    "pith init --undo",
  ],
  async run(context) {
    const scope = scopeOf(context);
    const undo = context.flag("undo");
    const places = await placesOf(context);
    const server = serverFor(context, places);
    const clients = chooseClients(context, places, server("project"));
    if (clients === undefined) return 2;
    const request = { clients, scope, places, server, undo };
    const servers = planInit(request, diskView);
    // Some clients keep their servers and their hooks in one file.
    const withServers = viewAfter(servers, diskView);
    const changes = [
      ...servers,
      ...(undo || context.flag("with-hooks") ? planHooks(request, withServers) : []),
      ...prefixChanges(context, clients, places),
    ];
    const pending = changes.filter(({ state }) => state !== "unchanged");
    if (!context.flag("json")) context.io.out(preview(changes, undo, context));
    if (context.flag("with-hooks") && !undo)
      for (const line of missingHooks(clients)) context.io.err(`pith: ${line}\n`);
    const agreed = pending.length > 0 && !context.flag("dry-run") && (await isAgreed(context));
    if (agreed) for (const change of pending) await applyChange(change, [places.workspace, places.home]);
    context.io.out(
      context.flag("json") ? report(changes, agreed) : conclusion(pending, agreed, context, server(scope)),
    );
    return pending.length === 0 || agreed || context.flag("dry-run") ? 0 : 1;
  },
};

/**
 * Returns the changes that remove the shell prefix, a setting that earlier versions of Pith made. Every `pith init`
 * removes it, for the project and for the user unless one of them is named.
 */
function prefixChanges(context: Context, clients: readonly Client[], places: Places): readonly Change[] {
  const scopes = context.text("scope") === undefined ? SCOPES : [scopeOf(context)];
  return planPrefixRemoval({ clients, scopes, places, program: prefixProgram(context, places) }, diskView);
}

const SCOPES = ["project", "user"] as const;

/** Returns the path of the program that earlier versions of Pith configured as a client's shell prefix. */
export function prefixProgram(context: Pick<Context, "loadConfig" | "environment">, places: Places): string {
  const { data_dir: set } = context.loadConfig({}, places.workspace).config.server;
  return join(set === "" ? userDataFolder(context.environment) : set, "bin", "shell");
}

/** Returns the folders that decide where the clients' configuration files are, for the current workspace. */
export async function placesOf({ environment }: Pick<Context, "environment">): Promise<Places> {
  const { home, platform, variables, cwd } = environment;
  return { home, platform, variables, workspace: await workspaceRootOf(cwd) };
}

function scopeOf(context: Context): Scope {
  const scope = context.text("scope") ?? "project";
  if (scope === "project" || scope === "user") return scope;
  throw new PithError("invalid_input", `init: --scope must be project or user`);
}

/** Returns the clients to set up; undefined, after printing the general entry, if a named one is unknown. */
function chooseClients(
  context: Context,
  places: Places,
  server: ServerCommand,
): readonly Client[] | undefined {
  const names = [...context.positionals, ...context.texts("client")].flatMap((text) => text.split(","));
  const known = CLIENTS.map(({ id }) => id);
  const wrong = names.filter((name) => !known.includes(name));
  if (wrong.length > 0) {
    explainUnknown(context, { wrong, known, server });
    return undefined;
  }
  const chosen =
    names.length > 0
      ? CLIENTS.filter(({ id }) => names.includes(id))
      : detectClients(CLIENTS, places, diskView);
  if (chosen.length > 0) return chosen;
  throw new PithError("invalid_input", "init: no client is in use here or in your home folder", {
    suggestion: `Name one: pith init ${known.join("|")}`,
  });
}

/** Prints what the user of an unknown client can do: correct a typing error, or write the entry by hand. */
function explainUnknown(
  context: Context,
  { wrong, known, server }: { wrong: readonly string[]; known: readonly string[]; server: ServerCommand },
): void {
  const near = wrong.flatMap((name) => nearestNames(name, known, 1));
  const hint = near.length > 0 ? `Did you mean ${near.join(", ")}?` : `Clients: ${known.join(", ")}.`;
  context.io.err(`pith: init: no client ${wrong.join(", ")}. ${hint}\n`);
  if (context.flag("undo")) return;
  const entry = { mcpServers: { [SERVER_NAME]: server } };
  context.io.out(
    `Any other MCP client takes this entry in its own file:\n${JSON.stringify(entry, undefined, 2)}\n`,
  );
}

function serverFor({ rest }: Context, { platform, workspace }: Places): (scope: Scope) => ServerCommand {
  const [command, ...args] = rest;
  if (command !== undefined) return () => ({ command, args });
  const file = realpathSync(process.argv[1] ?? "");
  return (scope) => serverCommand({ file, platform, workspace, scope });
}

/** Shows every change as a diff, and each unchanged file in one line. */
function preview(changes: readonly Change[], undo: boolean, { io }: Context): string {
  const parts = changes.map(({ client, file, before, after, state }) => {
    const title = paint(io, "bold", client.title);
    if (state === "unchanged") return `${title}: ${undo ? "not set up" : "already set up"} in ${file}\n`;
    return `${title}:\n${colored(unifiedDiff(file, before, after), io)}`;
  });
  return parts.join("\n");
}

function colored(diff: string, io: Context["io"]): string {
  return diff
    .split("\n")
    .map((line) => {
      if (line.startsWith("+")) return paint(io, "green", line);
      return line.startsWith("-") ? paint(io, "red", line) : line;
    })
    .join("\n");
}

async function isAgreed(context: Context): Promise<boolean> {
  if (context.flag("yes")) return true;
  if (context.flag("json") || !context.io.interactive) return false;
  return askUser("\nWrite this?", context);
}

function conclusion(
  pending: readonly Change[],
  agreed: boolean,
  context: Context,
  server: ServerCommand,
): string {
  if (pending.length === 0) return "\nNothing to change.\n";
  if (context.flag("dry-run")) return "\nNothing written: this was a dry run.\n";
  if (!agreed)
    return `\nNothing written.${context.io.interactive ? "" : " Pass --yes to write without being asked."}\n`;
  const lines = pending.map(({ client, state, file }) => {
    const todo = scopeOf(context) === "project" ? (client.nextInProject ?? client.next) : client.next;
    return `${client.title}: ${state} in ${file}.${state === "removed" || todo === undefined ? "" : ` ${todo}`}`;
  });
  if (context.flag("undo")) return `\n${lines.join("\n")}\n`;
  const missing = missingProgram(context, server.command);
  return `\n${[...lines, ...(missing === undefined ? [] : [missing]), "Check it with: pith doctor"].join("\n")}\n`;
}

/** Explains how to make `pith` callable by its name, if a command needs that. */
export function missingProgram({ environment: { variables } }: Context, command: string): string | undefined {
  return command !== "pith" || findProgram(command, variables["PATH"] ?? "") !== undefined
    ? undefined
    : "pith is not on your PATH: install it with npm install -g pith (in a clone: npm install -g .)";
}

function report(changes: readonly Change[], written: boolean): string {
  const shown = changes.map(({ client, file, before, after, state }) => ({
    client: client.id,
    file,
    state,
    ...(state !== "unchanged" && { diff: unifiedDiff(file, before, after) }),
  }));
  return `${JSON.stringify({ written, changes: shown })}\n`;
}

import { isAbsolute } from "node:path";
import { PithError } from "../../kernel/errors.ts";
import type { HealthCheck } from "../../model/health.ts";
import type { Client, Places } from "./client.ts";
import { FileProblem } from "./file-problem.ts";
import { detectClients, entryOf, type FileView } from "./plan.ts";
import { findPrefixes, type FoundPrefix } from "./shell-prefix.ts";

const SCOPES = ["project", "user"] as const;

/** Checks the configuration of each MCP client in use: where Pith is set up, and what would keep it from starting. */
export function inspectClients(
  clients: readonly Client[],
  places: Places,
  view: FileView,
): readonly HealthCheck[] {
  return detectClients(clients, places, view).map((client) => inspect(client, places, view));
}

function inspect(client: Client, places: Places, view: FileView): HealthCheck {
  const files = new Set(SCOPES.flatMap((scope) => client.files(scope, places)));
  const found: string[] = [];
  const wrong: string[] = [];
  for (const file of [...files].filter((path) => view.exists(path))) {
    const state = stateOf(client, file, view);
    if (state.wrong !== undefined) wrong.push(state.wrong);
    else if (state.found) found.push(file);
  }
  const name = client.title;
  if (wrong.length > 0) return { name, ok: false, detail: wrong.join("; ") };
  const detail = found.length > 0 ? `set up in ${found.join(", ")}` : `not set up; pith init ${client.id}`;
  return { name, ok: true, detail };
}

function stateOf(client: Client, file: string, view: FileView): { found?: boolean; wrong?: string } {
  try {
    const entry = entryOf(client, view.read(file));
    if (entry === undefined) return {};
    const missing = commandLine(entry)
      .slice(0, 2)
      .find((path) => isAbsolute(path) && !view.exists(path));
    return missing === undefined
      ? { found: true }
      : { wrong: `${file} starts ${missing}, which does not exist; pith init ${client.id} corrects it` };
  } catch (error) {
    if (error instanceof FileProblem) return { wrong: `${file}:${error.line}: ${error.message}` };
    if (error instanceof PithError) return { wrong: error.message };
    throw error;
  }
}

/** The command with which a client's configuration starts Pith. */
export interface ConfiguredServer {
  readonly client: Client;
  readonly file: string;
  readonly argv: readonly [string, ...string[]];
}

/** Returns the commands with which the clients in use would start Pith. Files that cannot be read are left out. */
export function configuredServers(
  clients: readonly Client[],
  places: Places,
  view: FileView,
): readonly ConfiguredServer[] {
  return detectClients(clients, places, view).flatMap((client) => {
    const files = new Set(SCOPES.flatMap((scope) => client.files(scope, places)));
    return [...files]
      .filter((file) => view.exists(file) && stateOf(client, file, view).found === true)
      .flatMap((file) => {
        const [program, ...args] = commandLine(entryOf(client, view.read(file)) ?? {});
        return program === undefined ? [] : [{ client, file, argv: [program, ...args] as const }];
      });
  });
}

/** Finds settings of earlier versions of Pith that interfere with other MCP servers and with hooks. */
export function inspectPrefixes(
  clients: readonly Client[],
  { places, program }: { readonly places: Places; readonly program: string },
  view: FileView,
): readonly HealthCheck[] {
  return SCOPES.flatMap((scope) => {
    try {
      return findPrefixes({ clients, scopes: [scope], places, program }, view).map(prefixCheck);
    } catch (error) {
      if (error instanceof PithError) return [{ name: "shell prefix", ok: false, detail: error.message }];
      throw error;
    }
  });
}

function prefixCheck({ client, scope, file }: FoundPrefix): HealthCheck {
  return {
    name: `${client.title}'s shell prefix`,
    ok: false,
    detail: `${file} runs all that ${client.title} starts through an earlier Pith, other MCP servers and hooks too; remove it: pith init ${client.id} --scope ${scope}`,
  };
}

/** Returns the words of the command that a client's server entry starts, in any of the clients' formats. */
function commandLine(entry: Readonly<Record<string, unknown>>): readonly string[] {
  const line = [entry["command"] ?? entry["cmd"], entry["args"]].flat(2);
  return line.filter((part) => typeof part === "string");
}

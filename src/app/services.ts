import { existsSync } from "node:fs";
import { join } from "node:path";
import { type CallFeed, createCallFeed } from "./window/call-feed.ts";
import { createHealth } from "./health.ts";
import { lazyPool } from "./pool.ts";
import { lazyRuns, type LazyRuns, type RunOptions } from "./runs.ts";
import { checkEmbeddings, embeddingsOf, openSemanticSearch, type Embeddings } from "./semantic.ts";
import { lazyTeam, type LazyTeam } from "./team.ts";
import { dataFolderOf, userConfigFile } from "../config/environment.ts";
import type { Environment } from "../config/environment.ts";
import type { Config } from "../config/keys.ts";
import type { CodeIndex } from "../index/service.ts";
import { createLogger } from "../kernel/logger.ts";
import type { Logger, LogLevel } from "../kernel/logger.ts";
import type { Health, HealthCheck } from "../model/health.ts";
import type { UsageLedger } from "../model/usage.ts";
import type { Pool } from "../pool/pool.ts";
import type { Pruner } from "../prune/pruner.ts";
import { createUsageLedger } from "../storage/files/usage-ledger.ts";
import { contains } from "../kernel/files/opened-path.ts";
import { PithError } from "../kernel/errors.ts";
import { createJail, type PathScope } from "../workspace/jail.ts";
import { createWorkspaces } from "../workspace/workspaces.ts";
import type { Workspaces } from "../workspace/workspaces.ts";

/** The services that tools and commands use. */
export interface Services {
  readonly config: Config;
  readonly environment: Environment;
  readonly logger: Logger;
  readonly dataFolder: string;
  readonly workspaces: Workspaces;
  readonly ledger: UsageLedger;
  readonly runs: LazyRuns;
  /** The calls of agents, for a person who watches them. */
  readonly calls: CallFeed;
  /** The dependencies and other projects that replies of this server showed, by their prefix; result ids may be of them. */
  readonly shownScopes: Map<string, PathScope>;
  /** Returns what an agent has to be told once; undefined when it was returned before. */
  takeNotice(): string | undefined;
  /** The configured pruner; its code is loaded on first use. */
  pruner(): Promise<Pruner>;
  /** Opens the pool of worker machines on first use; undefined if no team store is configured. */
  readonly pool: (() => Promise<Pool>) | undefined;
  /** The store in a database that a team shares; undefined if none is configured. */
  readonly team: LazyTeam | undefined;
  /** The code index. Its code is loaded on first use, so that starting a server stays cheap. */
  index(): Promise<CodeIndex>;
  /** Checks the server and its stores and, for a given folder, the code index of that folder. */
  health(root?: string): Promise<Health>;
  /** Checks the embedding provider by requesting a vector, and reports where code is sent. */
  checkEmbeddings(): Promise<HealthCheck>;
  close(): Promise<void>;
}

export interface ServiceOptions extends RunOptions {
  /** Receives events, one JSON object per line; by default they go to stderr. */
  readonly writeEvent?: (line: string) => void;
  /** How the services are offered to others; absent for a command that a person runs. */
  readonly serves?: "stdio" | "http";
  /** What an agent has to be told once, with the first reply. */
  readonly notice?: string;
}

function writeToStderr(line: string): void {
  process.stderr.write(line);
}

/** A notice is for whoever watches a server; the reply of a command says the same to the person who typed it. */
function eventLevel({ server }: Config, serves: ServiceOptions["serves"]): LogLevel {
  return serves === undefined && server.log_level === "notice" ? "warn" : server.log_level;
}

/**
 * Builds the services from a configuration. This has no side effects and stays cheap, because clients start servers
 * often.
 */
export function createServices(
  config: Config,
  environment: Environment,
  workspace: string,
  options: ServiceOptions = {},
): Services {
  const { serves, writeEvent = writeToStderr } = options;
  const logger = createLogger(eventLevel(config, serves), writeEvent);
  const dataFolder = dataFolderOf(config, environment);
  const ledger = createUsageLedger(join(dataFolder, "usage"), logger);
  const team = lazyTeam(config, dataFolder, logger);
  const pool = lazyPool(config, environment, logger);
  const folders = { dataFolder, runsFolder: join(dataFolder, "runs") };
  const scope = { home: workspace, contains: isInside([workspace, ...config.server.roots]) };
  const runs = lazyRuns({
    config,
    environment,
    folder: folders.runsFolder,
    team,
    pool,
    ...(serves !== undefined && { scope }),
    hasLongIds: serves === "http",
    ...options,
  });
  const embeddings = embeddingsOf(config, environment);
  const shared = team === undefined ? {} : { team };
  const index = lazyIndex({ config, workspace, dataFolder, logger, embeddings, ...shared });
  return {
    config,
    environment,
    logger,
    dataFolder,
    workspaces: createWorkspaces(workspace, config.server.roots, async (projectId) =>
      (await index()).rootOf(projectId),
    ),
    ledger,
    runs,
    calls: createCallFeed(),
    shownScopes: new Map(),
    takeNotice: takeOnce(options.notice),
    pruner: lazyPruner(config),
    pool,
    team,
    index,
    health: createHealth({ ...folders, configFile: userConfigFile(environment), index, ...shared }),
    checkEmbeddings: () => checkEmbeddings(config, embeddings),
    async close() {
      await index.close();
      await runs.close();
      await pool?.close();
      await team?.close();
      await ledger.flush();
    },
  };
}

/** Returns a function that returns the value at its first call and undefined later. */
function takeOnce<T>(value: T | undefined): () => T | undefined {
  const values = [value];
  return () => values.pop();
}

/** Returns a test whether a folder is inside one of these folders, with links resolved. */
function isInside(roots: readonly string[]): (folder: string) => Promise<boolean> {
  const jail = createJail(roots);
  return async (folder) => {
    try {
      return (await jail.resolve(folder, folder)) !== undefined;
    } catch (error) {
      if (error instanceof PithError && error.code === "workspace_not_allowed") return false;
      throw error;
    }
  };
}

function lazyPruner({ pruner }: Config): () => Promise<Pruner> {
  const { endpoint, threshold, timeout_ms: timeoutMs, keep, max_prune_input_bytes: maxInputBytes } = pruner;
  const chosen = pruner.provider === "auto" ? (endpoint === "" ? "builtin" : "http") : pruner.provider;
  // Without an endpoint, the pruner over HTTP is off.
  const provider = chosen === "http" && endpoint === "" ? "off" : chosen;
  let opened: Promise<Pruner> | undefined;
  const open = async (): Promise<Pruner> => {
    const { createPruner } = await import("../prune/create.ts");
    const http = { endpoint, threshold, timeoutMs };
    return createPruner({ provider, keep: keep === 0 ? undefined : keep, maxInputBytes, http });
  };
  return () => (opened ??= open());
}

interface LazyIndex {
  (): Promise<CodeIndex>;
  close(): Promise<void>;
}

function lazyIndex({
  config,
  workspace,
  dataFolder,
  logger,
  team,
  embeddings,
}: Pick<Services, "config" | "dataFolder" | "logger"> & {
  workspace: string;
  team?: LazyTeam;
  embeddings: Embeddings | undefined;
}): LazyIndex {
  let opened: Promise<CodeIndex> | undefined;
  const path = join(dataFolder, "index.db");
  const open = async (): Promise<CodeIndex> => {
    const [{ createCodeIndex }, { openIndexStore, discardIndexStore }] = await Promise.all([
      import("../index/service.ts"),
      import("../storage/sqlite/index-store.ts"),
    ]);
    const meaning =
      embeddings === undefined
        ? undefined
        : await openSemanticSearch(embeddings, config, { path, logger, ...(team !== undefined && { team }) });
    const shared = await team?.();
    return createCodeIndex({
      openStore: () => (shared === undefined ? openIndexStore(path) : shared.openIndexStore(path)),
      ...(shared !== undefined && {
        isStoreReachable: () => shared.isAvailable(),
        familyOf: (root, repository) =>
          repository === undefined ? shared.folderName(root) : shared.familyOf(root),
      }),
      discardStore: () => discardIndexStore(path),
      logger,
      timeBudgetMs: config.index.time_budget_ms,
      answerMs: config.server.answer_timeout_ms,
      maxFileBytes: config.index.max_file_bytes,
      workers: config.index.workers,
      prewarm: config.server.prewarm,
      hasStore: () => shared !== undefined || existsSync(path),
      mayServe: (root) => [workspace, ...config.server.roots].some((folder) => contains(folder, root)),
      ...(meaning !== undefined && { semantic: meaning }),
    });
  };
  const get = (): Promise<CodeIndex> => (opened ??= open());
  return Object.assign(get, { close: async () => (await opened)?.close() });
}

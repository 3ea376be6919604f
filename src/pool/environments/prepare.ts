import { appendFile, readdir, writeFile } from "node:fs/promises";
import { join, posix } from "node:path";
import type { Isolation } from "../../exec/isolation/enclosure.ts";
import { errnoOf } from "../../kernel/errors.ts";
import type { PreparedEnvironment } from "../../model/run.ts";
import { removeFolder } from "../../workspace/snapshot/remove-folder.ts";
import { detectEnvironments, type Environment, type PrepareSpec } from "./detect.ts";
import type { Argv } from "./ecosystem.ts";
import type { LayerCopies, LayerCopy } from "./layer-copies.ts";
import { sealLayer, writeStaged } from "./layer-files.ts";
import { makeInPlace, withReduced } from "./make-in-place.ts";
import { layerKey } from "./layer-key.ts";
import { type LayerInfo, type Layers, RETRY_MS } from "./layers.ts";
import { inFolder, type OutputPiece, runStep, type Step, StepFailure, type StepRunner } from "./step.ts";

/** A job whose folder is to be made ready. */
export interface PrepareJob {
  readonly spec: PrepareSpec;
  /** The folder of the job's files. */
  readonly root: string;
  /** The folder of the command, relative to the root. */
  readonly cwd: string;
  readonly listFiles: () => Promise<readonly string[]>;
  readonly layers: Layers;
  readonly copies: LayerCopies;
  readonly run: StepRunner;
  /** How jobs are isolated from each other; then none may leave anything for the next one. */
  readonly isolation?: Isolation["kind"] | undefined;
  /** The environment in which the versions of programs are asked. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** What was installed in a job's folder, and what its command needs to find it. */
export interface Preparation {
  readonly reports: readonly PreparedEnvironment[];
  readonly variables: Readonly<Record<string, string>>;
  /** Folders of programs that come first on the PATH. */
  readonly programFolders: readonly string[];
  /** The copies of layers in the folder, which can be taken back after the job. */
  readonly copies: readonly LayerCopy[];
  /**
   * Identifies everything that is in the folder besides the job's files, on any machine; undefined if that is not
   * certain, because commands of the project ran or something is missing.
   */
  readonly identity: readonly string[] | undefined;
  /** Present if a package manager failed without which the command cannot run. */
  readonly failure?: StepFailure;
}

export const NOTHING_PREPARED: Preparation = {
  reports: [],
  variables: {},
  programFolders: [],
  copies: [],
  identity: [],
};

/** Installs what a job needs into its folder, from layers of earlier jobs where they exist. */
export async function prepareFolder(job: PrepareJob): Promise<Preparation> {
  let done = NOTHING_PREPARED;
  for (const environment of await detectEnvironments(job.spec, job)) {
    done = await addEnvironment(
      job,
      job.isolation === "bubblewrap" ? inSandbox(environment, job) : environment,
      done,
    );
    if (done.failure !== undefined) break;
  }
  return done;
}

function inSandbox(environment: Environment, { env }: PrepareJob): Environment {
  const { ecosystem } = environment;
  const variables = { ...ecosystem.variables, ...ecosystem.sandboxVariables?.(env) };
  return { ...environment, ecosystem: { ...ecosystem, variables } };
}

async function addEnvironment(
  job: PrepareJob,
  environment: Environment,
  done: Preparation,
): Promise<Preparation> {
  const { ecosystem, folder } = environment;
  const startedAt = Date.now();
  const reported = (
    outcome: PreparedEnvironment["outcome"],
    why: Pick<PreparedEnvironment, "detail" | "failedScript" | "waitedMs"> = {},
  ): Preparation => {
    const report = { name: ecosystem.id, folder, outcome, ms: Date.now() - startedAt, ...why };
    return { ...done, reports: [...done.reports, report], identity: undefined };
  };
  const key = await layerKey(environment, job.env, join(job.root, folder));
  if ("missing" in key) return reported("skipped", { detail: key.missing });
  let installed: Installed;
  try {
    installed = await install(job, environment, key.key);
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error;
    const failed = reported("failed", { detail: error.message });
    return ecosystem.isOptional === true ? failed : { ...failed, failure: error };
  }
  const { outcome, copy, ...why } = installed;
  if (outcome === "failed") return reported(outcome, why);
  const failure = await failureOfOwnSteps(job, environment);
  const canRun = failure === undefined || ecosystem.areOwnStepsOptional === true;
  const own = settingsFor(environment, join(job.root, folder));
  return {
    ...reported(outcome, { ...why, ...(failure && { failedScript: failure.reason }) }),
    variables: { ...done.variables, ...own.variables },
    programFolders: [...own.programFolders, ...done.programFolders],
    copies: copy === undefined ? done.copies : [...done.copies, copy],
    identity: identityOf(done, environment, key.key, copy),
    ...(canRun ? {} : { failure }),
  };
}

/** Runs the commands that need the job's own sources, until one fails. */
async function failureOfOwnSteps(
  job: PrepareJob,
  environment: Environment,
): Promise<StepFailure | undefined> {
  try {
    for (const argv of environment.ecosystem.stepsPerJob?.(environment.inputs) ?? [])
      await runStep(job.run, stepOf(argv, environment, job));
    return undefined;
  } catch (error) {
    if (error instanceof StepFailure) return error;
    throw error;
  }
}

/** Commands of the project may have done anything, so they leave nothing certain. */
function identityOf(
  done: Preparation,
  { ecosystem, folder, inputs }: Environment,
  key: string,
  copy: LayerCopy | undefined,
): Preparation["identity"] {
  const hasOwnSteps = (ecosystem.stepsPerJob?.(inputs) ?? []).length > 0;
  const installed = copy?.layer.info.installed;
  return hasOwnSteps || installed === undefined || done.identity === undefined
    ? undefined
    : [...done.identity, `${folder} ${key} ${installed}`];
}

interface Installed {
  readonly outcome: "made" | "hit" | "failed";
  readonly waitedMs?: number;
  /** What failed, if something did. */
  readonly detail?: string;
  /** Absent if nothing was installed, or only in the folder of this job. */
  readonly copy?: LayerCopy;
}

/** Puts the layer of a key into the job's folder. */
async function install(job: PrepareJob, environment: Environment, key: string): Promise<Installed> {
  const make = (folder: string, tree: string) => makeOrNoteFailure(job, environment, { folder, tree });
  for (;;) {
    const options = { signal: job.signal, timeoutMs: job.spec.timeoutMs };
    const { layer, isNew, waitedMs } = await job.layers.obtain(key, make, options);
    const { failed } = layer.info;
    if (failed !== undefined && environment.ecosystem.isOptional === true)
      return { outcome: "failed", detail: isNew ? failed.detail : describeEarlier(failed) };
    if (failed !== undefined) return installWithoutLayer(job, environment, failed.detail);
    await job.layers.touch(layer);
    try {
      const ownCache = job.isolation === undefined ? environment.ecosystem.ownCache : undefined;
      const copy = await job.copies.place(layer, join(job.root, environment.folder), ownCache);
      await hideFromGit(job.root, environment.folder, copy.entries);
      return { outcome: isNew ? "made" : "hit", copy, ...(waitedMs > 0 && { waitedMs }) };
    } catch (error) {
      // Another process removed the layer to make room, so it is made again.
      if (errnoOf(error) !== "ENOENT" || job.layers.find(key) !== undefined) throw error;
    }
  }
}

/**
 * Installs in the job's own folder, for this job only: a package manager may need files that the staged ones refer to in
 * a way that is not known here.
 */
async function installWithoutLayer(
  job: PrepareJob,
  environment: Environment,
  detail: string,
): Promise<Installed> {
  const { ecosystem, staged, inputs, folder } = environment;
  const place = join(job.root, folder);
  const before = new Set(await readdir(place));
  await withReduced({ place, inputs, staged }, async () => {
    for (const argv of ecosystem.steps(staged)) await runStep(job.run, stepOf(argv, environment, job));
  });
  const made = (await readdir(place)).filter((name) => !before.has(name));
  await hideFromGit(job.root, folder, made);
  return { outcome: "made", detail: `for this job only, because with the lock files alone ${detail}` };
}

/** Says that a failure is not of now, and when somebody tries again: its cause may be gone. */
function describeEarlier({ at, detail }: NonNullable<LayerInfo["failed"]>): string {
  const minutes = Math.round((Date.now() - at) / 60_000);
  const next = Math.max(1, Math.round((at + RETRY_MS - Date.now()) / 60_000));
  return `tried ${minutes} min before, again in ${next} min or when the worker starts: ${detail}`;
}

async function makeOrNoteFailure(
  job: PrepareJob,
  environment: Environment,
  place: { readonly folder: string; readonly tree: string },
): Promise<LayerInfo> {
  const startedAt = Date.now();
  try {
    return await makeLayer(job, environment, place);
  } catch (error) {
    const { isConfigured, isOptional } = environment.ecosystem;
    const isLasting =
      isOptional === true || (error instanceof StepFailure && error.ending.end.cause === "exit");
    if (!(error instanceof StepFailure) || !isLasting || isConfigured === true || job.signal.aborted)
      throw error;
    await removeFolder(place.tree);
    const failed = { at: Date.now(), detail: error.reason };
    return { ms: Date.now() - startedAt, bytes: 0, entries: [], relocated: [], madeIn: place.tree, failed };
  }
}

/** Git may have no rule of its own that ignores what was installed. */
async function hideFromGit(root: string, folder: string, entries: readonly string[]): Promise<void> {
  const rules = entries.map(
    (entry) => `/${posix.join(folder, entry).replaceAll(/[\\*?[]/g, String.raw`\$&`)}\n`,
  );
  await appendFile(join(root, ".git", "info", "exclude"), rules.join(""));
}

async function makeLayer(
  job: PrepareJob,
  environment: Environment,
  { folder, tree }: { readonly folder: string; readonly tree: string },
): Promise<LayerInfo> {
  const { ecosystem, staged } = environment;
  const startedAt = Date.now();
  const output: OutputPiece[] = [];
  const inTree = { ...environment, folder: "" };
  const runSteps = async (root: string): Promise<void> => {
    for (const argv of ecosystem.steps(staged))
      output.push(...(await runStep(job.run, stepOf(argv, inTree, { ...job, root }))));
  };
  const placed = ecosystem.placedFolders?.(staged) ?? [];
  if (placed.length > 0)
    await makeInPlace({ place: join(job.root, environment.folder), tree, staged, placed }, runSteps);
  else {
    await writeStaged(tree, staged);
    await runSteps(tree);
  }
  await writeFile(join(folder, "prepare.log"), Buffer.concat(output.map(({ bytes }) => bytes)), {
    mode: 0o600,
  });
  return { ...(await sealLayer(tree, staged, ecosystem)), ms: Date.now() - startedAt };
}

function stepOf(
  argv: Argv,
  environment: Environment,
  { root, spec }: Pick<PrepareJob, "root" | "spec">,
): Step {
  const cwd = join(root, environment.folder);
  const [program, ...args] = argv;
  const { withoutVariables = [] } = environment.ecosystem;
  const { variables, programFolders } = settingsFor(environment, cwd);
  return {
    argv: [inFolder(program, cwd), ...args.map((arg) => inFolder(arg, cwd))],
    root,
    cwd,
    variables: Object.fromEntries(
      Object.entries(variables).filter(([name]) => !withoutVariables.includes(name)),
    ),
    withoutVariables,
    programFolders,
    parser: environment.ecosystem.id,
    timeoutMs: spec.timeoutMs,
  };
}

function settingsFor({ ecosystem }: Environment, folder: string) {
  const { variables = {}, programFolder } = ecosystem;
  return {
    variables: Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [name, inFolder(value, folder)]),
    ),
    programFolders: programFolder === undefined ? [] : [join(folder, programFolder)],
  };
}

import { appendFile, writeFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { errnoOf } from "../../kernel/errors.ts";
import type { PreparedEnvironment } from "../../model/run.ts";
import { detectEnvironments, type Environment, type PrepareSpec } from "./detect.ts";
import type { Argv } from "./ecosystem.ts";
import type { LayerCopies, LayerCopy } from "./layer-copies.ts";
import { sealLayer, writeStaged } from "./layer-files.ts";
import { makeInPlace } from "./make-in-place.ts";
import { layerKey } from "./layer-key.ts";
import type { LayerInfo, Layers } from "./layers.ts";
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
  /** True if no job may leave anything for the next one, because each runs in a sandbox. */
  readonly isIsolated: boolean;
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
    done = await addEnvironment(job, environment, done);
    if (done.failure !== undefined) break;
  }
  return done;
}

async function addEnvironment(
  job: PrepareJob,
  environment: Environment,
  done: Preparation,
): Promise<Preparation> {
  const { ecosystem, folder } = environment;
  const startedAt = Date.now();
  const report = (outcome: PreparedEnvironment["outcome"], detail?: string): PreparedEnvironment => ({
    name: ecosystem.id,
    folder,
    outcome,
    ms: Date.now() - startedAt,
    ...(detail === undefined ? {} : { detail }),
  });
  const key = await layerKey(environment, job.env, join(job.root, folder));
  if ("missing" in key)
    return { ...done, reports: [...done.reports, report("skipped", key.missing)], identity: undefined };
  try {
    const { isNew, copy } = await install(job, environment, key.key);
    const own = settingsFor(environment, join(job.root, folder));
    const ownSteps = ecosystem.stepsPerJob?.(environment.inputs) ?? [];
    for (const argv of ownSteps) await runStep(job.run, stepOf(argv, environment, job));
    const installed = ownSteps.length === 0 ? copy.layer.info.installed : undefined;
    return {
      reports: [...done.reports, report(isNew ? "made" : "hit")],
      variables: { ...done.variables, ...own.variables },
      programFolders: [...own.programFolders, ...done.programFolders],
      copies: [...done.copies, copy],
      identity:
        installed === undefined || done.identity === undefined
          ? undefined
          : [...done.identity, `${folder} ${key.key} ${installed}`],
    };
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error;
    const reports = [...done.reports, report("failed", error.message)];
    return {
      ...done,
      reports,
      identity: undefined,
      ...(ecosystem.isOptional === true ? {} : { failure: error }),
    };
  }
}

interface Installed {
  /** True if the layer had to be made. */
  readonly isNew: boolean;
  readonly copy: LayerCopy;
}

/** Puts the layer of a key into the job's folder. */
async function install(job: PrepareJob, environment: Environment, key: string): Promise<Installed> {
  const make = (folder: string, tree: string) => makeLayer(job, environment, { folder, tree });
  for (;;) {
    const options = { signal: job.signal, timeoutMs: job.spec.timeoutMs };
    const { layer, isNew } = await job.layers.obtain(key, make, options);
    await job.layers.touch(layer);
    try {
      const ownCache = job.isIsolated ? undefined : environment.ecosystem.ownCache;
      const copy = await job.copies.place(layer, join(job.root, environment.folder), ownCache);
      await hideFromGit(job.root, environment.folder, copy.entries);
      return { isNew, copy };
    } catch (error) {
      // Another process removed the layer to make room, so it is made again.
      if (errnoOf(error) !== "ENOENT" || job.layers.find(key) !== undefined) throw error;
    }
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

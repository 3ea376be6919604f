import { createHash } from "node:crypto";
import { closeSync, openSync, readSync, realpathSync } from "node:fs";
import { basename, relative } from "node:path";
import { contains } from "../../kernel/files/opened-path.ts";
import { toolNamed } from "../../diagnostics/registry/tool-names.ts";
import { checkStaysInside, statLook, UnknownTreeError } from "../../workspace/tree-fingerprint.ts";
import { ABSENT, contentFact, hashVariables } from "./check-inputs.ts";
import { type CheckLine, readCheckLine } from "./check-line.ts";
import { type FileIdentity, outsideFacts } from "./outside-facts.ts";

/** A command in a fresh checkout, whose answer may be the same on another machine. */
interface SharedPlace {
  readonly command: string;
  /** The folder of the checkout, and that of the command in it. */
  readonly top: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The names of variables that differ from run to run and that no checker reads. */
  readonly ownVariables: readonly string[];
  /** The files of the checkout, relative to its folder. */
  readonly files: readonly string[];
  /** What else decides the answer: the content of the checkout, what is installed in it, the argument list. */
  readonly facts: readonly string[];
}

/** A check with the key under which everybody finds its answer. */
export interface SharedCheck extends Pick<CheckLine, "exitCodes"> {
  readonly key: string;
}

/** Changes with the rules below, so that answers of other versions of Pith are not found. */
const RULES_VERSION = "1";

/** Variables that describe the session, the service or the machine, and that no checker reads. */
const OF_THE_MACHINE =
  /^(?:_|SHLVL|OLDPWD|PWD|HOSTNAME|INVOCATION_ID|JOURNAL_STREAM|SYSTEMD_EXEC_PID|MEMORY_PRESSURE_\w+|SSH_\w+|XDG_SESSION_\w+|XDG_RUNTIME_DIR|DBUS_SESSION_BUS_ADDRESS|TERM_SESSION_ID|WINDOWID|LS_COLORS)$/;

/** Identifies a command that only checks by everything that decides its answer; undefined if that is not certain. */
export async function sharedCheck(place: SharedPlace, signal: AbortSignal): Promise<SharedCheck | undefined> {
  const { command, top, cwd, env, files, facts } = place;
  const line = readCheckLine(command, { top, cwd }, { includesTests: false, toolOf: toolNamed });
  if (line === undefined || process.platform === "win32") return undefined;
  try {
    await checkStaysInside(top, files, signal);
    const variables = Object.entries(env)
      .filter(([name]) => !OF_THE_MACHINE.test(name) && !place.ownVariables.includes(name))
      .map(([name, value]) => [name, value.replaceAll(top, "{top}")] as const);
    const outside = await outsideFacts({ ...line, top, env }, byContent(top), signal);
    const hash = createHash("sha256");
    for (const fact of [
      RULES_VERSION,
      process.platform,
      process.arch,
      hashVariables(Object.fromEntries(variables)),
      ...outside,
      ...facts,
    ])
      hash.update(`${fact.length} ${fact}\n`);
    return { key: hash.digest("hex"), exitCodes: line.exitCodes };
  } catch (error) {
    if (!(error instanceof UnknownTreeError)) throw error;
    return undefined;
  }
}

/** Programs in the checkout belong to what is installed there, so that their paths are enough. */
function byContent(top: string): FileIdentity {
  return {
    program(path) {
      const real = realpathSync(path);
      return contains(top, real) ? relative(top, real) : hashProgram(real);
    },
    file(path) {
      const fact = contentFact(path);
      // The name of a file that is not there may be that of a folder of this machine.
      return fact === ABSENT ? fact : `${basename(path)} ${fact}`;
    },
  };
}

const hashes = new Map<string, { readonly look: string; readonly hash: string }>();
const READ_BYTES = 1024 * 1024;

/** Hashes a program, which may be large, once for as long as it is not replaced. */
function hashProgram(path: string): string {
  const look = statLook(path);
  const known = hashes.get(path);
  if (known?.look === look) return known.hash;
  const hash = createHash("sha256");
  const buffer = Buffer.alloc(READ_BYTES);
  const file = openSync(path, "r");
  try {
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer))
      hash.update(buffer.subarray(0, read));
  } finally {
    closeSync(file);
  }
  const digest = hash.digest("base64");
  hashes.set(path, { look, hash: digest });
  return digest;
}

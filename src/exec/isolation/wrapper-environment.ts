type Variables = Readonly<Record<string, string>>;

/**
 * The variables by which a caller has code run in a program that starts: those of the dynamic loader, of the C library
 * (which ignores them itself in programs with special rights) and of shells.
 */
const RUNS_CODE =
  /^(?:LD_.*|MALLOC_.*|BASH_FUNC_.*|GLIBC_TUNABLES|GCONV_PATH|GETCONF_DIR|HOSTALIASES|LOCALDOMAIN|LOCPATH|NIS_PATH|NLSPATH|RESOLV_HOST_CONF|RES_OPTIONS|TZDIR|BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PS4)$/;

/** The environment of a program that isolates a command, and the words that give the command the rest of its own. */
export interface SplitEnvironment {
  readonly outer: Variables;
  /** Arguments to put between the isolating program's own and the command; empty if there is no difference. */
  readonly inner: readonly string[];
}

/** Keeps the variables that would have code run outside of the sandbox for the command inside. */
export function withoutCodeVariables(env: Variables): SplitEnvironment {
  const entries = Object.entries(env);
  return {
    outer: Object.fromEntries(entries.filter(([name]) => !RUNS_CODE.test(name))),
    inner: assignments(entries.filter(([name]) => RUNS_CODE.test(name))),
  };
}

/** Keeps the variables that a caller has set for the command inside: a PATH or a DOCKER_HOST would lead out of it. */
export function withoutCallersVariables(env: Variables, own: Variables): SplitEnvironment {
  return {
    outer: own,
    inner: assignments(Object.entries(env).filter(([name, value]) => own[name] !== value)),
  };
}

function assignments(entries: readonly (readonly [string, string])[]): string[] {
  return entries.length === 0 ? [] : ["env", "--", ...entries.map(([name, value]) => `${name}=${value}`)];
}

/** What a command in a sandbox sees of the disk and the network. Everything else is there, but read-only. */
export interface SandboxView {
  /** Folders and files that the command may change. */
  readonly writable: readonly string[];
  /** Folders and files below a hidden folder that the command may read. */
  readonly readable: readonly string[];
  /** Folders that are empty for the command; what it writes there is kept in memory until it ends. */
  readonly hidden: readonly string[];
  /** A folder on disk that the command sees in place of another one. */
  readonly replaced: readonly { readonly path: string; readonly by: string }[];
  readonly hasNetwork: boolean;
}

interface Mount {
  readonly path: string;
  readonly options: readonly string[];
}

/**
 * The options of bubblewrap for a view, to which the command's argument list is appended.
 *
 * The processes get numbers of their own, so that they can neither see nor signal any others, and all of them end when
 * their first one is killed. They stay in the session and the process group, so that a signal to the group reaches them.
 */
export function bubblewrapArgv(program: string, view: SandboxView): [string, ...string[]] {
  const network = view.hasNetwork ? [] : ["--unshare-net"];
  const namespaces = ["--unshare-pid", "--unshare-ipc", ...network];
  const system = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"];
  // Temporary files go to the folder that replaces /tmp, because any other one is read-only.
  const variables = ["TMPDIR", "TMP", "TEMP"].flatMap((name) => ["--unsetenv", name]);
  return [program, ...namespaces, ...system, ...mountsOf(view), ...variables, "--"];
}

/** A folder is mounted before those inside it, so that for each path the most specific rule applies. */
function mountsOf({ writable, readable, hidden, replaced }: SandboxView): string[] {
  const mounts: Mount[] = [
    ...hidden.map((path) => ({ path, options: ["--tmpfs", path] })),
    ...replaced.map(({ path, by }) => ({ path, options: ["--bind", by, path] })),
    ...readable.map((path) => ({ path, options: ["--ro-bind", path, path] })),
    ...writable.map((path) => ({ path, options: ["--bind", path, path] })),
  ];
  return mounts.sort((a, b) => a.path.length - b.path.length).flatMap(({ options }) => options);
}

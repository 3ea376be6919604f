/** What a command in a sandbox sees of the disk and the network. Everything else is there, but read-only. */
export interface SandboxView {
  /** Folders and files that the command may change. */
  readonly writable: readonly string[];
  /** Folders and files below a hidden folder that the command may read. */
  readonly readable: readonly string[];
  /** Folders that are empty for the command; what it writes there is kept in memory until it ends. */
  readonly hidden: readonly string[];
  /** Files in place of which the command sees an empty one. */
  readonly covered: readonly string[];
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
  const system = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", ...kernelSettings()];
  // Temporary files go to the folder that replaces /tmp, because any other one is read-only.
  const variables = ["TMPDIR", "TMP", "TEMP"].flatMap((name) => ["--unsetenv", name]);
  return [program, ...namespaces, ...privileges(), ...system, ...mountsOf(view), ...variables, "--"];
}

/** What root may do in the sandbox: work with files of any owner. Mounting would undo every rule of the sandbox. */
const ROOT_CAPABILITIES = ["CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "SETGID", "SETUID"];

/** Bubblewrap leaves all its rights to a command of root. It takes them from everybody else by itself. */
function privileges(): string[] {
  if (process.getuid?.() !== 0) return [];
  return ["--cap-drop", "ALL", ...ROOT_CAPABILITIES.flatMap((name) => ["--cap-add", `CAP_${name}`])];
}

/**
 * Files through which root changes the whole machine, and needs no capability for it. Bubblewrap covers only those whose
 * folder is writable, which `/proc/sys` itself is not.
 */
const KERNEL_SETTINGS = ["sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi"];

function kernelSettings(): string[] {
  return KERNEL_SETTINGS.flatMap((name) => ["--ro-bind-try", `/proc/${name}`, `/proc/${name}`]);
}

/** A folder is mounted before those inside it, so that for each path the most specific rule applies. */
function mountsOf({ writable, readable, hidden, covered, replaced }: SandboxView): string[] {
  const mounts: Mount[] = [
    ...hidden.map((path) => ({ path, options: ["--tmpfs", path] })),
    ...covered.map((path) => ({ path, options: ["--ro-bind", "/dev/null", path] })),
    ...replaced.map(({ path, by }) => ({ path, options: ["--bind", by, path] })),
    ...readable.map((path) => ({ path, options: ["--ro-bind", path, path] })),
    ...writable.map((path) => ({ path, options: ["--bind", path, path] })),
  ];
  return mounts.sort((a, b) => a.path.length - b.path.length).flatMap(({ options }) => options);
}

import type { OptionTable } from "./options.ts";

function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}

/** Programs that run the command after their own options and operands. */
export const WRAPPERS: Readonly<Record<string, OptionTable & { readonly operands?: number }>> = {
  builtin: {},
  command: { flags: "p" },
  doas: { flags: "n", values: "u" },
  exec: { flags: "cl", values: "a" },
  nice: { flags: "0123456789", values: "n", longValues: "adjustment" },
  nohup: {},
  setsid: { flags: "cfw", longFlags: "ctty fork wait" },
  stdbuf: { values: "ioe", longValues: "input output error" },
  sudo: {
    flags: "ABbEHknPS",
    values: "ugpChTrtU",
    longFlags: "non-interactive preserve-env set-home stdin background",
    longValues: "user group prompt",
  },
  time: { flags: "pv" },
  timeout: {
    flags: "vf",
    values: "sk",
    longFlags: "foreground preserve-status verbose",
    longValues: "signal kill-after",
    operands: 1,
  },
};

const NPX_OPTIONS: OptionTable = {
  flags: "yq",
  values: "pw",
  longFlags: "yes no no-install quiet silent prefer-offline offline ignore-existing",
  longValues: "package workspace",
};

/** Programs, or subcommands of programs, whose purpose is to run another program by its name. */
export const RUNNERS: Readonly<Record<string, OptionTable>> = Object.fromEntries([
  ...["npx", "npm exec", "npm x"].map((name) => [name, NPX_OPTIONS] as const),
  ...["bunx", "pnpx", "pnpm exec", "pnpm dlx", "yarn exec", "yarn dlx", "bun x"].map(
    (name) =>
      [
        name,
        { flags: "yqs", values: "p", longFlags: "yes silent quiet bun", longValues: "package" },
      ] as const,
  ),
  ...["uv run", "uvx"].map(
    (name) =>
      [
        name,
        {
          flags: "qv",
          values: "p",
          longFlags:
            "frozen locked no-sync quiet verbose isolated offline all-extras all-groups no-dev no-project dev no-progress",
          longValues: "with python extra group from project directory package env-file",
        },
      ] as const,
  ),
  ...["bundle exec", "poetry run", "pipenv run", "pdm run", "hatch run", "rye run"].map(
    (name) => [name, {}] as const,
  ),
  ["conda run", { values: "np", longFlags: "no-capture-output live-stream", longValues: "name prefix cwd" }],
  ["mise exec", {}],
  ["cross-env", {}],
]);

/** Subcommands of package managers that run a named script of the project, or none. */
export const PACKAGE_MANAGERS = wordSet("npm pnpm yarn bun");
export const SCRIPT_SUBCOMMANDS = wordSet(
  `add audit build cache ci dedupe install i ls list outdated pack prune publish rebuild remove run run-script start
  test t tst uninstall update upgrade version view why --version -v`,
);

/** Programs that only use their arguments as data: nothing in them is run as a command. */
export const DATA_PROGRAMS = wordSet(
  `[ arch base32 base64 basename bat blkid cal cat chgrp chmod chown cksum cmp col colrm column comm cut date df diff
  diff3 dirname dirs du echo egrep expand expr factor false fgrep file fmt fold free getent grep groups hash head
  hexdump hostname iconv id jobs join jq kill last ldd locale logname look ls lsblk lscpu lsof md5sum mkdir mkfifo
  mktemp nl nm nproc numfmt objdump od paste pathchk pgrep pidof pkill pr printenv printf ps pstree pwd readelf readlink
  realpath rev rm rmdir seq sha1sum sha256sum sha512sum shasum shred size sleep stat strings sum sync tac tail test
  touch tr tree true truncate tsort tty type ulimit umask uname unexpand uniq uptime users w wait wc whatis whereis
  which who whoami xxd yes yq zcat zgrep less more :`,
);

/** Programs that use their input as data only. Any other program may be a shell under a name that nobody here knows. */
export const INPUT_READERS = wordSet(
  `black brotli bzip2 clang-format clip delta gh gofmt gpg gunzip gzip helm isort jest jq kubectl lz4 openssl pandoc patch
  pbcopy pino-pretty prettier pygmentize pytest ruff rustfmt shfmt sponge tee terraform tsc vitest wl-copy xclip xmllint xsel
  xz zstd`,
);

/** Options with which a program of otherwise harmless arguments runs a command. */
export const RUNNING_OPTIONS: Readonly<Record<string, RegExp>> = {
  ag: /^--pager/,
  ack: /^--(?:pager|ackrc|env)/,
  bat: /^--(?:pager|diff)/,
  fd: /^(?:-\w*[xX]|--exec)/,
  fdfind: /^(?:-\w*[xX]|--exec)/,
  gcc: /^(?:-wrapper|-B|-specs|-fplugin|@|-fuse-ld)/,
  "g++": /^(?:-wrapper|-B|-specs|-fplugin|@)/,
  clang: /^(?:-B|-Xclang|-fplugin|@|-load)/,
  cc: /^(?:-wrapper|-B|-specs|-fplugin|@)/,
  install: /^--strip-program/,
  make: /\$|`|^(?:--eval|-E|SHELL\b|\.SHELLFLAGS|MAKEFLAGS|-f-?$|--file=-?$|--makefile=-?$|-$|\/dev\/|-f\/dev|--file=\/dev|--makefile=\/dev)/,
  rg: /^--(?:pre|hostname-bin)/,
  rsync: /^(?:-\w*e|--rsh|--rsync-path)/,
  sdiff: /^--diff-program/,
  sort: /^--compress-program/,
  split: /^--filter/,
  tar: /^(?:--(?:to-command|checkpoint-action|use-compress-program|info-script|new-volume-script|rsh-command|rmt-command)|-?\w*[IF])/,
  wget: /^--(?:use-askpass|execute)|^-\w*e/,
  curl: /^(?:-K|--config)/,
  zip: /^-\w*T|^--(?:test|unzip-command)/,
  less: /^(?:\+|-\w*[kT]|--lesskey)/,
  cargo: /^(?:--config|\+)/,
  go: /^(?:-exec|-toolexec|--exec|--toolexec|-vettool|--vettool)/,
  cmake: /^-(?:P|E)$/,
  ctest: /^(?:--build-and-test|-S|--script|-SP)$/,
  gh: /^(?:alias|extension)$/,
};

/**
 * Programs that run a command from their arguments or their input, which nobody here reads. A command line with one of
 * them is not understood.
 */
export const LAUNCHERS = wordSet(
  `alias apt-get at batch bc bg bind bpftrace busybox bwrap capsh chpst chroot chrt clisp clj clojure cmd compgen complete
  compopt coproc coreutils cpulimit crontab csh dbus-launch dbus-run-session dc declare disown distrobox dtrace
  dumb-init ed elixir elvish emacs enable entr envdir erl eval ex expect fakechroot fakeroot faketime fc fg firejail fish
  flock fzf gdb gdbserver getopts ghci gnome-terminal gnuplot gosu groovy guile history hyperfine iex inotifywait ionice
  irb jshell julia kitty konsole ksh let lldb local logsave ltrace luajit m4 man mapfile mariadb mksh mongo mongosh mosh
  mysql nano nc ncat nmap nodemon nsenter nu numactl nvim octave osascript parallel pith pkexec pm2 posh powershell prlimit
  proot proxychains proxychains4 pry psql pwsh qemu-x86_64 racket rbash rc readarray redis-cli rlwrap R Rscript rsh
  run-one run-parts runcon runghc runhaskell runuser rvim sbcl scala schroot scp screen script select setarch setpriv
  setuidgid sftp sg shopt socat softlimit sqlite3 ssh ssh-agent sshpass start-stop-daemon strace su sudoedit suspend
  systemd-inhibit systemd-run taskset tclsh tcsh telnet tini tmux toybox trap trickle typeset unalias unbuffer unshare
  valgrind vi view vim vimdiff vipe watch watchexec wine wish x-terminal-emulator xdg-open xonsh xterm xvfb-run yash
  zellij zsh`,
);

/** Shells whose scripts are understood. Others, such as zsh, give the same text another meaning. */
export const SHELLS = wordSet("ash bash dash sh");

/** The dynamic loader, which runs the program that is its argument. */
export const LOADER = /^ld(?:-linux|-musl)?[-.\w]*\.so/;

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
  hexdump hostname iconv id jobs join jq kill last locale logname look ls lsblk lscpu lsof md5sum mkdir mkfifo
  mktemp nl nm nproc numfmt objdump od paste pathchk pgrep pidof pkill pr printenv printf ps pstree pwd readelf readlink
  realpath rev rm rmdir seq sha1sum sha256sum sha512sum shasum shred size sleep stat strings sum sync tac tail test
  touch tr tree true truncate tsort tty type ulimit umask uname unexpand uniq uptime users w wait wc whatis whereis
  which who whoami yes yq zcat zgrep less more :`,
);

/** Programs that use their input as data only. Any other program may be a shell under a name that nobody here knows. */
export const INPUT_READERS = wordSet(
  `ack ag bat batcat black brotli bzip2 c++ cc clang clang++ clang-format clip cpio curl delta diff3 fd fdfind g++ gcc gh glab gofmt gpg gunzip gzip helm isort jest jq kubectl lz4 openssl pandoc patch
  pbcopy pino-pretty prettier pygmentize pytest rg rsync ruff rustfmt sdiff shfmt sort split sponge tar tee terraform tsc vitest wget wl-copy xclip xmllint xsel
  xz zip zstd`,
);

/** Programs that read the files which they are given, and run none of them. */
export const COMMAND_READERS = wordSet(
  `aws az bat batcat biome black brotli bzip2 clang-format codespell cppcheck cspell ctags curl delta docker dprint eslint fd
  fdfind flake8 gcloud gh glab gofmt goimports hadolint html-validate isort kubectl lz4 markdownlint mypy oxfmt oxlint podman
  prettier pylint pyright rg ruff rustfmt shellcheck shfmt stylelint tsc typos vale wget xmllint yamllint`,
);

/** Options with which a program of otherwise harmless arguments runs a command. */
export interface RunningOptions {
  /** The names of long options without their dashes. An abbreviation of a name counts too. */
  readonly long?: string;
  /** The letters of short options. */
  readonly short?: string;
  /** Other words. */
  readonly words?: RegExp;
}

const COMPILER: RunningOptions = { words: /^(?:-wrapper|-B|-specs|-fplugin|-fuse-ld|-Xclang|-load|@)/ };

const MAKE: RunningOptions = {
  short: "E",
  long: "eval",
  words: /[$`]|^(?:SHELL\b|\.SHELLFLAGS|MAKEFLAGS|-$|-\w*f-$|--(?:file|makefile)=-$)|^[\w.]+\s*!=/,
};
/** Options of npm and pnpm that name a program or its options. */
const NPM: RunningOptions = {
  long: "script-shell shell node-options git editor browser viewer call init-module userconfig globalconfig",
};

export const RUNNING_OPTIONS: Readonly<Record<string, RunningOptions>> = {
  ag: { long: "pager" },
  ack: { long: "pager ackrc env" },
  bat: { long: "pager diff" },
  batcat: { long: "pager diff" },
  fd: { short: "xX", long: "exec exec-batch" },
  fdfind: { short: "xX", long: "exec exec-batch" },
  gcc: COMPILER,
  "g++": COMPILER,
  clang: COMPILER,
  "clang++": COMPILER,
  cc: COMPILER,
  "c++": COMPILER,
  install: { long: "strip-program" },
  make: MAKE,
  gmake: MAKE,
  rg: { long: "pre hostname-bin" },
  rsync: { short: "e", long: "rsh rsync-path" },
  diff3: { long: "diff-program" },
  sdiff: { long: "diff-program" },
  sort: { long: "compress-program" },
  split: { long: "filter" },
  tar: {
    short: "IF",
    long: "to-command checkpoint-action use-compress-program info-script new-volume-script rsh-command rmt-command",
    words: /^[A-Za-z]*[IF][A-Za-z]*$/,
  },
  wget: { short: "e", long: "use-askpass execute" },
  curl: { short: "K", long: "config" },
  zip: { short: "T", long: "test unzip-command" },
  less: { short: "kT", long: "lesskey-file lesskey-src lesskey-content tag-file", words: /^\+/ },
  cargo: { long: "config", words: /^\+/ },
  go: { words: /^--?(?:exec|toolexec|vettool)|-extld|^-w$/ },
  npm: NPM,
  pnpm: NPM,
  rustc: { words: /linker|^@/ },
  rake: { short: "epE", long: "execute" },
  rollup: { short: "p", long: "plugin" },
  bazel: { words: /^--run_under/ },
  bazelisk: { words: /^--run_under/ },
  composer: { words: /^(?:exec|run-script|config)$/ },
  gem: { words: /^exec$/ },
  sbt: { words: /!|\beval\b|\bset\b|\bconsole/ },
  cmake: { words: /^-[PE]$/ },
  ctest: { words: /^(?:--build-and-test|-S|--script|-SP)$/ },
  gh: { words: /^(?:alias|extension|config)$/ },
  glab: { words: /^(?:alias|config)$/ },
  hg: { long: "config" },
  svn: { long: "editor-cmd diff-cmd diff3-cmd config-option config-dir" },
  mvn: { words: /^exec:|^-Dexec\./ },
  java: { words: /^-XX:On|^-javaagent|^-agent|^@/ },
  tsx: { short: "epr", long: "eval print import require" },
  "ts-node": { short: "epr", long: "eval print require" },
  rails: { words: /^(?:runner|r|console|c|dbconsole)$/ },
  mix: { words: /^(?:cmd|do|eval|run)$/ },
  gpg: { long: "photo-viewer exec-path agent-program" },
  pandoc: { short: "FL", long: "filter lua-filter pdf-engine" },
  cpio: { long: "rsh-command" },
  helm: { long: "post-renderer", words: /^plugin$/ },
  brew: { words: /^(?:sh|ruby|irb)$/ },
  tox: { words: /^(?:exec|e)$/ },
  pip: { long: "editor" },
  pip3: { long: "editor" },
};

/** Tests for an option that runs a command. Programs of GNU accept any abbreviation of a long option. */
export function isRunningOption(text: string, { long = "", short = "", words }: RunningOptions): boolean {
  if (words?.test(text) === true) return true;
  const [name = ""] = text.slice(2).split("=", 1);
  if (text.startsWith("--"))
    return name !== "" && long.split(" ").some((one) => one !== "" && one.startsWith(name));
  return /^-[A-Za-z]/.test(text) && short !== "" && new RegExp(`^-[A-Za-z0-9]*[${short}]`).test(text);
}

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

/**
 * Tools that run none of their arguments as a command. What follows a colon are the subcommands for which that holds.
 * Any other program may be one that nobody here knows.
 */
const TOOLS: ReadonlyMap<string, ReadonlySet<string> | undefined> = new Map(
  `ansible-lint;astro;autoflake;ava;bandit;biome;black;brotli;bzip2;checkov;clang-format;clang-tidy;codespell;
  cpplint;cppcheck;csslint;cspell;ctags;cypress;cz;dart;delta;depcheck;detekt;dprint;esbuild;eslint;
  flake8;flutter;gcc;g++;clang;clang++;cc;c++;gofmt;goimports;golangci-lint;gpg;gunzip;gzip;hadolint;html-validate;hugo;
  isort;java;javac;javadoc;jar;jasmine;jest;karma;knip;kotlinc;ktlint;lz4;madge;markdownlint;mix;mkdocs;mocha;mypy;ng;
  next;nuxt;openssl;oxfmt;oxlint;pandoc;patch;phpcs;phpcbf;phpstan;phpunit;playwright;prettier;prisma;protoc;psalm;publint;
  pylint;pyright;pytest;py.test;rails;rdoc;remix;rg;rollup;rspec;rsync;rubocop;ruff;rustc;rustfmt;shellcheck;shfmt;spectral;
  sphinx-build;standard;stylelint;svelte-check;swc;swift;swiftc;swiftlint;tap;tailwindcss;terraform;tflint;tofu;ts-node;
  tsc;tsd;tslint;tsup;tsx;twine;typedoc;typos;unzip;uglifyjs;vale;vite;vitest;vue-tsc;vulture;wasm-pack;webpack;
  wrangler;xmllint;xo;xz;yamllint;zip;zstd;7z;ack;ag;bat;batcat;ninja;sdiff;sort;split;csplit;shuf;tar;install;wget;curl;make;
  gmake;cmake;ctest;cpio;cp;mv;ln;dd;tee;rm;fd;fdfind;bazel;bazelisk;pip;pip3;tox;nox;brew;gem;rake;ant;sbt;
  mvn;mvnw;gradle;gradlew;composer;helm;gcloud;aws;az;gh;glab;heroku;vercel;netlify;fly;pulumi;sam;
  pbcopy;pbpaste;clip;xclip;xsel;wl-copy;wl-paste;pino-pretty;pygmentize;sponge;colordiff;wdiff;dos2unix;unix2dos;
  ldd;svn;hg;ping;dig;host;nslookup;ifconfig;netstat;ss;systemctl;journalctl;service;dmesg;vmstat;iostat;
  nvidia-smi;top;htop;cloc;tokei;scc;gitleaks;semgrep;trivy;snyk;pre-commit;ffmpeg;ffprobe;xcodebuild;
  cargo:add b bench build c check clean clippy d doc fetch fmt fix generate-lockfile info init install locate-project login
  metadata new nextest owner package pkgid publish r remove report run rustc rustdoc search t test tree uninstall update vendor
  verify-project version yank audit deny llvm-cov machete outdated;
  go:bug build clean doc env fix fmt get install list mod run test version vet work;
  dotnet:add build clean format list new nuget pack publish remove restore run sln store test tool workload;
  docker:build buildx cp diff events history image images info inspect kill load login logout logs network port ps pull push rename
  restart rmi rm save search stats stop system tag top version volume wait;
  podman:build cp diff images info inspect kill load login logout logs network port ps pull push restart rmi rm save stop tag top
  version volume;
  kubectl:annotate api-resources apply auth cluster-info cordon create delete describe drain explain expose get label logs
  patch port-forward rollout scale set top uncordon version wait;
  deno:bench cache check compile doc fmt info lint test upgrade;
  bun:add build install outdated pm remove test update upgrade;
  yarn:add audit build cache info init install lint list outdated pack publish remove start test unlink up upgrade
  version versions why workspaces;
  pnpm:add audit build import init install lint list ls outdated pack prune publish rebuild remove run start store test unlink
  update up why -r -w --filter;
  npm:access adduser audit bugs bundle cache ci completion deprecate diff dist-tag docs doctor find-dupes fund help i
  install install-ci-test install-test link ll login logout ls org outdated owner pack ping prefix profile prune publish query
  rebuild repo restart root run run-script search shrinkwrap star start stop t team test token tst uninstall unpublish update
  version view whoami;
  lerna:bootstrap changed clean diff info init list publish run version;volta:install list pin;
  nx:affected build format graph lint list reset run run-many show test;turbo:build daemon lint ls prune run test;
  uv:add build cache export init lock pip publish python remove self sync tree venv version;
  poetry:add build cache check env export init install list lock publish remove search self show update version;
  pdm:add build install list lock remove show sync update;hatch:build env fmt test version;rye:add build fmt lint sync test;
  conda:activate clean create deactivate env info init install list remove search update;
  bundle:add check clean install list lock outdated show update;
  meson:compile configure setup test;mise:install ls use trust;asdf:current install list plugin`
    .split(";")
    .map((one) => one.trim().split(":"))
    .map(([name = "", subcommands]) => [
      name,
      subcommands === undefined ? undefined : wordSet(subcommands.trim()),
    ]),
);

/** Checks whether a program runs everything that its arguments name, one after another. */
export function takesGoals(name: string): boolean {
  return /^(?:g?make|ninja|rake|ant|just|invoke|gulp|grunt|gradlew?|mvnw?|sbt|lein|xcodebuild)$/.test(name);
}

/** Checks whether a program is listed, with whatever subcommands. */
export function isTool(name: string): boolean {
  return TOOLS.has(name);
}

/** Checks whether a program is known to run none of these arguments as a command. */
export function isKnownTool(name: string, first: string | undefined): boolean {
  if (!TOOLS.has(name)) return false;
  const subcommands = TOOLS.get(name);
  return (
    subcommands === undefined ||
    first === undefined ||
    subcommands.has(first) ||
    /^-{1,2}(?:version|help|[vVh])$/.test(first)
  );
}

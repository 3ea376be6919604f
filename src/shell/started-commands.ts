import { basename } from "node:path";
import { readCommandLine } from "./command-line.ts";
import type { Word } from "./scanner.ts";

/**
 * Programs that run the command after their own options, such as `timeout`. For each: the options that take a value,
 * and how many operands precede the command.
 */
const WRAPPERS: Readonly<Record<string, { readonly values: string; readonly operands?: number }>> = {
  builtin: { values: "" },
  chroot: { values: "", operands: 1 },
  chrt: { values: "-T -P -D", operands: 1 },
  command: { values: "" },
  coproc: { values: "" },
  doas: { values: "-u -C -a" },
  env: { values: "-u -C --unset --chdir" },
  exec: { values: "-a" },
  flock: { values: "-w -E --timeout --conflict-exit-code", operands: 1 },
  ionice: { values: "-c -n -p --class --classdata" },
  ltrace: { values: "-a -e -o -n -p -s -u -x -A -D -F -l" },
  nice: { values: "-n --adjustment" },
  nohup: { values: "" },
  setsid: { values: "" },
  stdbuf: { values: "-i -o -e --input --output --error" },
  strace: { values: "-a -b -e -E -I -o -O -p -P -s -S -u -U -X" },
  sudo: {
    values:
      "-a -c -C -D -g -h -p -r -R -t -T -u -U --user --group --host --prompt --chdir --chroot --role --type --close-from --command-timeout --other-user",
  },
  taskset: { values: "", operands: 1 },
  time: { values: "-f -o --format --output" },
  timeout: { values: "-s -k --signal --kill-after", operands: 1 },
  xargs: {
    values:
      "-a -d -E -I -L -n -P -s --arg-file --delimiter --max-args --max-procs --max-chars --process-slot-var",
  },
};
/** Programs, or subcommands of programs, whose purpose is to run another program by its name. */
const RUNNERS: ReadonlySet<string> = new Set(
  [
    "bunx,busybox,cross-env,npx,pnpx,toybox,uvx,npm exec,npm x,pnpm exec,pnpm dlx,yarn exec,yarn dlx,bun x",
    "bundle exec,conda run,mise exec,pdm run,pipenv run,poetry run,uv run",
  ].flatMap((names) => names.split(",")),
);
const SHELLS: ReadonlySet<string> = new Set("ash bash cmd dash fish ksh powershell pwsh sh zsh".split(" "));
/** The option in which each of these programs takes a shell script as its value. */
const SCRIPT_OPTION: Readonly<Record<string, RegExp>> = {
  env: /^(?:-\w*S|--split-string)$/,
  flock: /^(?:-c|--command)$/,
  npx: /^(?:-c|--call)$/,
  script: /^(?:-\w*c|--command)$/,
  su: /^(?:-\w*c|--command)$/,
};
/** Keywords after which a command follows, and keywords such as `for` or `case`, whose words are not a command. */
const KEYWORDS: ReadonlySet<string> = new Set("! do elif else if then until while {".split(" "));
const NON_COMMAND_KEYWORDS: ReadonlySet<string> = new Set("case done esac fi for select }".split(" "));
/** The most wrappers such as `env` around a command; a command inside more counts as opaque. */
const MAX_DEPTH = 6;

/**
 * Lists a simple command and all commands that it starts, such as the one after `timeout 60`, as far as they can be
 * seen. Each is the words from the program's name on.
 */
export function startedCommands(words: readonly Word[], depth = 0): (readonly Word[])[] {
  const own = withoutKeywords(words);
  const begin = own.findIndex((word) => !isAssignment(word.text));
  const [first, ...rest] = begin < 0 ? [] : own.slice(begin);
  if (first === undefined) return [];
  const program = basename(first.text).replace(/\.(?:exe|cmd|bat)$/i, "");
  const command = [{ ...first, text: program }, ...rest];
  return depth >= MAX_DEPTH ? [command] : [command, ...innerCommands(program, rest, depth + 1)];
}

/** Strips keywords, assignments and wrappers such as `timeout 60` or `env` from a command. */
export function unwrappedCommand(words: readonly Word[]): readonly Word[] {
  let rest = withoutKeywords(words);
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    const begin = rest.findIndex((word) => !isAssignment(word.text));
    if (begin < 0) return [];
    rest = rest.slice(begin);
    const [program, ...behind] = rest;
    const wrapper = program === undefined ? undefined : WRAPPERS[basename(program.text)];
    const inner = wrapper === undefined ? [] : stripWrapper(behind, wrapper);
    if (inner.length === 0 || /^-\w*v/i.test(behind[0]?.text ?? "")) return rest;
    rest = inner;
  }
  return rest;
}

function withoutKeywords(words: readonly Word[]): readonly Word[] {
  const [first, second, third] = words.map((word) => word.text);
  // In `for name do`, without a list of values, the command follows on the same line.
  if ((first === "for" || first === "select") && third === "do") return withoutKeywords(words.slice(3));
  if (first === undefined || NON_COMMAND_KEYWORDS.has(first)) return [];
  if (first === "function") return withoutKeywords(words.slice(2));
  if (first === "coproc" && third === "{") return withoutKeywords(words.slice(3));
  if (second === "{" && first === "coproc") return withoutKeywords(words.slice(2));
  return KEYWORDS.has(first) ? withoutKeywords(words.slice(1)) : words;
}

function innerCommands(program: string, words: readonly Word[], depth: number): (readonly Word[])[] {
  const scripts = scriptsOf(program, words).flatMap((script) => scriptCommands(script, depth));
  const wrapper = WRAPPERS[program];
  if (wrapper !== undefined && !(program === "command" && /^-\w*v/i.test(words[0]?.text ?? "")))
    return [...scripts, ...startedCommands(stripWrapper(words, wrapper), depth)];
  if (program === "find")
    return [...scripts, ...findExecCommands(words).flatMap((inner) => startedCommands(inner, depth))];
  return [...scripts, ...runnerCommands(program, words, depth)];
}

/** The words after the options and operands of a wrapper such as `timeout`. */
function stripWrapper(
  words: readonly Word[],
  { values, operands = 0 }: NonNullable<(typeof WRAPPERS)[string]>,
): readonly Word[] {
  const valued = values.split(" ");
  let at = 0;
  for (; at < words.length; at++) {
    const text = words[at]?.text ?? "";
    if (isAssignment(text)) continue;
    if (!text.startsWith("-") || text === "-") break;
    if (text === "--") {
      at++;
      break;
    }
    // In combined short options the last letter may take a value, as in `-nu root`.
    if (valued.includes(text) || (/^-\w{2,}$/.test(text) && valued.includes(`-${text.slice(-1)}`))) at++;
  }
  return words.slice(at + operands);
}

/** The commands that `find` runs for the files it finds (`-exec`, `-ok`). */
export function findExecCommands(words: readonly Word[]): (readonly Word[])[] {
  return words.flatMap((word, i) => {
    if (!/^-(?:exec|ok)(?:dir)?$/.test(word.text)) return [];
    const rest = words.slice(i + 1);
    const end = rest.findIndex(({ text }) => text === ";" || text === "+");
    return [end < 0 ? rest : rest.slice(0, end)];
  });
}

/**
 * The commands that a runner such as `npx` may start. It is unknown which of its options take a value, so each word
 * that could be the program counts.
 */
function runnerCommands(program: string, words: readonly Word[], depth: number): (readonly Word[])[] {
  const bySub = RUNNERS.has(`${program} ${words[0]?.text ?? ""}`);
  if (!bySub && !RUNNERS.has(program)) return [];
  const rest = bySub ? words.slice(1) : words;
  const starts = new Set<number>();
  const reached = [0];
  for (const at of reached) {
    const text = rest[at]?.text;
    if (text === undefined || reached.length > 50) continue;
    if (!text.startsWith("-") && !isAssignment(text)) starts.add(at);
    else reached.push(at + 1, ...(text.startsWith("-") && !/=|^--no-|^--$/.test(text) ? [at + 2] : []));
  }
  return [...starts].flatMap((at) => startedCommands(rest.slice(at), depth));
}

/** Finds the shell scripts among the arguments of a program, such as the one after `bash -c`. */
export function scriptsOf(program: string, words: readonly Word[]): Word[] {
  if (program === "trap") return words.slice(0, 1);
  if (program === "watch") {
    const inner = stripWrapper(words, { values: "-n -q --interval" });
    return inner.length === 0 ? [] : [joinWords(inner)];
  }
  const option = SHELLS.has(program) ? /^-\w*c\w*$|^\/[ck]$/i : SCRIPT_OPTION[program];
  const flag = option === undefined ? -1 : words.findIndex((word) => option.test(word.text));
  const script = flag < 0 ? undefined : words.slice(flag + 1).find((word) => !word.text.startsWith("-"));
  return script === undefined ? [] : [script];
}

function joinWords(words: readonly Word[]): Word {
  return { text: words.map((word) => word.text).join(" "), expands: words.some((word) => word.expands) };
}

function scriptCommands(script: Word, depth: number): (readonly Word[])[] {
  if (script.expands) return [];
  try {
    return readCommandLine(script.text).commands.flatMap((inner) => startedCommands(inner, depth));
  } catch {
    // The script has an unclosed quote, so it is unknown what the shell would run.
    return [];
  }
}

function isAssignment(text: string): boolean {
  return /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/.test(text);
}

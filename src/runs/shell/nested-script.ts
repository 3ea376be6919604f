import { basename } from "node:path";
import type { Word } from "../../shell/scanner.ts";
import { scriptsOf, unwrappedCommand } from "../../shell/started-commands.ts";

const SHELLS: ReadonlySet<string> = new Set(["ash", "bash", "dash", "ksh", "sh", "zsh"]);
/**
 * Shells that behave as POSIX requires and can be recorded. The others cannot: zsh duplicates output that is redirected
 * twice, and the pipes of ksh are sockets.
 */
const PLAIN_SHELLS: ReadonlySet<string> = new Set(["ash", "bash", "dash", "sh"]);
/** Programs that start another command once and leave every open file descriptor to it. */
const TRANSPARENT: ReadonlySet<string> = new Set(
  "chrt command env ionice nice nohup setsid stdbuf taskset time timeout".split(" "),
);

/** A script in the arguments of a shell, such as the text after `bash -c`. */
export interface NestedScript {
  /** The index of the script among the words of the command. */
  readonly index: number;
  /** True if the shell was started with `-e`. */
  readonly errexit: boolean;
  /** True if the shell follows POSIX and prints no text of its own, as it would with `-x`. */
  readonly isPlain: boolean;
}

/**
 * Finds the script that a command such as `bash -c "…"` or `timeout 60 sh -c "…"` runs; undefined for other commands.
 */
export function nestedScript(words: readonly Word[]): NestedScript | undefined {
  const command = unwrappedCommand(words);
  const start = words.length - command.length;
  const before = words.slice(0, start).filter(({ text }) => /^[a-z]/.test(text) && !text.includes("="));
  if (!before.every(({ text }, i) => i > 0 || TRANSPARENT.has(basename(text)))) return undefined;
  if (before.some(({ text }) => /^(?:sudo|doas|su|chroot|xargs)$/.test(basename(text)))) return undefined;
  const [shell, ...rest] = command;
  if (shell === undefined || shell.expands || !SHELLS.has(basename(shell.text))) return undefined;
  const found = scriptOption(rest);
  if (found === undefined) return undefined;
  const isPlain = PLAIN_SHELLS.has(basename(shell.text)) && !/[xvnir]/.test(found.flags);
  return { index: start + 1 + found.index, errexit: found.flags.includes("e"), isPlain };
}

/**
 * Finds shell scripts anywhere among the words of a command, as in `docker exec box sh -c "…"` or `xargs sh -c "…"`.
 */
export function findScripts(words: readonly Word[]): readonly Word[] {
  const [program, ...rest] = unwrappedCommand(words);
  const name = basename(program?.text ?? "");
  if (name === "ssh") return rest.slice(1);
  const scripts = words.flatMap(({ text }, i) => {
    if (!SHELLS.has(basename(text))) return [];
    const behind = words.slice(i + 1);
    const script = behind[scriptOption(behind)?.index ?? -1];
    return script === undefined ? [] : [script];
  });
  return SHELLS.has(name) ? scripts : [...scripts, ...scriptsOf(name, rest)];
}

function scriptOption(
  words: readonly Word[],
): { readonly index: number; readonly flags: string } | undefined {
  let flags = "";
  for (let i = 0; i < words.length; i++) {
    const text = words[i]?.text ?? "";
    if (!/^-\w+$/.test(text)) return undefined;
    flags += text;
    if (text.endsWith("o")) i++;
    if (text.includes("c")) return { index: i + 1, flags };
  }
  return undefined;
}

import { PithError } from "../kernel/errors.ts";
import type { Command, CommandEntry, Option } from "./command.ts";

const WRITERS: Readonly<Record<string, (verbs: readonly Verb[]) => readonly string[]>> = {
  bash: bashLines,
  zsh: zshLines,
  fish: fishLines,
};

interface Verb {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly (readonly [string, Option])[];
}

/** Creates the command that writes shell completions for all commands of a table. */
export function completionOf(commands: Readonly<Record<string, CommandEntry>>): Command {
  return {
    name: "completion",
    summary: "Write completions for a shell",
    usage: "bash|zsh|fish",
    details: "Completes commands, their options and file names.",
    options: {},
    examples: [
      "echo 'source <(pith completion bash)' >> ~/.bashrc",
      "echo 'source <(pith completion zsh)' >> ~/.zshrc   # after compinit",
      "pith completion fish > ~/.config/fish/completions/pith.fish",
    ],
    async run({ io, positionals }) {
      const [shell = "", ...others] = positionals;
      const write = Object.hasOwn(WRITERS, shell) ? WRITERS[shell] : undefined;
      if (write === undefined || others.length > 0)
        throw new PithError(
          "invalid_input",
          `completion: name one shell, ${Object.keys(WRITERS).join(", ")}`,
        );
      io.out(`${write(await readVerbs(commands)).join("\n")}\n`);
      return 0;
    },
  };
}

async function readVerbs(commands: Readonly<Record<string, CommandEntry>>): Promise<readonly Verb[]> {
  const verbs: Verb[] = [];
  for (const [name, entry] of Object.entries(commands))
    verbs.push({ name, summary: entry.summary, options: Object.entries((await entry.load()).options) });
  return [...verbs, { name: "help", summary: "Show one command with examples", options: [] }];
}

function bashLines(verbs: readonly Verb[]): readonly string[] {
  const words = (all: readonly string[]): string => `COMPREPLY=($(compgen -W "${all.join(" ")}" -- "$cur"))`;
  const names = verbs.map(({ name }) => name);
  return [
    "_pith() {",
    // Where this Bash function leaves COMPREPLY empty, `complete -o default` completes file names.
    "  local cur=${COMP_WORDS[COMP_CWORD]}",
    "  COMPREPLY=()",
    `  if [ "$COMP_CWORD" -eq 1 ]; then ${words(names)}; return; fi`,
    `  if [ "\${COMP_WORDS[1]}" = help ]; then ${words(names)}; return; fi`,
    "  case $cur in -*) ;; *) return ;; esac",
    "  case ${COMP_WORDS[1]} in",
    ...verbs
      .filter(({ options }) => options.length > 0)
      .map(({ name, options }) => `    ${name}) ${words(options.map(([option]) => `--${option}`))} ;;`),
    "  esac",
    "}",
    "complete -o default -F _pith pith",
  ];
}

function zshLines(verbs: readonly Verb[]): readonly string[] {
  const row = (name: string, about: string): string =>
    quoted(`${name.replaceAll(":", String.raw`\:`)}:${about}`);
  return [
    "#compdef pith",
    "_pith() {",
    "  local -a verbs options",
    `  verbs=(${verbs.map(({ name, summary }) => row(name, summary)).join(" ")})`,
    "  if (( CURRENT == 2 )) || [[ $words[2] == help ]]; then _describe verb verbs; return; fi",
    "  case $words[2] in",
    ...verbs
      .filter(({ options }) => options.length > 0)
      .map(
        ({ name, options }) =>
          `    ${name}) options=(${options.map(([option, { about }]) => row(`--${option}`, about)).join(" ")}) ;;`,
      ),
    "  esac",
    "  if [[ $PREFIX == -* ]]; then _describe option options; else _files; fi",
    "}",
    "compdef _pith pith",
  ];
}

function fishLines(verbs: readonly Verb[]): readonly string[] {
  return [
    "complete -c pith -n __fish_use_subcommand -f",
    ...verbs.flatMap(({ name, summary, options }) => [
      `complete -c pith -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
      ...options.map(([option, { about, short, type }]) =>
        [
          `complete -c pith -n '__fish_seen_subcommand_from ${name}' -l ${option}`,
          ...[short ?? []].flat().map((letter) => `-s ${letter}`),
          ...(type === "string" ? ["-r"] : []),
          `-d ${quoted(about)}`,
        ].join(" "),
      ),
    ]),
  ];
}

/** Wraps text in single quotes, which all three shells read the same way except for the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "’")}'`;
}

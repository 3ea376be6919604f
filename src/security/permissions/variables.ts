/**
 * Environment variables that change which program a name means or what a shell does, so that a command is not what it
 * looks like.
 */
const DECIDES_WHAT_RUNS =
  /^(?:PATH|ENV|BASH_ENV|BASH_FUNC_.*|BASH_XTRACEFD|BASHOPTS|SHELLOPTS|SHELL|IFS|PS4|PROMPT_COMMAND|CDPATH|GLOBIGNORE|EXECIGNORE|HOME|ZDOTDIR|(?:LD|DYLD)_\w+|npm_config_\w+|PITH_\w+|XDG_(?:CONFIG|DATA)_HOME|COMSPEC|PATHEXT)$/i;
/** Variables whose value a program runs as a command. */
const HOLDS_COMMAND =
  /^(?:EDITOR|VISUAL|PAGER|BROWSER|LESSOPEN|LESSCLOSE|MAKEFLAGS|MAKEFILES|GNUMAKEFLAGS|MFLAGS|PERL5(?:OPT|DB)|GIT_\w+|\w+_(?:PAGER|EDITOR|ASKPASS|WRAPPER|COMMAND|CMD|SHELL|RSH)|CVS_RSH|RSYNC_RSH|TAR_OPTIONS|GOFLAGS|MANOPT|MORE|LESS)$/i;
/** Variables of git that only name somebody or something. */
const GIT_DATA =
  /^GIT_(?:(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)|TERMINAL_PROMPT|DIR|WORK_TREE|INDEX_FILE|OPTIONAL_LOCKS)$/;
const HARMLESS_COMMANDS: ReadonlySet<string> = new Set(["", ":", "true", "cat", "less", "more", "0", "1"]);
/** Variables with options of an interpreter, which can make it load other code. */
const LOADS_CODE =
  /^(?:NODE_OPTIONS|NODE_PATH|PERL5\w+|PERLLIB|PYTHON\w+|RUBY(?:OPT|LIB)|(?:_JAVA|JAVA_TOOL|JDK_JAVA)_OPTIONS|CLASSPATH|GEM_\w+|BUNDLE_\w+|LUA_\w+|PHPRC|PHP_INI_SCAN_DIR)$/i;

/**
 * Says why a variable that a command line or a caller sets hides what runs; undefined if it does not. Code that a
 * program loads counts only if `isAllowOnly`, since a rule that forbids a command does not see into programs.
 */
export function hiddenByVariable(
  name: string,
  value: { readonly text: string; readonly expands: boolean },
  isAllowOnly: boolean,
): string | undefined {
  if (!/^[A-Za-z_]\w*$/.test(name)) return `the variable name ${JSON.stringify(name)}`;
  if (DECIDES_WHAT_RUNS.test(name)) return `the variable ${name}, which decides what runs`;
  if (
    HOLDS_COMMAND.test(name) &&
    !GIT_DATA.test(name) &&
    (value.expands || !HARMLESS_COMMANDS.has(value.text))
  )
    return `the variable ${name}, which programs run as a command`;
  // A value that is only known when the command runs may name any program; one that is known is compared with the rules.
  if (value.expands && NAMES_PROGRAM.test(name)) return `the variable ${name}, which names a program`;
  // A program that reads a file which a variable names would read what the line gives it.
  if (/^\/(?:dev|proc)\/(?!null$|tty$|u?random$|zero$)/.test(value.text))
    return `${value.text} in the variable ${name}`;
  if (isAllowOnly && LOADS_CODE.test(name)) return `the variable ${name}, which makes programs load code`;
  if (/`|\$\(|\$\{/.test(value.text) && !value.expands) return `shell code in the variable ${name}`;
  return undefined;
}

/** Variables whose value programs run, as make runs that of CC. */
const NAMES_PROGRAM =
  /^(?:\w+_)?(?:AR|AS|CARGO|CC|CPP|CXX|FC|LAUNCHER|LD|LINKER|MAKE|NODE|PYTHON|RUNNER|RUSTC|RUSTDOC|SSH)$/i;

/** Variables whose name says that their value is data, so that it may be known only when the command runs. */
const DATA_NAME =
  /^(?:\w+_)?(?:BRANCH|BUILD|CI|COLOR|COLUMNS|COMMIT|COUNT|DATABASE|DATE|DEBUG|DIR|ENV|FILE|FILES|HASH|HOST|ID|JOBS|KEY|LANG|LEVEL|LIMIT|LINES|MODE|NAME|NUMBER|OUT|OUTPUT|PASSWORD|PORT|PROJECT|REF|REGION|RELEASE|REVISION|ROOT|SEED|SHA|STAGE|TAG|TARGET|TERM|TIME|TIMEOUT|TIMESTAMP|TOKEN|TYPE|TZ|URI|URL|USER|USERNAME|VERSION)$/i;

/** Checks whether the value of a variable is only data, whatever it is. */
export function isDataVariable(name: string): boolean {
  return DATA_NAME.test(name);
}

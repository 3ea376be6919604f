/**
 * `node.exe : FAIL a.test.ts`: how PowerShell shows the first line that a program wrote to stderr. Only programs that start others:
 * Microsoft's linker prints `app.exe : fatal error` itself.
 */
const FIRST =
  /^(?:node|cmd|npm|npx|pnpm|yarn|bun|deno|python|py|cargo|rustc|go|dotnet|java|javac|mvn|gradle|git|ruby|php)(?:\.(?:exe|cmd|bat|ps1))? : (?=\S|$)/;
const AT = /^At (?:line:\d+|\S.*:\d+) char:\d+|^At \S/;
const END = /FullyQualifiedErrorId|^ *\+? *(?:or|r|ndError|mmandError) *$/;
/** A record has no more lines than this, however narrow the console was. */
const MAX_RECORD = 20;

/**
 * Takes PowerShell's error record out of a program's output: it makes one of the first line on stderr, with the command and
 * its own names below, and the program's next lines follow.
 */
export class PowerShellRecord {
  #state: "none" | "first" | "inside" = "none";
  #lines = 0;

  /** The line without what PowerShell put before it, or undefined where the line is PowerShell's own. */
  take(text: string): string | undefined {
    if (this.#state !== "none" && this.#own(text)) return undefined;
    const first = FIRST.exec(text);
    this.#state = first === null ? "none" : "first";
    return first === null ? text : text.slice(first[0].length);
  }

  #own(text: string): boolean {
    if (this.#state === "first") {
      if (!AT.test(text)) return false;
      this.#state = "inside";
      this.#lines = 0;
    }
    this.#lines++;
    if (END.test(text) || this.#lines > MAX_RECORD) this.#state = "none";
    return true;
  }
}

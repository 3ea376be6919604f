import type { ScriptLine } from "../../model/run.ts";

/** Matches `> shop@1.0.0 test`, and `> test` for a package without a name. */
const ANNOUNCED = /^> (?:@?[\w./-]{1,200}@\d[\w.+-]{0,60} )?([\w:.-]{1,80})(?: \/\S.*)?$/;
const MAX_SCRIPTS = 100;
const MAX_LINE = 2_000;

/** Collects the scripts that npm and pnpm announce: the name on one line, the command line on the next. */
export class ScriptLines {
  readonly found: ScriptLine[] = [];
  #name: string | undefined;

  observe(text: string): void {
    const name = this.#name;
    this.#name = undefined;
    if (!text.startsWith("> ") || text.length > MAX_LINE) return;
    if (name !== undefined && this.found.length < MAX_SCRIPTS) this.found.push({ name, line: text.slice(2) });
    else this.#name = ANNOUNCED.exec(text)?.[1];
  }
}

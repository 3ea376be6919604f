import { drafting } from "../../parsing/draft.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

/** `task_runner::run_failed`: what kind of error follows. */
const CODE = /^(?:Error: )?([a-z][a-z_]{1,60}(?:::[a-z][a-z_]{1,60}){1,4})$/;
const HEAD = /^ {2}× (\S.*)$/;
/** Causes below it, and its further lines. */
const MORE = /^ {2}(?:[╰├]─▶ |│ | {2})(\S.*)$/u;
const HELP = /^ {1,4}help: (.*)$/;
const NOISE = /^▮{4} \S|^Tasks: \d+ |^ Time: \d/;

/** Reads which tasks moon says have failed, and why it could not run at all. */
export function moonParser(sink: Sink): LineParser {
  const drafts = drafting(sink);
  let code: string | undefined;

  return {
    take({ text }: Line): boolean {
      const named = CODE.exec(text)?.[1];
      if (named !== undefined) {
        drafts.close();
        code = named;
        return true;
      }
      const head = code === undefined ? undefined : HEAD.exec(text)?.[1];
      if (head !== undefined && code !== undefined) {
        drafts.open({ severity: "error", code }, head);
        code = undefined;
        return true;
      }
      const draft = drafts.current;
      const help = draft === undefined ? undefined : HELP.exec(text)?.[1];
      const more = draft === undefined ? undefined : MORE.exec(text)?.[1];
      if (help !== undefined) draft?.help.push(help);
      else if (more !== undefined) draft?.message.push(more);
      else if (text.trim() !== "") {
        drafts.close();
        code = undefined;
        return NOISE.test(text);
      }
      return help !== undefined || more !== undefined;
    },
    end: () => drafts.close(),
  };
}

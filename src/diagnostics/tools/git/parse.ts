import { drafting } from "../../parsing/draft.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

const FATAL = /^(?:git: )?fatal: (?!\[)(.*)$/;
const ERROR =
  /^error: ((?:failed to push|Your local changes|The following untracked|Untracked working tree|pathspec|src refspec|cannot lock ref|could not apply|could not revert|Pulling is not|Merging is not|Committing is not|Cherry-picking is not|patch failed|.{1,500}: (?:patch does not apply|does not exist in index|already exists in)|RPC failed|remote unpack failed|cannot (?:pull|rebase|spawn|open|stat)|No such remote|update_ref failed|insufficient permission|refusing to|unable to (?:create|unlink|write|index|read|resolve)|invalid object|commit .* is a merge|Entry '.*' (?:not uptodate|would be overwritten)|you need to resolve|branch '.*' not found|the branch '.*' is not fully merged|gpg failed|object file|external filter|bad signature|index file).*)$/;
const CONFLICT = /^CONFLICT \(([\w/ ]{1,60})\): (.*)$/;
const CONFLICT_FILE =
  /(?:Merge conflict in |deleted in .* and modified in .*? of |^)(\S.*?)(?: deleted in | left in tree| renamed | added in |$)/;
const REJECTED = /^ ! \[((?:remote )?rejected)\] +(\S+) -> (\S+) \((.*)\)$/;
const WARNING =
  /^warning: ((?:in the working copy of '|LF will be|CRLF will be|adding embedded git|unable to (?:access|rmdir)|redirecting to|not deleting branch|inexact rename|could not open|refname|You appear to have cloned|remote HEAD refers).*)$/;
const IN_FILE = /working copy of '([^']{1,1000})'|replaced by (?:LF|CRLF) in (\S[^.]*(?:\.\w+)*)\.?$/;
const HINT = /^(?:hint|remote): (.*)$/;
const MORE =
  /^(?:\t\S|Please (?:commit|move|make sure|tell)|Aborting|The following |use "git|and the repository exists|To add an exception|  git |\*\*\* Please)/;

/** Reads what git itself complains of: fatal errors, conflicts, refused pushes. */
export class GitParser implements LineParser {
  readonly #sink: Sink;
  readonly #drafts;

  constructor(sink: Sink) {
    this.#sink = sink;
    this.#drafts = drafting(sink);
  }

  take({ text }: Line): boolean {
    const conflict = text.startsWith("CONFLICT (") ? CONFLICT.exec(text) : null;
    if (conflict !== null) return this.#conflict(conflict);
    const rejected = text.startsWith(" ! [") ? REJECTED.exec(text) : null;
    if (rejected !== null) {
      const [, word = "", from = "", to = "", reason = ""] = rejected;
      this.#drafts.open({ severity: "error", code: word }, `${from} -> ${to} (${reason})`);
      return true;
    }
    const fatal = text.includes("fatal: ") ? FATAL.exec(text)?.[1] : undefined;
    const error = fatal ?? (text.startsWith("error: ") ? ERROR.exec(text)?.[1] : undefined);
    if (error !== undefined) {
      // The refused push is the cause; this line only says so again.
      if (error.startsWith("failed to push some refs") && this.#drafts.current !== undefined) return true;
      this.#drafts.open({ severity: "error" }, error);
      return true;
    }
    const warning = text.startsWith("warning: ") ? WARNING.exec(text)?.[1] : undefined;
    if (warning !== undefined) {
      const at = IN_FILE.exec(warning);
      const file = at?.[1] ?? at?.[2];
      this.#drafts.open({ severity: "warning", ...(file === undefined ? {} : { file }) }, warning);
      return true;
    }
    if (this.#goesOn(text)) return true;
    this.#drafts.close();
    return /^(?:Automatic merge failed; .*|Auto-merging .*)$/.test(text);
  }

  end(): void {
    this.#drafts.close();
  }

  #conflict([, kind = "", rest = ""]: RegExpExecArray): boolean {
    this.#drafts.close();
    const file = CONFLICT_FILE.exec(rest)?.[1];
    this.#sink.diagnostic({
      severity: "error",
      ...(file === undefined ? {} : { file }),
      code: `CONFLICT (${kind})`,
      message: rest,
    });
    return true;
  }

  #goesOn(text: string): boolean {
    const draft = this.#drafts.current;
    if (draft === undefined) return false;
    const hint = HINT.exec(text)?.[1];
    if (hint !== undefined) draft.help.push(hint);
    else if (MORE.test(text)) draft.message.push(text);
    return hint !== undefined || MORE.test(text);
  }
}

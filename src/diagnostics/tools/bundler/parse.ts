import { drafting } from "../../parsing/draft.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

const HEADER =
  /^(?:bundler: (?:command not found|failed to load command|not executable): .*|Could not (?:reach host|locate Gemfile|fetch specs from)\b.*|Could not find (?:gem '.*|\S+(?: \([^)]*\))?,? .*in (?:locally installed gems|any of the sources|cached gems|rubygems repository .*)|compatible versions)|Bundler could not find compatible versions for gem ".*|Your Ruby version is .*, but your Gemfile specified .*|An error occurred while installing .*, and Bundler cannot continue\.?|\[!\] There was an error (?:parsing|while loading) `.*|The (?:gemspec|Gemfile|dependencies in your gemfiles?|bundle) .*|Gem::Ext::BuildError: .*|Network error while fetching .*|There was an error while trying to write to .*|You have already activated .*|Because .* (?:depends on|could not be found) .*)$/;
const UNSURE = /^(?:The (?:gemspec|Gemfile|dependencies|bundle) |Because )/;
const SURE_AFTER =
  /cannot continue|could not be found|deployment|frozen|is not valid|version solving has failed/;
const FROM = /^ #  from (.{1,1000}):(\d{1,9})$/;
const END = /^(?:Using |Fetching |Installing |Bundle complete|Run `bundle install`|Resolving dependencies)/;
/** Solver explanations are longer; what is beyond helps nobody. */
const MAX_LINES = 60;

/** Reads why Bundler could not install or load the gems. */
export class BundlerParser implements LineParser {
  readonly #drafts;

  constructor(sink: Sink) {
    this.#drafts = drafting(sink);
  }

  take({ text }: Line): boolean {
    const current = this.#drafts.current;
    if (current !== undefined && this.#goesOn(text)) return true;
    this.#drafts.close();
    if (!HEADER.test(text) || (UNSURE.test(text) && !SURE_AFTER.test(text))) return false;
    this.#drafts.open({ severity: "error" }, text.replace(/^\[!\] /, ""));
    return true;
  }

  end(): void {
    this.#drafts.close();
  }

  #goesOn(text: string): boolean {
    const draft = this.#drafts.current;
    if (draft === undefined || draft.message.length > MAX_LINES || END.test(text)) {
      if (draft !== undefined && text.startsWith("Run `bundle install`")) {
        draft.help.push(text);
        return true;
      }
      return false;
    }
    const from = FROM.exec(text);
    if (from !== null) {
      draft.found = { ...draft.found, file: from[1] ?? "", line: Number(from[2]) };
      return true;
    }
    if (/^ [#>] {2}/.test(text) || text === ". Bundler cannot continue.") return true;
    const more =
      text.trim() === "" ||
      /^(?:\s|Because |So, |And |and |Make sure that |In (?:Gemfile|snapshot)|Bundler cannot|If you (?:want|are)|Could not find gem|Results logged|The source contains |again\.$|Install missing gem executables)/.test(
        text,
      );
    if (more) draft.message.push(text);
    return more;
  }
}

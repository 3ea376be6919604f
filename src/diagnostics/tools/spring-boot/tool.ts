import { drafting } from "../../parsing/draft.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import { isForeignFrame, javaFrame } from "../../traces/java-trace.ts";

export const springBoot = defineBuildTool({
  id: "spring-boot",
  title: "Spring Boot",
  url: "https://docs.spring.io/spring-boot",
  ecosystem: "java",
  kinds: ["run"],
  signatures: ["APPLICATION FAILED TO START", "Application run failed"],
  priority: 21,
  parser: (sink) => new SpringBootParser(sink),
});

const BANNER = "APPLICATION FAILED TO START";
const RULE = /^\*{5,}$/;
const RUN_FAILED = /\bERROR\b.{0,400}\bApplication run failed$/;
const THROWN = /^(?:Caused by: )?[\w.$]{3,300}(?:Exception|Error)\b(?:: .*)?$/;
const TRACE = /^\s+(?:at |\.\.\. \d+ )/;

/**
 * What is being read: a section of the report about the failed start, or the stack trace below the log line about it.
 */
type Part = "none" | "banner" | "description" | "action" | "trace";

/** Reads why a Spring Boot application did not start. */
class SpringBootParser implements LineParser {
  readonly #drafts;
  #part: Part = "none";

  constructor(sink: Sink) {
    this.#drafts = drafting(sink);
  }

  take({ text }: Line): boolean {
    if (text === BANNER) {
      this.#drafts.open({ severity: "error" });
      this.#part = "banner";
      return true;
    }
    if (RUN_FAILED.test(text)) {
      this.#drafts.open({ severity: "error" }, "Application run failed");
      this.#part = "trace";
      return true;
    }
    if (this.#part !== "none" && this.#continues(text)) return true;
    this.#drafts.close();
    this.#part = "none";
    return false;
  }

  end(): void {
    this.#drafts.close();
  }

  #continues(text: string): boolean {
    const draft = this.#drafts.current;
    if (draft === undefined) return false;
    if (this.#part === "trace") return this.#readTraceLine(text);
    if (text === "Description:") this.#part = "description";
    else if (text === "Action:") this.#part = "action";
    else if (this.#part === "description") draft.message.push(text);
    else if (this.#part === "action" && text.trim() !== "") draft.help.push(text);
    // The action is one paragraph, so a blank line after it ends the report.
    return text.trim() !== "" ? this.#part !== "banner" || RULE.test(text) : draft.help.length === 0;
  }

  #readTraceLine(text: string): boolean {
    const draft = this.#drafts.current;
    if (draft === undefined) return false;
    const frame = TRACE.test(text) ? javaFrame(text) : undefined;
    if (frame?.file !== undefined && draft.found.file === undefined && !isForeignFrame(frame))
      draft.found = {
        ...draft.found,
        file: frame.file,
        ...(frame.line === undefined ? {} : { line: frame.line }),
      };
    if (THROWN.test(text)) draft.message.push(text);
    return frame !== undefined || TRACE.test(text) || THROWN.test(text) || text.trim() === "";
  }
}

import { drafting } from "../../parsing/draft.ts";
import { asObject, asText, parseJson } from "../../parsing/json.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import type { Severity } from "../../../model/diagnostic.ts";

export const ansible = defineBuildTool({
  id: "ansible",
  title: "Ansible",
  url: "https://docs.ansible.com",
  ecosystem: "infra",
  kinds: ["run", "lint"],
  signatures: [
    "PLAY [",
    "TASK [",
    "fatal: [",
    "failed: [",
    "ERROR! ",
    "[WARNING]: ",
    "[ERROR]: ",
    "[DEPRECATION WARNING]: ",
  ],
  priority: 5,
  parser: (sink) => new AnsibleParser(sink),
});

const TASK = /^(?:TASK|RUNNING HANDLER) \[(.{1,500})\] \*+$/;
const FAILED =
  /^(fatal|failed): \[([^\]]{1,300})\](?:: (?:FAILED|UNREACHABLE)!)?(?: \(item=(.{0,300}?)\))? => (.*)$/;
const ERROR = /^(?:ERROR! |\[ERROR\]: )(.*)$/;
const WARNING = /^\[(WARNING|DEPRECATION WARNING)\]: (.*)$/;
const PLACE =
  /^The error appears to (?:be|have been) in '(.{1,1000})': line (\d{1,9}), column (\d{1,9}), but may$/;
const ORIGIN = /^Origin: (.{1,1000}?):(\d{1,9}):(\d{1,9})$/;
const RECAP = /^(?:PLAY RECAP|PLAY \[.*\]) \*+$/;
const NOISE = /^(?:ok|changed|skipping|included|rescued): \[/;

/** Reads ansible-playbook's failed tasks, errors in the playbook itself, and warnings. */
class AnsibleParser implements LineParser {
  readonly #drafts;
  #task = "";
  #part: "none" | "task" | "error" | "warning" = "none";

  constructor(sink: Sink) {
    this.#drafts = drafting(sink);
  }

  take({ text }: Line): boolean {
    const task = TASK.exec(text)?.[1];
    if (task !== undefined || RECAP.test(text)) {
      this.#close();
      this.#task = task ?? "";
      return true;
    }
    const failed = text.startsWith("fa") ? FAILED.exec(text) : null;
    if (failed !== null) return this.#readFailed(failed);
    const error = ERROR.exec(text)?.[1];
    if (error !== undefined) return this.#open("error", "error", error);
    const warning = text.startsWith("[") ? WARNING.exec(text)?.[2] : undefined;
    if (warning !== undefined) return this.#open("warning", "warning", warning);
    if (this.#continues(text)) return true;
    this.#close();
    return NOISE.test(text);
  }

  end(): void {
    this.#close();
  }

  #close(): void {
    this.#drafts.close();
    this.#part = "none";
  }

  #open(part: "error" | "warning", severity: Severity, message: string): boolean {
    this.#drafts.open({ severity }, message);
    this.#part = part;
    return true;
  }

  #readFailed([, , host = "", item, rest = ""]: RegExpExecArray): boolean {
    const result = asObject(parseJson(rest));
    const reported = asText(result?.["msg"]) ?? rest;
    const stderr = asText(result?.["stderr"])?.trim() ?? "";
    const content = reported.split("\n\nThe error appears to ")[0] ?? reported;
    const message = stderr === "" || content.includes(stderr) ? content : `${content}\n${stderr}`;
    const where = item === undefined || item === "" ? host : `${host}, item=${item}`;
    const draft = this.#drafts.open({ severity: "error" }, `${this.#task} [${where}]: ${message}`);
    const place = PLACE.exec(reported.split("\n").find((line) => line.startsWith("The error appears")) ?? "");
    if (place !== null) draft.found = { ...draft.found, ...readPlace(place) };
    this.#part = "task";
    return true;
  }

  #continues(text: string): boolean {
    const draft = this.#drafts.current;
    if (draft === undefined) return false;
    if (this.#part === "task") {
      if (text !== "...ignoring") return false;
      draft.found = { ...draft.found, severity: "info" };
      return true;
    }
    const place = PLACE.exec(text) ?? ORIGIN.exec(text);
    if (place !== null) {
      draft.found = { ...draft.found, ...readPlace(place) };
      return true;
    }
    if (this.#part === "warning") {
      // A warning continues on the next lines, because Ansible wraps it at the terminal's width.
      if (text.trim() === "" || (draft.message[0]?.length ?? 0) < 40) return false;
      draft.message.push(`${draft.message.pop() ?? ""} ${text}`);
      return draft.message.length < 8;
    }
    return text.trim() === "" || draft.found.file !== undefined;
  }
}

function readPlace(match: RegExpExecArray): { file: string; line: number; column: number } {
  return { file: match[1] ?? "", line: Number(match[2]), column: Number(match[3]) };
}

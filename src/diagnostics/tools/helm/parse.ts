import { singleLine } from "../../parsing/single-line.ts";
import type { LineReading } from "../../parsing/single-line.ts";

const HELM =
  /^Error: ((?:INSTALLATION FAILED|UPGRADE FAILED|UNINSTALL|failed to (?:download|parse)|YAML parse error on|template: |parse error at|unable to build kubernetes|chart requires|found in Chart\.yaml|execution error at|values don't meet|cannot re-use a name).*)$/;
const LINT = /^\[(ERROR|WARNING|INFO)\] (\S+): (.*)$/;
const TEMPLATE = /template: (\S+?):(\d+)(?::(\d+))?:/;
const AT = /\((\S+?\.(?:ya?ml|tpl|txt)):(\d+)(?::(\d+))?\)/;
const YAML = /YAML parse error on (\S+?): (?:.{0,200}?yaml: line (\d+))?/;
const KUBECTL =
  /^(?:error: (error (?:validating|parsing|when) .*|unable to (?:recognize|decode) .*|the path .* does not exist|no matches for kind .*|resource mapping not found .*)|(Error from server(?: \(\w+\))?: .*)|(The \w+ ".*" is invalid: .*))$/;
const NAMED_FILE = /"([^"]{1,500}\.(?:ya?ml|json))"|(?:parsing|validating) ([^\s"]{1,500}\.(?:ya?ml|json))/;

/** Reads helm and kubectl. */
export const helmParser = singleLine((text): LineReading => {
  const helm = text.startsWith("Error: ") ? HELM.exec(text)?.[1] : undefined;
  if (helm !== undefined) return { severity: "error", ...helmPlace(helm), message: helm };
  const lint = text.startsWith("[") ? LINT.exec(text) : null;
  if (lint !== null && /^(?:templates\/|Chart\.yaml|values\.yaml|chart)/.test(lint[2] ?? "")) {
    const [, word, file = "", message = ""] = lint;
    const severity = word === "ERROR" ? "error" : word === "WARNING" ? "warning" : "info";
    return { severity, file, ...helmPlace(message), message };
  }
  const kubectl = KUBECTL.exec(text);
  if (kubectl === null) return undefined;
  const message = kubectl[1] ?? kubectl[2] ?? kubectl[3] ?? "";
  const named = NAMED_FILE.exec(message);
  const file = named?.[1] ?? named?.[2];
  return { severity: "error", tool: "kubectl", ...(file === undefined ? {} : { file }), message };
});

function helmPlace(message: string): { file?: string; line?: number; column?: number } {
  const match = TEMPLATE.exec(message) ?? AT.exec(message) ?? YAML.exec(message);
  if (match === null) return {};
  const [, file = "", line, column] = match;
  return {
    file,
    ...(line === undefined ? {} : { line: Number(line) }),
    ...(column === undefined ? {} : { column: Number(column) }),
  };
}

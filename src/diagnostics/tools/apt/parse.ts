import { singleLine } from "../../parsing/single-line.ts";
import type { LineReading } from "../../parsing/single-line.ts";

const ERROR =
  /^E: ((?:Unable to|Package |Couldn't|Could not|Failed to|The (?:repository|package|value|method|list)|Sub-process|Some (?:index )?files|Version |Unmet dependencies|You don't have|Malformed|Type |Invalid |dpkg was|Release file|No packages|Broken packages|Conflicting|Handler |Internal|Command line|Held packages|There (?:is|were)|Write error|Method ).*)$/;
const WARNING =
  /^W: ((?:GPG error|Failed to fetch|Some index|Target |The repository|Skipping|An error occurred|Possible missing|Download is performed|Conflicting|Duplicate|\S+:\/\/|http).*)$/;
const DPKG = /^dpkg: (error|warning)(?: (?:processing (?:package|archive) (\S+) \(.*\)))?: ?(.*)$/;

/** Reads apt and dpkg, most often met in image builds and CI. */
export const aptParser = singleLine((text): LineReading => {
  const error = text.startsWith("E: ") ? ERROR.exec(text)?.[1] : undefined;
  if (error !== undefined) return { severity: "error", message: error };
  const warning = text.startsWith("W: ") ? WARNING.exec(text)?.[1] : undefined;
  if (warning !== undefined) return { severity: "warning", message: warning };
  const dpkg = text.startsWith("dpkg: ") ? DPKG.exec(text) : null;
  if (dpkg === null) return undefined;
  return { severity: dpkg[1] === "warning" ? "warning" : "error", message: text.slice("dpkg: ".length) };
});

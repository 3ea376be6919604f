import type { Place } from "../../model/diagnostic.ts";
import { readAssert } from "../traces/cpp-assertion.ts";
import { readFinding, type PlacedFinding, severityOf } from "./finding.ts";
import { looksLikePath } from "./paths.ts";

/**
 * Matches messages of compilers for embedded systems: `"file", line 12: Error: …`, `"file", line 12 (col. 3): remark
 * #880-D: …`, `"file",12 Warning[Pe177]: …`.
 */
const QUOTED =
  /^"([^"]{1,300})", ?(?:line )?(\d{1,7})(?:[.:](\d{1,5})| \*?\(col\. ?(\d{1,5})\)\*?)?(?:: *| +)(?=\S)(.*)$/;
/** Matches messages of an assembler for embedded systems: `"file", ERROR!   at line 5: [E0002] message`. */
const ASSEMBLER = /^"([^"]{1,300})", (ERROR|WARNING|REMARK)! +at line (\d{1,7}): (.+)$/;
/**
 * Matches what some compilers for embedded systems print between location and severity: `cc0188: {D} warning: …`,
 * `Severity-Low[RED-unused]: …`.
 */
const BETWEEN = /^(?:(cc\d{4}): (?:\{D\} )?|Severity-(Low|Medium|High)\[([\w.+-]{1,60})\]: ?)/;
/** Matches `profile.cpp, line 89: error #120: message`. */
const UNQUOTED = /^([^\s",]{1,300}), line (\d{1,7})(?: \(col\. ?(\d{1,5})\))?: (.+)$/;
/** Matches pydocstyle's `shop/cart.py:18 in public function `total`:`, whose message is on the next line. */
const PYDOCSTYLE = /^(\S{1,300}\.pyi?):(\d{1,7}) (?:at module level|in (?:public|private) .{1,300}):$/;
/** Matches `file[418, 38]: message`. */
const BRACKETED = /^([^\s[\]]{1,300})\[(\d{1,7}), ?(\d{1,5})\]: (.+)$/;
/** Matches error messages of shells: `./run.sh: line 12: foo: command not found`, `run.sh: 12: Syntax error: …`. */
const SHELL = /^(\S{1,300}): (?:line )?(\d{1,7}): (.+)$/;
/** Matches `file.js: line 9, col 1, message` and `file.x: Line 9, column 1: message`. */
const LINE_FIRST = /^(\S{1,300}): [Ll]ine (\d{1,7}),? (?:[Cc]ol(?:umn)?|char(?:acter)?) (\d{1,7})[,:] (.+)$/;
/** Matches `message in file.less on line 2, column 1:`, `message at line 3 of file.xml` and `message on line 3 of file.scss`. */
const LINE_LAST =
  /^(.{1,1000}?) (?:in (\S{1,300}) (?:on|at) line (\d{1,7})(?:,? col(?:umn)? (\d{1,5}))?|(?:on|at) line (\d{1,7})(?:,? col(?:umn)? (\d{1,5}))? (?:of|in) (\S{1,300}?))[.:]?$/;
/** Matches `Error: message at manifests/init.pp:5:12` and `Error: message (file: manifests/init.pp, line: 5, column: 12)`. */
const PLACE_LAST =
  /^(Error|Warning|ERROR|WARNING|error|warning|fatal|Fatal): (.{1,1000}?)(?: (?:at|in) (\S{1,300}):(\d{1,7})(?::(\d{1,5}))?| \(file: (\S{1,300}), line: (\d{1,7})(?:, column: (\d{1,5}))?\)(?: on node \S+)?)\.?$/;
/** Matches `Warning: src/a.f90, line 5: message`, `Extension(F2018): src/a.f90, line 5: message`, and `fortcom: Error: a.f90, line 5: message`. */
const WORD_FIRST =
  /^(?:[a-z]{2,12}: )?(ERROR|WARNING|error|warning|[A-Z][A-Za-z-]{2,20}(?: [A-Za-z]{3,20}){0,2}(?:\(\w{2,12}\))?): ([^\s,]{1,300}), line (\d{1,7})(?:, col(?:umn)? (\d{1,5}))?: (.+)$/;
/**
 * Matches messages whose fields have no blanks between them: `init.pp:3:80chars:WARNING:message`,
 * `shop.bb:26:error:oelint.task.nomkdir:message`.
 */
const FIELDS =
  /^((?:[A-Za-z]:[\\/])?[^:]{1,300}):(\d{1,7}):(?:([\w-]{2,60}):(ERROR|WARNING)|(error|warning|info):([\w-]{2,40}(?:\.[\w-]{1,40}){1,4})):(\S.*)$/;
/**
 * Matches messages of Sphinx: `lib/cart.py:docstring of shop.Cart:26: WARNING: message`, `index.rst:None: WARNING:
 * message`.
 */
const SPHINX =
  /^((?:[A-Za-z]:[\\/])?[^:]{1,300}):(?:docstring of ([^:\s]{1,300}):(\d{1,7})?|None): (WARNING|ERROR|CRITICAL|SEVERE): (.+)$/;
/** Matches the results of Sphinx's check for dead links: `(guide/start: line   12) broken    https://… - reason`. */
const DEAD_LINK = /^\( *([\w./-]{1,200}): line +(\d{1,7})\) broken +(\S{1,1000})(?: - (.*))?$/;
/** Matches `FC001: message: ./recipes/default.rb:8`. */
const CODE_AND_PLACE = /^([A-Z]{1,4}\d{3,5}): (.{1,500}): (\S{1,300}):(\d{1,7})$/;
/** Matches `manifests/init.pp - ERROR: message on line 7`. */
const DASHED = /^(\S{1,300}) - (ERROR|WARNING): (.{1,1000}) on line (\d{1,7})(?: col(?:umn)? (\d{1,5}))?\b/;
/** Matches a message about a whole file: `docs/index.rst: WARNING: message`, `a.f90: error #5633: message`. */
const WHOLE_FILE =
  /^(\S{1,300}?):{1,2} (ERROR|WARNING|CRITICAL|Error|Warning|error|warning)(?: #\d{1,6})?: (.+)$/;
/**
 * Matches messages of checkbashisms: `possible bashism in run.sh line 12 (what it is):`, `error: run.sh: what is open,
 * opened in line 12`.
 */
const BASHISM =
  /^(?:(possible bashism) in (\S{1,300}) line (\d{1,7}) \((.{1,300})\):|error: (\S{1,300}): (.{1,300}), opened in line (\d{1,7}))$/;
/** Matches messages of HTML Tidy, which name no file: `line 12 column 5 - Warning: message`. */
const TIDY = /^line (\d{1,7}) column (\d{1,5}) - (Warning|Error|Info): (.+)$/;
/**
 * Matches messages of dependency-cruiser: `error no-circular: src/a.ts → src/b.ts`, `warn no-orphans: src/c.ts`. A
 * cycle continues on the next lines.
 */
const DEPENDENCY_CRUISER = /^(error|warn|info) ([\w@/-]{2,80}): (\S{1,300}?)(?: (→)(?: (\S.*))?)?$/;

/** Reads a location that is written out in words or whose file name is quoted. */
export function readWorded(line: string): PlacedFinding | undefined {
  if (line.startsWith('"')) return readQuoted(line);
  return (
    readAssertion(line) ??
    readDependencyCruiser(line) ??
    readBracketed(line) ??
    readUnquoted(line) ??
    readPydocstyle(line) ??
    readLineInWords(line) ??
    readBashism(line) ??
    readTidy(line) ??
    readDashed(line) ??
    readLabelled(line) ??
    readSphinx(line) ??
    readTrailingPlaceWithCode(line) ??
    readTrailingPlace(line) ??
    readTrailingLine(line) ??
    readWholeFile(line)
  );
}

function readQuoted(line: string): PlacedFinding | undefined {
  const [, name, number, column, spelled, rest] = QUOTED.exec(line) ?? [];
  const place = placeOf(name?.trim(), number, column ?? spelled);
  if (place === undefined) return readAssembler(line);
  const [between = "", code, rank, rule] = BETWEEN.exec(rest ?? "") ?? [];
  return readFinding((rest ?? "").slice(between.length), place, {
    ...(rank === undefined ? {} : { severity: severityOf(rank) }),
    code: code ?? rule,
  });
}

function readAssembler(line: string): PlacedFinding | undefined {
  const [, name, word, number, rest = ""] = line.includes("! ") ? (ASSEMBLER.exec(line) ?? []) : [];
  const place = placeOf(name, number, undefined);
  if (place === undefined) return undefined;
  const [, code, message = rest] = /^\[(\w{2,10})\] (.+)$/.exec(rest) ?? [];
  return readFinding(message, place, { severity: severityOf(word), code });
}

/** Reads a failed C assertion. It certainly is an error, because the program aborts there. */
function readAssertion(line: string): PlacedFinding | undefined {
  const { file, line: number, message } = readAssert(line) ?? {};
  if (file === undefined || number === undefined || message === undefined) return undefined;
  return { found: { severity: "error", file, line: number, message }, isCertain: true };
}

function readDependencyCruiser(line: string): PlacedFinding | undefined {
  const [, word, code = "", file = "", arrow, to] = DEPENDENCY_CRUISER.exec(line) ?? [];
  const severity = severityOf(word);
  // If the line has no arrow, only the hyphen in the rule's name distinguishes it from a sentence.
  if (severity === undefined || !looksLikePath(file) || (arrow === undefined && !code.includes("-")))
    return undefined;
  const message = arrow === undefined ? code : to === undefined ? "" : `→ ${to}`;
  return { found: { severity, file, code, message }, isCertain: true };
}

function readUnquoted(line: string): PlacedFinding | undefined {
  const [, name, number, column, rest = ""] = line.includes(", line ") ? (UNQUOTED.exec(line) ?? []) : [];
  const place = placeOf(name, number, column);
  const read = place === undefined ? undefined : readFinding(rest, place);
  return read?.isCertain === true ? read : undefined;
}

function readPydocstyle(line: string): PlacedFinding | undefined {
  const [, name, number] = line.endsWith(":") ? (PYDOCSTYLE.exec(line) ?? []) : [];
  const place = placeOf(name, number, undefined);
  return place === undefined
    ? undefined
    : { found: { severity: "warning", ...place, message: "" }, isCertain: true };
}

function readBracketed(line: string): PlacedFinding | undefined {
  const [, name, number, column, rest] = line.includes("]: ") ? (BRACKETED.exec(line) ?? []) : [];
  const place = placeOf(name, number, column);
  return place === undefined ? undefined : readFinding(rest ?? "", place);
}

function readLineInWords(line: string): PlacedFinding | undefined {
  if (!/: (?:[Ll]ine )?\d/.test(line)) return undefined;
  const shell = SHELL.exec(line);
  const [, name, number, ...rest] = shell ?? LINE_FIRST.exec(line) ?? [];
  const place = placeOf(name, number, shell === null ? rest[0] : undefined);
  const message = rest.at(-1) ?? "";
  if (place === undefined) return undefined;
  if (shell === null || !/: line \d/.test(line)) return readFinding(message, place);
  return { found: { severity: "error", ...place, message }, isCertain: true };
}

function readBashism(line: string): PlacedFinding | undefined {
  const [, kind, name, at, what = "", name2, what2 = "", at2] = / line \d/.test(line)
    ? (BASHISM.exec(line) ?? [])
    : [];
  const place = placeOf(name ?? name2, at ?? at2, undefined);
  if (place === undefined) return undefined;
  return kind === undefined
    ? { found: { severity: "error", ...place, message: what2 }, isCertain: true }
    : { found: { severity: "warning", ...place, message: `${kind}: ${what}` }, isCertain: true };
}

function readTidy(line: string): PlacedFinding | undefined {
  const [, at, column, word, message] = line.startsWith("line ") ? (TIDY.exec(line) ?? []) : [];
  const severity = severityOf(word);
  if (severity === undefined) return undefined;
  return {
    found: { severity, line: Number(at), column: Number(column), message: message ?? "" },
    isCertain: true,
  };
}

function readDashed(line: string): PlacedFinding | undefined {
  const [, name, word, message = "", number, column] = line.includes(" - ") ? (DASHED.exec(line) ?? []) : [];
  const place = placeOf(name, number, column);
  if (place === undefined) return undefined;
  return { found: { severity: severityOf(word) ?? "error", ...place, message }, isCertain: true };
}

function readLabelled(line: string): PlacedFinding | undefined {
  const [, word, name, number, column, message = ""] = WORD_FIRST.exec(line) ?? [];
  const place = placeOf(name, number, column);
  if (place !== undefined) {
    const severity = severityOf(word) ?? (/Error|Panic/.test(word ?? "") ? "error" : "warning");
    return { found: { severity, ...place, message }, isCertain: true };
  }
  const [, file, at, code, level, level2, code2, text = ""] = FIELDS.exec(line) ?? [];
  const field = placeOf(file, at, undefined);
  if (field === undefined) return undefined;
  return readFinding(text, field, { severity: severityOf(level ?? level2), code: code ?? code2 });
}

function readSphinx(line: string): PlacedFinding | undefined {
  const [, page, at, url, reason] = line.startsWith("(") ? (DEAD_LINK.exec(line) ?? []) : [];
  if (page !== undefined) {
    const message = `broken link ${url ?? ""}${reason === undefined ? "" : `: ${reason}`}`;
    return { found: { severity: "error", file: page, line: Number(at), message }, isCertain: true };
  }
  if (!line.includes(":docstring of ") && !line.includes(":None: ")) return undefined;
  const [, file, , number, word = "", message = ""] = SPHINX.exec(line) ?? [];
  if (file === undefined || !looksLikePath(file)) return undefined;
  // A number after `docstring of` counts from the docstring's first line, so it is not used as a line of the file.
  const severity = word === "WARNING" ? "warning" : "error";
  const pydocstyle =
    number === undefined ? message : `${message} (${line.slice(file.length + 1, line.indexOf(`: ${word}`))})`;
  return { found: { severity, file, message: pydocstyle }, isCertain: true };
}

function readTrailingPlaceWithCode(line: string): PlacedFinding | undefined {
  const [, code, message = "", file, at] = CODE_AND_PLACE.exec(line) ?? [];
  const place = placeOf(file, at, undefined);
  return place === undefined ? undefined : readFinding(message, place, { code, severity: "warning" });
}

function readTrailingPlace(line: string): PlacedFinding | undefined {
  const [, word, message = "", file, at, column, file2, at2, column2] = PLACE_LAST.exec(line) ?? [];
  const place = placeOf(file ?? file2, at ?? at2, column ?? column2);
  const severity = severityOf(word);
  // The finding is not certain, because a stack trace with more precise locations may follow.
  return place === undefined || severity === undefined
    ? undefined
    : { found: { severity, ...place, message }, isCertain: false };
}

function readTrailingLine(line: string): PlacedFinding | undefined {
  if (!/ (?:on|at) line \d/.test(line)) return undefined;
  const [, message = "", file, number, column, number2, column2, file2] = LINE_LAST.exec(line) ?? [];
  const place = placeOf(file ?? file2, number ?? number2, column ?? column2);
  if (place === undefined) return undefined;
  const read = readFinding(message, place);
  // A sentence without a severity may be about anything, so it is not reported.
  return read?.isCertain === true ? read : undefined;
}

function readWholeFile(line: string): PlacedFinding | undefined {
  const [, file = "", word, message = ""] = WHOLE_FILE.exec(line) ?? [];
  const severity = severityOf(word);
  if (severity === undefined || !looksLikePath(file)) return undefined;
  return { found: { severity, file, message }, isCertain: false };
}

function placeOf(
  name: string | undefined,
  line: string | undefined,
  column: string | undefined,
): Place | undefined {
  if (name === undefined || line === undefined || !looksLikePath(name)) return undefined;
  return { file: name, line: Number(line), ...(column === undefined ? {} : { column: Number(column) }) };
}

import type { Place, RelatedPlace, Severity } from "../../../model/diagnostic.ts";
import { colonPlace, leadingPlace, parenPlace } from "../../parsing/place.ts";
import type { Found, Line, LineParser, Sink } from "../../tool.ts";
import { readLinker } from "./linker.ts";
import { isCheckerWord, readSeverity } from "./words.ts";

const DRIVER =
  /^(?:\S*[/\\])?(?:[\w.+-]*-)?(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|clang-cl|cc1|cc1plus|cc1obj|cc1objplus|gfortran|f951|collect2|nvcc|icc|icpc|icx|icpx|ifort|ifx|emcc|em\+\+|lto1|lto-wrapper|cpp|as|Error running link command)(?:-[\d.]+)?(?:\.exe)?: |^<(?:command-line|built-in)>: /;
const SOURCE =
  /\.(?:[chmsfdiCHSF]|cc|cp|cpp|cxx|c\+\+|hh|hp|hpp|hxx|h\+\+|inc|inl|ipp|tcc|tpp|txx|ixx|cppm|ii|mm|mi|mii|asm|sx|cu|cuh|cl|hip|f77|f90|f95|f03|f08|for|fpp|F90|ino|pde|y|l|yy|ll|lex|def|ld|lds|rc|idl|moc|xs|pyx|gperf|metal|glsl|comp|frag|vert|dts|dtsi|ld\.script|re|qml|ui|tab\.c|cpp\.in|h\.in|zig)$/;
/** Matches what nvcc and Intel's compilers print: a number after the severity. Intel's drivers put two words before it. */
const NUMBERED = /^(?:command line )?(error|warning|remark) (#\d{1,6}(?:-D)?): (.*)$/;
const INCLUDED =
  /^(?:In file included from |In module |In included file|Im Einfügen von|In Datei, eingebunden von |Dans le fichier inclus depuis |En fichero incluido desde |在包含自 |In file incluso da |В файле, включённом из )|^ {2,}(?:from|von|depuis|desde|из|，?来自|da) \S+:\d+[:,：，]/;
const CONTEXT = /^[^\s:].*\.\w{1,4}: .*[:：]$/;
const INSTANTIATED =
  /^ *(?:required (?:from|by)|recursively required|instantiated from|in ‘constexpr’ expansion|in .constexpr. expansion)/;
/** Matches text that starts or ends like a line of C or a similar language. */
const CODE_LINE =
  /[;{}),]\s*(?:\/\/.*|\/\*.*)?$|^#\s*[a-z]{2,10}\b|^(?:template|class|struct|enum|union|namespace|using|typedef|static|extern|inline|const|constexpr|void|int|char|unsigned|auto|return|import|module|@\w+|[-+] ?\()/;
const FRAME = /^ *\d* \|(?: |$)|^ {2,}\|/;
const CARET = /^[ \t]*[\^~][ \t^~|]*$|^[ \t]*[~^][~^ ]*$/;
const CLOSING =
  /^\d{1,7} (?:warnings?|errors?)(?: and \d{1,7} errors?)? (?:generated|treated as errors?)\.?|^compilation terminated|^(?:cc1|cc1plus|cc1obj|f951|lto1): (?:all|some) warnings being treated as errors|^(?:Kompilierung beendet|compilation terminée|编译中断|コンパイルを停止|compilación terminada|компиляция прервана)|^(?:cc1|cc1plus): (?:Alle Warnungen werden|tous les avertissements|所有的警告|全ての警告|todos los avisos)|^Suppressed \d+ warnings|^Use -header-filter=|^\d+ warnings? treated as errors?|^compilation aborted for .* \(code \d+\)$|^Error while processing |^Found compiler error/;
const STEP = /^(?:\S*make(?:\[\d+\])?: |\[ *\d+%\]|\[\d+\/\d+\]|FAILED: |ninja: )/;
/**
 * Matches gfortran's location on a line of its own, which may be in an included file. Before version 5 a dot preceded the
 * column, and a range could follow.
 */
const FORTRAN =
  /^(\S.*\.(?:[fF]|for|FOR|[fF](?:77|90|95|03|08|18)|fpp|FPP|inc|INC|[hH]|fi|fh|fd):\d{1,7})(?:[:.](\d{1,7})(?:-\d{1,7})?)?:$/;
/** Matches the line that names the file which includes the one of the location above it. */
const FORTRAN_INCLUDED = /^ {4}Included at (\S.{0,1000}:\d{1,7}):$/;
const FORTRAN_SAID = /^(Fatal Error|Internal Error|Error|Warning)(?:: (.+)| at \(1\):)$/;
const SYSTEM = /^\/usr\/|[/\\]include[/\\]c\+\+[/\\]|[/\\]Program Files/;
const FAILED_LINK = /^(?:ld returned|linker command failed|ld |ld$|выполнение ld|error: linker)/;
const VI = /^(\S.{0,300}?) \+(\d{1,7}(?::\d{1,5})?): (?=(?:fatal )?error: |warning: |note: |remark: )/;
const RANGES = /^(.{1,300}?:\d{1,7}:\d{1,5}:)(?:\{\d{1,7}:\d{1,5}-\d{1,7}:\d{1,5}\})+:/;
/** Matches what Clang's `-fdiagnostics-show-category` appends, within the option's brackets or in brackets of its own. */
const CATEGORY = /(?:,(?:\d{1,3}|[A-Z][\w' -]{2,40})(?=\]$)| \[[A-Z][\w' -]{2,40} Issue\]$)/;
const CODE = / \[(-[WfO][^\s\][]*|[A-Za-z][\w.+-]*(?:,[\w.+-]+)*)\]$/;

interface Pending {
  readonly found: Found;
  readonly related: RelatedPlace[];
}

/** Reads GCC, Clang and their linkers, and tools with the same format, such as clang-tidy and cppcheck. */
export function gccParser(sink: Sink): LineParser {
  const reader = new CompilerReader(sink);
  return { take: ({ text }: Line) => reader.take(text), end: () => reader.end() };
}

class CompilerReader {
  readonly #sink: Sink;
  #pending: Pending | undefined;
  /** Locations of template instantiations, which belong to the next diagnostic. */
  #leading: RelatedPlace[] = [];
  /** Number of ambiguous lines that may still belong to a code frame: the source line, then the carets. */
  #frame = 0;
  /** Column of the latest location; 0 if the location has no column. */
  #column = 0;
  #errors = 0;
  /** True while a list of undefined symbols of Apple's linker is being read. */
  #inSymbolList = false;
  /** The location that gfortran prints before the quoted source code and the message. */
  #fortran: Place | undefined;
  #isInternalError = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(text: string): boolean {
    const header = readHeader(text);
    if (header !== undefined) return this.#header(header);
    if (this.#readFortranLine(text) || this.#readFrameLine(text)) return true;
    if (INCLUDED.test(text) || CLOSING.test(text)) return true;
    if (this.#readAppleSymbols(text)) return true;
    const driver = DRIVER.exec(text);
    if (driver !== null) return this.#readDriver(text.slice(driver[0].length));
    const linked = readLinker(text);
    if (linked !== undefined) {
      if (linked !== "context") this.#report(linked);
      return true;
    }
    return this.#readMore(text);
  }

  end(): void {
    this.#close();
  }

  #header(header: Header): boolean {
    const { place } = header;
    this.#column = place.column ?? 0;
    const message = header.message.endsWith("]") ? header.message.replace(CATEGORY, "") : header.message;
    this.#frame = 2;
    if (header.severity === "backtrace") {
      this.#leading.push({ ...place, message });
      return true;
    }
    if (header.severity === "note") {
      // A note without a preceding diagnostic belongs to another tool's diagnostic.
      this.#pending?.related.push({ ...place, message });
      return true;
    }
    // Behind a numbered message, Intel's Fortran compiler repeats the name that it is about in brackets.
    const code = header.code === undefined ? CODE.exec(message) : null;
    const text = code === null ? message : message.slice(0, code.index);
    this.#report({
      ...(header.code === undefined ? {} : { code: header.code }),
      ...toolOf(header, code?.[1]),
      severity: header.severity,
      message: text.trimEnd(),
      ...place,
      ...(code?.[1] === undefined ? {} : { code: code[1].replace(/,-warnings-as-errors$/, "") }),
    });
    return true;
  }

  #report(found: Found): void {
    this.#close();
    if (found.severity === "error") this.#errors++;
    const own = this.#leading.filter((place) => !SYSTEM.test(place.file));
    // Template instantiations inside library headers are dropped if at least one inside the project is named.
    this.#pending = { found, related: own.length > 0 ? own : this.#leading };
    this.#leading = [];
  }

  #close(): void {
    const done = this.#pending;
    this.#pending = undefined;
    if (done === undefined) return;
    this.#sink.diagnostic({ ...done.found, ...(done.related.length > 0 ? { related: done.related } : {}) });
  }

  /** Reads a line of a code frame. Old frames have no margin, so only indented lines and carets are certain. */
  #readFrameLine(text: string): boolean {
    if (this.#frame === 0) return false;
    if (FRAME.test(text) || CARET.test(text)) return true;
    if (/^[ \t]/.test(text)) return text.trim() !== "" && leadingPlace(text.trimStart()) === undefined;
    return this.#isQuoted(text);
  }

  /**
   * Recognizes the source line that Clang before version 15 quotes without a margin. It directly follows the message
   * and must be long enough to contain the message's column.
   */
  #isQuoted(text: string): boolean {
    if (this.#frame !== 2 || this.#column === 0 || text.length < this.#column - 1) return false;
    if (!CODE_LINE.test(text) || STEP.test(text) || DRIVER.test(text) || INCLUDED.test(text)) return false;
    // A line that starts with a file name and a location belongs to another tool.
    if (/^\S+\.\w{1,8}[:(]/.test(text)) return false;
    this.#frame = 1;
    return true;
  }

  #readFortranLine(text: string): boolean {
    const [, at = "", column] = FORTRAN.exec(text) ?? [];
    const place = colonPlace(column === undefined ? at : `${at}:${column}`);
    if (place !== undefined) {
      this.#fortran = place;
      this.#frame = 2;
      return true;
    }
    if (this.#fortran === undefined) return false;
    const including = colonPlace(FORTRAN_INCLUDED.exec(text)?.[1] ?? "");
    if (including !== undefined) {
      this.#leading.push(including);
      return true;
    }
    // gfortran prints the description of an internal compiler error on the next line.
    const content = this.#isInternalError ? [text, "Error", text] : FORTRAN_SAID.exec(text);
    if (content === null) return text.trim() === "";
    this.#isInternalError = content[2] === undefined;
    if (this.#isInternalError) return true;
    const severity = content[1] === "Warning" ? "warning" : "error";
    const found = { severity, place: this.#fortran, message: content[2] ?? "", isChecker: false } as const;
    this.#fortran = undefined;
    return this.#header(found);
  }

  /** Reads the compiler driver's messages, such as `cc1: fatal error: …`. That the linker failed is reported only if the linker printed nothing. */
  #readDriver(rest: string): boolean {
    // A colon is inserted after the severity of `gcc: error trying to exec 'cc1': …`, which has none.
    const numbered = withoutNumber(rest.replace(/^(?:fatal )?error (?=trying to exec )/, "error: "));
    const read = readSeverity(numbered.rest);
    if (read === undefined || read.severity === "note") return false;
    this.#frame = 0;
    if (FAILED_LINK.test(read.rest) && this.#errors > 0) return true;
    const code = CODE.exec(read.rest);
    this.#report({
      severity: read.severity,
      message: code === null ? read.rest : read.rest.slice(0, code.index),
      ...(numbered.code === undefined ? {} : { code: numbered.code }),
      ...(code?.[1] === undefined ? {} : { code: code[1] }),
    });
    return true;
  }

  #readAppleSymbols(text: string): boolean {
    if (/^Undefined symbols for architecture \w+:$/.test(text)) {
      this.#inSymbolList = true;
      return true;
    }
    const twice = /^duplicate symbol '?(.+?)'? in:$/.exec(text);
    if (twice !== null) {
      this.#inSymbolList = true;
      this.#report({ severity: "error", message: `duplicate symbol: ${twice[1] ?? ""}` });
      return true;
    }
    if (!this.#inSymbolList) return false;
    const symbol = /^ {2}"(.+)", referenced from:$/.exec(text);
    if (symbol !== null) this.#report({ severity: "error", message: `undefined symbol: ${symbol[1] ?? ""}` });
    else if (!/^ {4,}\S/.test(text)) this.#inSymbolList = false;
    return this.#inSymbolList;
  }

  /** Reads the lines between diagnostics: the enclosing function, or where LLVM's linker found the symbol. */
  #readMore(text: string): boolean {
    this.#frame = Math.max(0, this.#frame - 1);
    const reference = /^>>> (?:referenced by|defined (?:at|in)) (.+)$/.exec(text);
    if (reference !== null && this.#pending !== undefined) return this.#reference(reference[1] ?? "");
    if (text.startsWith(">>> ")) return this.#pending !== undefined;
    // A line that starts the next build step completes the last diagnostic.
    if (STEP.test(text)) this.#close();
    if (!CONTEXT.test(text)) return false;
    const file = text.slice(0, text.indexOf(": "));
    return SOURCE.test(file);
  }

  #reference(text: string): boolean {
    const inner = /^(\S+:\d+) \((.+:\d+)\)$/.exec(text);
    const known = leadingPlace(`${inner?.[2] ?? text}:`)?.place;
    const place = known ?? (SOURCE.test(text) && !/\s/.test(text) ? { file: text } : undefined);
    const done = this.#pending;
    if (done === undefined || place === undefined) return true;
    if (done.found.file === undefined) this.#pending = { ...done, found: { ...done.found, ...place } };
    else done.related.push(place);
    return true;
  }
}

interface Header {
  readonly severity: Severity | "note" | "backtrace";
  readonly place: Place;
  readonly message: string;
  readonly isChecker: boolean;
  /** The number that nvcc and Intel's compilers print after the severity: `#177-D`. */
  readonly code?: string;
}

/** Reads `main.c:3:5: error: …`, `main.c(3,5): error: …`, and the steps of a template instantiation. */
function readHeader(line: string): Header | undefined {
  const text = usualPlace(withoutCommand(line));
  if (!text.includes(":") || /^[\s>|]/.test(text)) return undefined;
  const colon = leadingPlace(text);
  const placed = colon !== undefined && isSource(colon.place.file) ? colon : parenthesised(text);
  if (placed === undefined || !isSource(placed.place.file)) return undefined;
  const { place, rest } = placed;
  if (INSTANTIATED.test(rest))
    return { severity: "backtrace", place, message: rest.trim(), isChecker: false };
  const numbered = withoutNumber(rest);
  const read = readSeverity(numbered.rest);
  if (read === undefined) return undefined;
  const code = numbered.code === undefined ? {} : { code: numbered.code };
  return { severity: read.severity, place, message: read.rest, isChecker: isCheckerWord(rest), ...code };
}

/** Takes the number out of `warning #177: …`. */
function withoutNumber(text: string): { readonly rest: string; readonly code?: string } {
  const [, word, code, rest] = NUMBERED.exec(text) ?? [];
  return code === undefined ? { rest: text } : { rest: `${word}: ${rest}`, code };
}

/** Converts the locations of Clang's `-fdiagnostics-format=vi` and `-fdiagnostics-print-source-range-info` to the usual notation. */
function usualPlace(text: string): string {
  if (text.includes(":{")) return text.replace(RANGES, "$1");
  return text.includes(" +") ? text.replace(VI, "$1:$2: ") : text;
}

function parenthesised(text: string): { readonly place: Place; readonly rest: string } | undefined {
  const end = text.search(/\) ?: /);
  const place = end < 0 ? undefined : parenPlace(text.slice(0, end + 1));
  return place === undefined ? undefined : { place, rest: text.slice(text.indexOf(": ", end) + 2) };
}

/** Returns whether a file is C or C++. Standard headers have no extension; files of other languages belong to other tools. */
function isSource(file: string): boolean {
  if (/: | $|^["'`(]/.test(file)) return false;
  if (SOURCE.test(file) || file === "-") return true;
  const name = file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
  return (!name.includes(".") && /[/\\]include[/\\]|[/\\]c\+\+[/\\]/.test(file)) || /^<.*>$/.test(name);
}

function toolOf(header: Header, code: string | undefined): { readonly tool?: string } {
  if (header.isChecker) return { tool: "cppcheck" };
  if (header.place.file.endsWith(".zig")) return { tool: "zig" };
  if (code === undefined || code.startsWith("-")) return {};
  return { tool: /[-.]/.test(code) ? "clang-tidy" : "cppcheck" };
}

/** Removes the command that run-clang-tidy prints on the same line as the first diagnostic. */
function withoutCommand(line: string): string {
  if (!/^\S{0,200}clang-tidy\S{0,20} -/.test(line)) return line;
  const place = line.search(/:\d{1,9}:\d{1,9}: (?:warning|error): /);
  return place < 0 ? line : line.slice(line.lastIndexOf(" ", place) + 1);
}

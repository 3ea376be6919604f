import type { Place } from "../../../model/diagnostic.ts";
import { colonPlace, leadingPlace } from "../../parsing/place.ts";
import type { Found } from "../../tool.ts";

const LD =
  /^(?:\S*[/\\])?(?:[\w.+-]*-)?(?:ld|ld\.bfd|ld\.gold|ld\.lld|ld64\.lld|lld|lld-link|ld64|wasm-ld|collect2|mold|rust-lld)(?:-\d[\d.]*)?(?:\.exe)?[ \u00A0]?: /;
/** Matches a location in an object file: `main.c:(.text+0x5)`. */
const SECTION = /^(.*?):?\((\.[\w.$*@:,<>~ -]+\+0x[0-9a-f]+)\)[ \u00A0]?: (.*)$/;
const SYMBOL =
  /^(?:undefined reference to |multiple definition of |référence indéfinie vers |définitions multiples de |referencia a .* sin definir|definiciones múltiples de |неопределённая ссылка на |повторное определение |nicht definierter Verweis auf |undefinierter Verweis auf |mehrfache Definition von |riferimento non definito a |对.*未定义的引用|relocation truncated to fit|undefined symbol|duplicate symbol)/;
const IN_FUNCTION =
  /(?:in function|In function|dans la fonction|en la función|в функции|in Funktion|在函数)[ \u00A0]?[`‘«“']/;
const CONTEXT = /^.*: (?:in function|In function) [`‘].*['’]:$/;

/** Reads a linker's message. The result is `context` for a line that only introduces the next one. */
export function readLinker(text: string): Found | "context" | undefined {
  if (!text.includes(":")) return undefined;
  const prefix = LD.exec(text)?.[0] ?? "";
  const rest = text.slice(prefix.length);
  if (CONTEXT.test(rest) || (prefix !== "" && IN_FUNCTION.test(rest) && /[:：]$/.test(rest.trimEnd())))
    return "context";
  const section = rest.length < 8_000 ? SECTION.exec(rest) : null;
  if (section !== null) return sectioned(section);
  // LLVM's linker prints the severity before the message.
  const word = prefix === "" ? null : /^(?:fatal )?(error|warning): /.exec(rest);
  const content = rest.slice(word?.[0].length ?? 0);
  const placed =
    readSymbolPlace(content) ?? (word !== null && SYMBOL.test(content) ? { message: content } : undefined);
  if (placed !== undefined) return { severity: word?.[1] === "warning" ? "warning" : "error", ...placed };
  return prefix === "" ? undefined : plain(prefix, rest);
}

function sectioned(match: RegExpExecArray): Found | "context" {
  const [, object = "", , message = ""] = match;
  if (message === "first defined here") return "context";
  const file = sourceOf(object);
  // For a duplicate definition, the location of the other definition is on the same line.
  const [words = "", other] = message.split("; ", 2);
  const first =
    other === undefined ? undefined : colonPlace(other.replace(/:?(?:\([^)]*\))?[ \u00A0]?: .*$/, ""));
  return {
    severity: "error",
    message: other === undefined ? message : words,
    ...(file === undefined ? {} : { file }),
    ...(first === undefined ? {} : { related: [first] }),
  };
}

/** Returns the source of an object. `a.o:a.c` names both; an object in a temporary folder has no source. */
function sourceOf(object: string): string | undefined {
  const parts = object
    .replace(/^.*\.(?:o|obj):(?=\/)/, "")
    .split(/:(?=[^\\/])/)
    .filter((part) => part !== "");
  const last = parts.at(-1)?.trim();
  if (last === undefined || last === "" || /^(?:\/tmp\/|.*[/\\]Temp[/\\]).*\.(?:o|obj)$/.test(last))
    return undefined;
  return last;
}

/** Reads the source location that the linker prints if debug information is present. */
function readSymbolPlace(text: string): Omit<Found, "severity"> | undefined {
  for (let at = text.indexOf(": "); at > 0; at = text.indexOf(": ", at + 1)) {
    const message = text.slice(at + 2);
    if (!SYMBOL.test(message)) continue;
    const before = text.slice(0, at).trimEnd();
    const place: Place | undefined = colonPlace(before);
    const file = sourceOf(place?.file ?? before);
    return { message, ...place, ...(file === undefined ? {} : { file }) };
  }
  return undefined;
}

function plain(prefix: string, rest: string): Found | "context" | undefined {
  if (prefix.includes("collect2")) return undefined;
  const warning = /^(?:(.*): )?(?:warning|attention|Warnung|предупреждение|警告)[:：] ?(.*)$/.exec(rest);
  if (warning !== null) {
    const file = warning[1] === undefined ? undefined : sourceOf(warning[1]);
    return { severity: "warning", message: warning[2] ?? "", ...(file === undefined ? {} : { file }) };
  }
  if (
    /^(?:final link failed|symbol\(s\) not found|\d+ duplicate symbols? for|note: |NOTE: |skipping incompatible|.*: first defined here$)/.test(
      rest,
    )
  )
    return "context";
  const message = rest.replace(/^(?:fatal )?error: /, "");
  const placed = leadingPlace(message);
  if (placed === undefined || /\s/.test(placed.place.file)) return { severity: "error", message };
  return {
    severity: "error",
    ...placed.place,
    file: sourceOf(placed.place.file) ?? placed.place.file,
    message: placed.rest,
  };
}

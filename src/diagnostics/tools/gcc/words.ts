import type { Severity } from "../../../model/diagnostic.ts";

/** The words for severities in the languages GCC speaks, and cppcheck's own. `note` marks what belongs to the diagnostic before. */
const WORDS = new Map<string, Severity | "note">([
  ...(
    [
      "error",
      "fatal error",
      "internal compiler error",
      "sorry, unimplemented",
      "confused by earlier errors, bailing out",
    ] as const
  ).map((word) => [word, "error"] as const),
  ...(
    ["Fehler", "schwerwiegender Fehler", "Schwerwiegender Fehler", "interner Compiler-Fehler"] as const
  ).map((word) => [word, "error"] as const),
  ...(["erreur", "erreur fatale", "erreur interne du compilateur"] as const).map(
    (word) => [word, "error"] as const,
  ),
  ...(["错误", "致命错误", "編譯器內部錯誤", "錯誤", "致命錯誤", "内部编译器错误"] as const).map(
    (word) => [word, "error"] as const,
  ),
  ...(["エラー", "致命的エラー", "오류", "치명적 오류"] as const).map((word) => [word, "error"] as const),
  ...(["error fatal", "error interno del compilador"] as const).map((word) => [word, "error"] as const),
  ...(["ошибка", "фатальная ошибка", "помилка", "фатальна помилка"] as const).map(
    (word) => [word, "error"] as const,
  ),
  ...(
    [
      "errore",
      "errore irreversibile",
      "erro",
      "erro fatal",
      "fel",
      "ödesdigert fel",
      "fout",
      "fatale fout",
      "błąd",
      "błąd krytyczny",
      "hata",
      "ölümcül hata",
      "virhe",
      "fejl",
      "lỗi",
    ] as const
  ).map((word) => [word, "error"] as const),
  ...(
    [
      "warning",
      "pedwarn",
      "Warnung",
      "attention",
      "avertissement",
      "警告",
      "경고",
      "aviso",
      "advertencia",
      "предупреждение",
      "попередження",
      "attenzione",
      "avviso",
      "varning",
      "waarschuwing",
      "ostrzeżenie",
      "uyarı",
      "varoitus",
      "advarsel",
    ] as const
  ).map((word) => [word, "warning"] as const),
  ...(["style", "performance", "portability"] as const).map((word) => [word, "warning"] as const),
  ...(["information", "remark", "debug"] as const).map((word) => [word, "info"] as const),
  ...(
    [
      "note",
      "Anmerkung",
      "remarque",
      "附注",
      "備考",
      "附註",
      "nota",
      "замечание",
      "зауваження",
      "참고",
      "anm",
      "uwaga",
      "bilgi",
      "huomaa",
    ] as const
  ).map((word) => [word, "note"] as const),
]);
/** The longest of the words. */
const LONGEST = 44;

/** A severity word at the start of the text, and what follows its colon. */
export function readSeverity(
  text: string,
): { readonly severity: Severity | "note"; readonly rest: string } | undefined {
  const head = text.slice(0, LONGEST);
  const colon = head.search(/[:：]/);
  if (colon < 1) return undefined;
  const severity = WORDS.get(head.slice(0, colon).trimEnd());
  return severity === undefined ? undefined : { severity, rest: text.slice(colon + 1).trimStart() };
}

/** The word as it stands before the colon: cppcheck's words tell it from a compiler. */
export function isCheckerWord(text: string): boolean {
  return /^(?:style|performance|portability|information): /.test(text);
}

import type { Severity } from "../../../model/diagnostic.ts";

/** Words for severities in all languages of GCC's translations, and those of cppcheck. */
const ERRORS = [
  "error|fatal error|internal compiler error|sorry, unimplemented|confused by earlier errors, bailing out",
  "Fehler|schwerwiegender Fehler|Schwerwiegender Fehler|interner Compiler-Fehler|nicht implementiert",
  "erreur|erreur fatale|erreur interne du compilateur|désolé, pas implémenté",
  "错误|致命错误|内部编译器错误|编译器内部错误|錯誤|致命錯誤|嚴重錯誤|編譯器內部錯誤",
  "エラー|致命的エラー|コンパイラ内部エラー|오류|치명적 오류",
  "error fatal|error interno del compilador|errore|errore irreversibile|erro|erro fatal",
  "ошибка|фатальная ошибка|внутренняя ошибка компилятора",
  "помилка|критична помилка|фатальна помилка|внутрішня помилка компілятора",
  "fel|ödesdigert fel|internt kompilatorfel|fejl|fatal fejl|intern oversætterfejl",
  "fout|fatale fout|interne compilerfout|virhe|vakava virhe|kääntäjän sisäinen virhe",
  "błąd|błąd krytyczny|hata|ölümcül hata|derleyici iç hatası|lỗi|lỗi nghiêm trọng|lỗi biên dịch nội bộ",
  "σφάλμα|μοιραίο σφάλμα|εσωτερικό σφάλμα μεταγλωττιστή|greška|fatalna greška|interna greška kompajlera",
  "грешка|кобна грешка|унутрашња грешка компилатора|internal kompiler error",
];
const WARNINGS = [
  "warning|pedwarn|Warnung|attention|avertissement|警告|경고|aviso|advertencia|предупреждение|попередження",
  "attenzione|avviso|varning|waarschuwing|let op|ostrzeżenie|uyarı|UYARI|varoitus|advarsel|προειδοποίηση",
  "upozorenje|упозорење|cảnh báo|peringatan",
];
const NOTES = [
  "note|Anmerkung|remarque|附注|備考|附註|nota|замечание|зауваження|참고|anm|uwaga|bilgi|huomaa|huom|bemærk",
  "σημείωση|napomena|напомена|ghi chú|catatan",
];

/** The severity of each word; `note` marks text that belongs to the previous diagnostic. */
const WORDS = new Map<string, Severity | "note">([
  ...each(ERRORS, "error"),
  ...each(WARNINGS, "warning"),
  ...each(["style|performance|portability"], "warning"),
  ...each(["information|remark|debug"], "info"),
  ...each(NOTES, "note"),
]);

/** Returns the severity words with their punctuation, by which compiler output in any language is recognized. */
export function severitySignatures(): readonly string[] {
  return [...ERRORS, ...WARNINGS]
    .flatMap((row) => row.split("|"))
    .flatMap((word) => [`${word}: `, `${word}：`]);
}

function each<T extends Severity | "note">(rows: readonly string[], severity: T): (readonly [string, T])[] {
  return rows.flatMap((row) => row.split("|")).map((word) => [word, severity]);
}

/** Length of the longest severity word. */
const LONGEST = 44;

/** Reads a severity word at the start of the text, and the text after its colon. */
export function readSeverity(
  text: string,
): { readonly severity: Severity | "note"; readonly rest: string } | undefined {
  const head = text.slice(0, LONGEST);
  const colon = head.search(/[:：]/);
  if (colon < 1) return undefined;
  const severity = WORDS.get(head.slice(0, colon).trimEnd());
  return severity === undefined ? undefined : { severity, rest: text.slice(colon + 1).trimStart() };
}

/** Returns whether the severity word is one that only cppcheck uses. */
export function isCheckerWord(text: string): boolean {
  return /^(?:style|performance|portability|information): /.test(text);
}

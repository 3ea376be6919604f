/**
 * A linear estimate of o200k tokens: what the budgets count with. The real tokenizer costs 200 ms and 100 MB to
 * load, this one pass over the text. Weights were fitted by least squares over sources, prose, JSON, build logs, hex
 * and base64 (median error 4 %, 95 of 100 within 16 %); the test compares it with the real tokenizer.
 */
const WEIGHTS = {
  lower: 0.067,
  upper: 0.231,
  letterRun: 0.507,
  longWord: 0.679,
  veryLongWord: 0.093,
  digitRun: 1.838,
  spaceRun: 0.235,
  extraSpace: 0.055,
  newlineRun: 0.968,
  punctRun: 0.512,
  otherPunct: 0.395,
  samePunct: 0.008,
  nonAscii: 0.6,
} as const;

const LETTER = 1;
const DIGIT = 2;
const SPACE = 3;
const NEWLINE = 4;
const PUNCT = 5;
const OTHER = 6;

/** The character class of each of the 128 ASCII codes. */
const CLASS = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/[A-Za-z]/.test(char)) return LETTER;
  if (/[0-9]/.test(char)) return DIGIT;
  if (char === "\n" || char === "\r") return NEWLINE;
  if (char === " " || char === "\t") return SPACE;
  return PUNCT;
});

/** Words longer than this tend to take a second token; from the second length on they are no words. */
const LONG_WORD = 8;
const VERY_LONG_WORD = 16;

export function estimateTokens(text: string): number {
  let sum = 0;
  let previous = 0;
  let previousCode = 0;
  let run = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const kind = code < 128 ? (CLASS[code] ?? OTHER) : OTHER;
    run = kind === previous ? run + 1 : 1;
    sum += costOf(kind, run, code, code === previousCode);
    previous = kind;
    previousCode = code;
  }
  return Math.max(text.length === 0 ? 0 : 1, Math.round(sum));
}

function costOf(kind: number, run: number, code: number, repeated: boolean): number {
  const first = run === 1;
  switch (kind) {
    case LETTER:
      return (
        (code >= 97 ? WEIGHTS.lower : WEIGHTS.upper) +
        (first ? WEIGHTS.letterRun : 0) +
        (run === LONG_WORD + 1 ? WEIGHTS.longWord : 0) +
        (run > VERY_LONG_WORD ? WEIGHTS.veryLongWord : 0)
      );
    case DIGIT:
      return first ? WEIGHTS.digitRun : 0;
    case SPACE:
      return first ? WEIGHTS.spaceRun : WEIGHTS.extraSpace;
    case NEWLINE:
      return first ? WEIGHTS.newlineRun : 0;
    case PUNCT:
      if (first) return WEIGHTS.punctRun;
      return repeated ? WEIGHTS.samePunct : WEIGHTS.otherPunct;
    default:
      return WEIGHTS.nonAscii;
  }
}

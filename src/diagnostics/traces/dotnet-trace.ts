import type { FailureDraft } from "../parsing/draft.ts";

/** Matches `at Acme.Cart.Add(Int32 price) in /app/Cart.cs:line 11`, in all languages of the .NET runtime. */
const FRAME =
  /^\s*(?:at|à|bei|in|в|en|em|場所|在|위치:|w|konum:|v) .{1,2000} (?:in|dans|в|en|em|na|場所|位置|파일|w|konum:|v) (.{1,1000}):(?:(?:line|ligne|Zeile|riga|línea|строка|行号|行|줄|linha|wiersz|satır|řádek) ?)?(\d{1,9})\.?$/u;
const PLAIN_FRAME = /^\s*(?:at|à|bei|в|場所|在) [\w.<>`[\]+|&,~$@/-]{1,600}\(/u;
/** Matches source paths of libraries, which refer to the machine that built the library. */
const FOREIGN = /^\/_\/|^[A-Z]:\\(?:Dev|BuildAgent|a\\_work|__w)\\|[/\\]xunit\.(?:assert|core)/;

/** Returns whether the line belongs to a .NET stack trace. */
export function isDotnetFrame(text: string): boolean {
  return PLAIN_FRAME.test(text) || FRAME.test(text);
}

/** Returns the location of a frame, if the frame contains one. */
export function dotnetFramePlace(text: string): { file: string; line: number } | undefined {
  const match = FRAME.exec(text);
  // Mono prints the id of the assembly and line 0 where it has no debug information: `in <6db11fcc124c4233>:0`.
  if (match === null || Number(match[2]) === 0) return undefined;
  return { file: match[1] ?? "", line: Number(match[2]) };
}

/** Sets the failure's location to the first frame inside the project; later frames are ignored. */
export function placeAtDotnetFrame(draft: FailureDraft, text: string): void {
  const place = draft.file === undefined ? dotnetFramePlace(text) : undefined;
  if (place === undefined || FOREIGN.test(place.file)) return;
  draft.file = place.file;
  draft.line = place.line;
}

/** Sets the expected and received values of a failure from the messages of xUnit, NUnit and MSTest. */
export function setDotnetComparison(draft: FailureDraft): void {
  const text = draft.message.join("\n");
  const lines = /(?:^|\n)\s*Expected: {0,4}(.*)\n\s*(?:Actual|But was): {0,4}(.*)/.exec(text);
  const angles = /Expected:<([\s\S]*?)>\. (?:Actual:<([\s\S]*?)>\.)/.exec(text);
  const found = lines ?? angles;
  if (found === null) return;
  draft.expected = (found[1] ?? "").trim();
  draft.received = (found[2] ?? "").trim();
}

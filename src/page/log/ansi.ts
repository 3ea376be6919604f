/** A piece of a line in one style. The style is a list of class names of the style sheet. */
export interface StyledText {
  readonly text: string;
  readonly style: string;
}

const SEQUENCE =
  // oxlint-disable-next-line no-control-regex -- escape sequences are what this file is about
  /\u001B(?:\[([0-?]*)[ -/]*([@-~])|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[PX^_][^\u001B]*(?:\u001B\\)?|[ -/]*[0-~])/g;
// oxlint-disable-next-line no-control-regex -- control characters are shown as nothing
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g;
const FLAGS: Readonly<Record<number, string>> = { 1: "b", 2: "dim", 3: "i", 4: "u", 7: "inv", 9: "strike" };
const OFF: Readonly<Record<number, readonly string[]>> = {
  22: ["b", "dim"],
  23: ["i"],
  24: ["u"],
  27: ["inv"],
  29: ["strike"],
};

/**
 * Splits a line of a log by its colour sequences. All other escape sequences and control characters are dropped, and of
 * text that a carriage return overwrote only the last is kept.
 */
export function styledTexts(line: string): StyledText[] {
  const shown = line.replace(/\r+$/, "");
  const last = shown.slice(shown.lastIndexOf("\r") + 1);
  const pieces: StyledText[] = [];
  const flags = new Set<string>();
  let colors = { fg: "", bg: "" };
  let at = 0;
  const push = (text: string): void => {
    const clean = text.replaceAll(CONTROL, "");
    if (clean !== "")
      pieces.push({ text: clean, style: [...flags, colors.fg, colors.bg].filter(Boolean).join(" ") });
  };
  for (const match of last.matchAll(SEQUENCE)) {
    push(last.slice(at, match.index));
    at = match.index + match[0].length;
    if (match[2] === "m") colors = apply(match[1] ?? "", flags, colors);
  }
  push(last.slice(at));
  return pieces;
}

interface Colors {
  readonly fg: string;
  readonly bg: string;
}

function apply(parameters: string, flags: Set<string>, before: Colors): Colors {
  const codes = parameters.split(/[;:]/).map((code) => Number(code || "0"));
  let colors = before;
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? 0;
    const flag = FLAGS[code];
    if (code === 0) {
      flags.clear();
      colors = { fg: "", bg: "" };
    } else if (flag !== undefined) flags.add(flag);
    else if (OFF[code] !== undefined) for (const one of OFF[code]) flags.delete(one);
    else if (code === 38 || code === 48) {
      const { name, used } = extended(codes.slice(i + 1));
      colors = code === 38 ? { ...colors, fg: name && `f${name}` } : { ...colors, bg: name && `g${name}` };
      i += used;
    } else colors = basic(code, colors);
  }
  return colors;
}

function basic(code: number, colors: Colors): Colors {
  if (code >= 30 && code <= 37) return { ...colors, fg: `f${code - 30}` };
  if (code >= 90 && code <= 97) return { ...colors, fg: `f${code - 82}` };
  if (code >= 40 && code <= 47) return { ...colors, bg: `g${code - 40}` };
  if (code >= 100 && code <= 107) return { ...colors, bg: `g${code - 92}` };
  if (code === 39) return { ...colors, fg: "" };
  return code === 49 ? { ...colors, bg: "" } : colors;
}

/** Maps a color of 256 or of 16 million to the nearest of the 16 that the style sheet has for both themes. */
function extended([kind, ...values]: readonly number[]): { readonly name: string; readonly used: number } {
  if (kind === 2) return { name: nearest(values.slice(0, 3)), used: 4 };
  const [index = 0] = values;
  if (kind !== 5) return { name: "", used: 0 };
  if (index < 16) return { name: String(index), used: 2 };
  const grey = (index - 232) * 10 + 8;
  const cube = index - 16;
  const level = (n: number): number => (n === 0 ? 0 : n * 40 + 55);
  const rgb =
    index >= 232
      ? [grey, grey, grey]
      : [level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)];
  return { name: nearest(rgb), used: 2 };
}

function nearest([r = 0, g = 0, b = 0]: readonly number[]): string {
  const max = Math.max(r, g, b);
  if (max - Math.min(r, g, b) < 40) return max > 200 ? "15" : max > 90 ? "7" : "8";
  const bit = (value: number): number => (value > max * 0.6 ? 1 : 0);
  const color = bit(r) + bit(g) * 2 + bit(b) * 4;
  return String(max > 200 ? color + 8 : color);
}

/**
 * The upper halves of the code pages that Windows consoles read UTF-8 with. A log that PowerShell redirected shows `ΓÇ║`, `ÔÇ║` or
 * `â€º` where the tool wrote `›`.
 */
const CP437 = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐";
const CP850 = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐";
const CP1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ";

/** How each code page shows the byte E2, with which the signs that tools draw with begin (U+2000 to U+2FFF). */
const LEADS: Readonly<Record<string, (char: string) => number>> = {
  Γ: (char) => CP437.indexOf(char),
  Ô: (char) => CP850.indexOf(char),
  â: (char) => {
    const code = char.charCodeAt(0);
    return code >= 0xa0 && code <= 0xbf ? code - 0x80 : CP1252.indexOf(char);
  },
};

const SIGN = /[ΓÔâ][\u0080-\u25FF]{2}/g;
const TIMES = /├ù|Ã—/g;

/** The text with the signs of a log that was read in the wrong code page put right. Letters stay as they are. */
export function repairSigns(text: string): string {
  if (!text.includes("Γ") && !text.includes("Ô") && !text.includes("â")) return text;
  return text.replace(SIGN, repaired).replace(TIMES, "×");
}

/** Three characters that are one sign in UTF-8, or as they were. */
function repaired(found: string): string {
  const [lead = "", second = "", third = ""] = found;
  const byte = LEADS[lead];
  const high = byte?.(second) ?? -1;
  const low = byte?.(third) ?? -1;
  return high < 0 || low < 0 ? found : String.fromCharCode(0x2000 | (high << 6) | low);
}

/**
 * The upper halves of the code pages with which Windows consoles misread UTF-8. A log that PowerShell redirected shows `ΓÇ║`, `ÔÇ║` or `â€º` where
 * the tool wrote `›`.
 */
const CP437 = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐";
const CP850 = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐";
const CP1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ";

/** The characters with which each code page shows the byte E2, the first byte of the symbols that tools print (U+2000 to U+2FFF). */
const LEADS: Readonly<Record<string, (char: string) => number>> = {
  Γ: (char) => CP437.indexOf(char),
  Ô: (char) => CP850.indexOf(char),
  â: (char) => {
    const code = char.charCodeAt(0);
    return code >= 0xa0 && code <= 0xbf ? code - 0x80 : CP1252.indexOf(char);
  },
};

const SYMBOL = /[ΓÔâ][\u0080-\u25FF]{2}/g;
const TIMES = /├ù|Ã—/g;

/** Restores the symbols of a log that was read in the wrong code page. Letters are left unchanged. */
export function repairSymbols(text: string): string {
  if (!text.includes("Γ") && !text.includes("Ô") && !text.includes("â")) return text;
  return text.replace(SYMBOL, decodeSymbol).replace(TIMES, "×");
}

/** Decodes three characters to one symbol if they are its UTF-8 bytes, otherwise returns them unchanged. */
function decodeSymbol(found: string): string {
  const [lead = "", second = "", third = ""] = found;
  const byte = LEADS[lead];
  const high = byte?.(second) ?? -1;
  const low = byte?.(third) ?? -1;
  return high < 0 || low < 0 ? found : String.fromCharCode(0x2000 | (high << 6) | low);
}

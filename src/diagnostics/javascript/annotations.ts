const TITLE = /^::(?:error|warning|notice) [^:]{0,2000}?\btitle=([^,:]*)/;
/** A longer line is not looked at: its title is within this. */
const HEAD = 4_000;

/** The title of a GitHub annotation, or undefined. Test runners write one for each failure that they have printed before. */
export function annotationTitle(text: string): string | undefined {
  if (!text.startsWith("::")) return undefined;
  const title = TITLE.exec(text.slice(0, HEAD))?.[1];
  return title?.replaceAll("%3A", ":").replaceAll("%2C", ",").replaceAll("%0A", "\n").replaceAll("%25", "%");
}

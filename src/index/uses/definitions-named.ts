import type { View } from "../live/view.ts";
import { languageFamily } from "../text/language-family.ts";
import { foldName } from "../text/terms.ts";
import { languageOfFile, type Definition } from "./definition.ts";

/** Returns the definitions of a name in languages that can use one another. */
export function definitionsNamed(view: View, name: string, language: string): Definition[] {
  const family = languageFamily(language);
  const found: Definition[] = [];
  for (const [number, { segment }] of view.segments.entries()) {
    const index = segment.names.folded.indexOf(foldName(name));
    if (index < 0) continue;
    segment.names.each(index, (document, symbol) => {
      if (segment.document(document).symbols[symbol]?.name !== name) return;
      view.eachFile(number, document, (at) => {
        const file = view.files[at];
        if (file !== undefined && languageFamily(languageOfFile(file)) === family)
          found.push({ file, symbol });
      });
    });
  }
  return found;
}

import { outlineOf } from "../../languages/outline.ts";
import { languageById } from "../../languages/registry.ts";
import type { Outline } from "../../model/symbol.ts";
import { languageOfText } from "../store/content.ts";

/**
 * Returns the definitions of a text, in the language that the name of its file or its first line shows; undefined if
 * there is no grammar for it.
 */
export async function outlineText(path: string, text: string): Promise<Outline | undefined> {
  const language = languageById(languageOfText(path, text))?.id;
  return language === undefined ? undefined : outlineOf(text, language);
}

import type { Language } from "../language.ts";
import { scanMarkup } from "./markup.ts";

/** HTML: title, headings, elements with an id, and the definitions of its scripts and styles. */
export const html: Language = {
  id: "html",
  name: "HTML",
  extensions: [".html", ".htm", ".xhtml"],
  holds: "title, headings, ids, and the symbols of embedded scripts and styles",
  outline: {
    by: "scanner",
    separator: " > ",
    scan: (text) => scanMarkup(text, { script: "javascript", withElements: true }),
  },
};

/** Vue components: the definitions of their scripts and styles. */
export const vue: Language = {
  id: "vue",
  name: "Vue",
  extensions: [".vue"],
  holds: "the symbols of the script and style blocks",
  outline: {
    by: "scanner",
    separator: ".",
    scan: (text) => scanMarkup(text, { script: "javascript", withElements: false }),
  },
};

/** Svelte and Astro components. */
export const svelte: Language = {
  id: "svelte",
  name: "Svelte",
  extensions: [".svelte", ".astro"],
  holds: "the symbols of the script and style blocks",
  outline: {
    by: "scanner",
    separator: ".",
    scan: (text) => scanMarkup(text, { script: "javascript", withElements: false }),
  },
};

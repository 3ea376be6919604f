/** What may stand before a question without a meaning of its own. It is removed as often as it is there. */
const BEFORE =
  /^(?:(?:hey|hi|hello|ok|okay|so|please|pls|kindly)[,!]? |(?:can|could|would|will) you (?:please )?|i (?:want|need|would like|wish) (?:to )?|i'd like to |help me (?:to )?|(?:find out|find|show|list|get|give|tell|display|print|enumerate|search for|look for|look up|search|determine|figure out|identify|know|see|check|go to) (?:(?:me|us) )?(?:(?:if|whether) )?|(?:a list of|all|every|each)(?: of)? (?:the )?|the )/iu;
const AFTER =
  /(?:[ ,]+(?:please|pls|thanks|thank you|anywhere|directly|at all|right now|now|today|exactly|currently|anymore|any more|and (?:from )?(?:where|why|how)))[?.!]*$/iu;
const SHORT_FORMS: readonly (readonly [RegExp, string])[] = [
  [/\b(who|what|where|which)['’]s\b/giu, "$1 is"],
  [/\s+/gu, " "],
];

/** Returns a question without greetings, "please", "can you tell me" and the like, and with short forms written out. */
export function withoutManners(text: string): string {
  let plain = text;
  for (const [short, long] of SHORT_FORMS) plain = plain.replaceAll(short, long);
  for (let last = ""; last !== plain;) {
    last = plain;
    plain = plain.replace(AFTER, "");
    // "find references X" and "the X function" are forms of their own after their first word is gone.
    plain = plain.replace(BEFORE, "");
  }
  return plain;
}

import type { Relation } from "../../model/relation.ts";

export interface RelationQuestion {
  readonly relation: Relation;
  readonly name: string;
}

const NAME = String.raw`(?:the\s+)?(?:(?:function|method|class|type|interface|struct|trait|enum|const|constant|variable|symbol|hook|component|module)\s+)?[\x60'"]?(?<name>[\p{L}_$#@][\p{L}\p{N}_$?!]*(?:(?:\.|::|#|->|\\)[\p{L}_$#][\p{L}\p{N}_$?!]*)*)(?:\(\))?[\x60'"]?`;
const END = String.raw`(?:\s+(?:anywhere|directly|now|today|function|method|class|type|interface|struct|trait|hook|component))?(?:\s+(?:in|within|inside|across) (?:(?:this|the|our|my) )?[\p{L}\p{N}_./-]+(?: (?:base|folder|directory|package|files?))?)?\s*[?.!]*$`;
const FIND = String.raw`^(?:(?:please\s+)?(?:find|show|list|get|give me|tell me)\s+(?:me\s+)?)?(?:all\s+)?(?:the\s+)?`;

/** The forms of a question, with NAME in the place of the name, by relation. The first that fits decides. */
const FORMS: readonly (readonly [Relation, readonly string[]])[] = [
  [
    "callers",
    [
      `${FIND}(?:callers?|call ?sites?|invocations?|calls) (?:of|to|for) NAME`,
      `^(?:who|what|which (?:functions?|methods?|code|files?|places?)) (?:calls?|invokes?) NAME`,
      `${FIND}(?:functions?|methods?|places?|code|files?) (?:that|which) (?:calls?|invokes?) NAME`,
      `^where (?:is|are) NAME (?:being )?(?:called|invoked)`,
      `^where (?:do|does|did) (?:we|i|it|the code|this) (?:call|invoke) NAME`,
      `^where (?:is|are) NAME (?:being )?(?:instantiated|constructed|created)`,
      `^(?:callers|call ?sites): ?NAME`,
      `^NAME (?:callers|call ?sites)`,
    ],
  ],
  [
    "callees",
    [
      `^(?:what|which)(?: (?:functions?|methods?|code))? (?:does|do) NAME (?:call|invoke|depend on|use)`,
      `${FIND}callees (?:of|for) NAME`,
      `${FIND}(?:functions?|methods?|code|things) (?:that are )?called by NAME`,
      `^what is called by NAME`,
      `^NAME callees`,
    ],
  ],
  [
    "tests",
    [
      `${FIND}tests (?:of|for|covering|that (?:cover|use|test|call|exercise)) NAME`,
      `^(?:which|what) tests? (?:cover|covers|test|tests|use|uses|exercise|exercises|call|calls|are there for) NAME`,
      `^what tests NAME`,
      `^(?:is|where is|how is) NAME (?:tested|covered)(?: by (?:a )?tests?)?`,
      `${FIND}test coverage (?:of|for) NAME`,
      `^NAME tests`,
    ],
  ],
  [
    "implementations",
    [
      `${FIND}(?:implementations?|implementers?|implementors?|subclasses|sub-classes|subtypes|overrides|derived classes) (?:of|for) NAME`,
      `^(?:who|what|which (?:classes|class|types?|structs?|modules?)) (?:implements?|extends?|inherits? from|derives? from|overrides?|subclasses) NAME`,
      `${FIND}(?:classes|types|structs) (?:that|which) (?:implement|extend|inherit from|derive from|override|subclass) NAME`,
      `^(?:where|how) is NAME implemented by`,
      `^NAME (?:implementations|subclasses)`,
    ],
  ],
  [
    "uses",
    [
      `${FIND}(?:uses|usages?|references?|refs|dependents|users|consumers|imports) (?:of|to|for) NAME`,
      `^(?:who|what|which (?:files?|functions?|code|places?|modules?)) (?:uses?|references?|imports?|depends? on|needs?|consumes?) NAME`,
      `^where (?:is|are) NAME (?:being )?(?:used|referenced|imported|consumed)`,
      `^where (?:do|does|did) (?:we|i|it|the code|this) (?:use|reference|import) NAME`,
      `${FIND}(?:files?|places?|code) (?:that|which|where) (?:uses?|references?|imports?) NAME`,
      `^(?:what|which code|who) (?:breaks|would break|will break|is affected|would be affected|depends) if (?:i|we|you|someone)? ?(?:change|changes|rename|remove|delete|edit|modify|break|refactor|move)? ?NAME(?: (?:changes|is changed|is renamed|is removed|is deleted|breaks|moves))?`,
      `^(?:impact|effects?|blast radius) of (?:changing|renaming|removing|deleting|editing|modifying)? ?NAME`,
      `^is NAME (?:still )?(?:used|referenced|needed|dead code|unused)`,
      `^(?:can|may) (?:i|we) (?:safely )?(?:remove|delete|rename) NAME`,
      `^find (?:references?|usages?) NAME`,
      `^(?:usages?|uses|references?|refs): ?NAME`,
      `^NAME (?:usages?|uses|references|refs|users)`,
    ],
  ],
];

const PATTERNS = FORMS.flatMap(([relation, forms]) =>
  forms.map((form) => ({ relation, pattern: new RegExp(`${form.replace("NAME", () => NAME)}${END}`, "iu") })),
);

/** Longest text that is read as a question about a relation. */
const MAX_QUESTION = 200;
/** Words that such a question may contain in the place of a name, but that are none. */
const NO_NAMES: ReadonlySet<string> = new Set(
  "it this that them the a an we i you me tests test code function method class file files used called what which who where".split(
    " ",
  ),
);

/** Reads a question about who uses, calls, implements or tests a definition; undefined for any other text. */
export function relationQuestion(text: string): RelationQuestion | undefined {
  const asked = text.trim();
  if (asked.length > MAX_QUESTION || asked.includes("\n")) return undefined;
  for (const { relation, pattern } of PATTERNS) {
    const name = pattern.exec(asked)?.groups?.["name"];
    if (name !== undefined && !NO_NAMES.has(name.toLowerCase())) return { relation, name };
  }
  return undefined;
}

/**
 * Returns true if the text has the form of a name of code, such as `parseQuery` or `Model.save`. A plain word such as
 * `login` may be meant as an ordinary word.
 */
export function isNameOfCode(text: string, name: string): boolean {
  return (
    /[_$.:#\\]|\p{Ll}\p{Lu}|^\p{Lu}/u.test(name) ||
    new RegExp(`[\`'"]${escape(name)}|${escape(name)}\\(\\)`, "u").test(text)
  );
}

function escape(name: string): string {
  return name.replaceAll(/[$.?!\\#]/g, "\\$&");
}

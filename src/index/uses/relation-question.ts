import type { Relation } from "../../model/relation.ts";
import { withoutManners } from "../text/manners.ts";

export interface RelationQuestion {
  readonly relation: Relation;
  readonly name: string;
  /** Limits the places to a folder or file, to tests, or to code that is no test. */
  readonly within?: PlaceLimit;
}

/** Where places are asked for: a path or a part of one, `tests`, or `no tests`. */
export type PlaceLimit =
  | { readonly kind: "path"; readonly path: string }
  | { readonly kind: "tests" | "no tests" };

const KIND =
  "(?:function|method|class|type|interface|struct|trait|mixin|enum|const|constant|variable|symbol|hook|component|module|macro|decorator|middleware|helper|service|plugin|fixture|property|field|exception|error)";
const PART = String.raw`[\p{L}_$#@][\p{L}\p{N}_$?!]*(?:<[^<>]{0,40}>)?`;
const NAME = String.raw`(?:(?:the|a|an|any|our) )?(?:new )?(?:${KIND} )?[\x60'"]?(?:this\.|self\.|\$this->|->|\.|\\|::|@)?(?<name>${PART}(?:(?:\.|::|#|->|\\)${PART})*)(?:\([^()]{0,40}\))?[\x60'"]?(?: ${KIND})?`;

const THINGS =
  "(?:code(?: paths?)?|files?|functions?|methods?|modules?|places?|components?|class(?:es)?|types?|test files?|tests?|callers?)";
const ANYTHING = `(?:who|what|which|anything|anyone|anybody|everything|everyone|everybody|something|someone|${THINGS})`;
const SUBJECT = String.raw`^${ANYTHING}(?: (?:else|all))?(?: other)?(?: ${THINGS})?(?: (?:that|which|who|where))?(?: still)?`;
const WE = "(?:we|i|you|they|it|this|the code|the app|anything|anyone|anybody|something|someone|any code)";
const CALL = "(?:call|invoke)";
const CALLED = "(?:called|invoked)";
const MAKE = "(?:instantiate|construct|create)";
const MADE = "(?:instantiated|constructed|created)";
const USE = "(?:use|reference|import|consume|need|depend on|rely on)";
const USED =
  "(?:used|referenced|imported|consumed|needed|read|written|assigned|set|rendered|thrown|raised|caught|handled)";
const DO = "(?:throw|raise|catch|render|assign|read)";
const CHANGE =
  "(?:change|changed|changing|rename|renamed|renaming|remove|removed|removing|delete|deleted|deleting|edit|editing|modify|modified|modifying|break|refactor|refactoring|move|moving)";
const PARTS = "(?:(?:the )?(?:signature|arguments|parameters|return type|name|behaviou?r) of )?";

/** The forms of a question, with NAME in the place of the name, by relation. The first that fits decides. */
const FORMS: readonly (readonly [Relation, readonly string[]])[] = [
  [
    "tests",
    [
      "^(?:unit |integration )?tests? (?:of|for|covering|that (?:cover|use|test|call|exercise)s?) NAME",
      "^(?:where are|are there|is there)(?: the| any| a| an)?(?: unit| integration)? tests? (?:of|for|covering) NAME",
      "^(?:which|what)(?: unit)? tests? (?:covers?|tests?|uses?|exercises?|calls?|are there for|is there for) NAME",
      "^what tests NAME",
      "^(?:is|where is|how is) NAME (?:unit )?(?:tested|covered)(?: by (?:a |any )?(?:unit )?tests?)?",
      "^does NAME have(?: a| any)?(?: unit)? tests?",
      "^test files? (?:of|for|covering|that (?:cover|use|test|call|exercise)s?) NAME",
      "^test coverage (?:of|for) NAME",
      "^NAME tests",
    ],
  ],
  [
    "callers",
    [
      "^(?:callers?|call ?sites?|invocations?|(?:function |method )?calls|incoming calls|call hierarchy)(?:(?: of| to| for)? |: ?)NAME",
      `${SUBJECT} (?:${CALL}s?|is ${CALL}ing|are ${CALL}ing|calling|${MAKE}s?|triggers?) NAME`,
      `^(?:from where|where)(?: all| else)? (?:is|are|does|do)(?: instances of)? NAME (?:objects? |instances? )?(?:being |get )?(?:${CALLED}|${MADE})(?: from| by)?(?: where)?`,
      `^where(?: instances of)? NAME (?:is|are|gets)(?: being)? (?:${CALLED}|${MADE})(?: from)?`,
      `^(?:places? )?where(?: are| is) NAME (?:objects|instances) (?:being )?${MADE}`,
      `^places? (?:where )?NAME (?:is|are|gets)(?: being)? (?:${CALLED}|${MADE})(?: from)?`,
      `^where (?:do|does|did) ${WE} (?:${CALL}|${MAKE}) NAME`,
      `^(?:does|do|is|are) ${WE} (?:still )?(?:${CALL}|${CALL}ing) NAME`,
      "^how many callers (?:does|has) NAME(?: have| got)?",
      "^how (?:is|often is|many times is) NAME called",
      "^call graph (?:of|for|to) NAME",
      "^NAME (?:callers|call ?sites|(?:is )?called (?:by|from)(?: whom| who| what| where)?|call hierarchy|incoming calls)",
    ],
  ],
  [
    "callees",
    [
      "^(?:what|which)(?: (?:functions?|methods?|code))? (?:does|do) NAME (?:call|invoke|depend on|use)",
      "^what is NAME (?:calling|invoking)",
      "^(?:callees|outgoing calls|dependencies) (?:of|for|from) NAME",
      "^(?:functions?|methods?|code|things|everything) (?:that (?:is|are) )?called by NAME",
      "^what is called by NAME",
      "^NAME (?:callees|outgoing calls)",
    ],
  ],
  [
    "implementations",
    [
      "^(?:implementations?|implementers?|implementors?|subclass(?:es)?|sub-class(?:es)?|subtypes?|overrides|(?:derived|child|inheriting|implementing) (?:classes|types)|children) (?:of|for) NAME",
      "^(?:who|(?:what|which)(?: (?:else|classes|class|types?|structs?|modules?|methods?))?|classes|types|structs|methods|modules)(?: (?:that|which))? (?:implements?|extends?|inherits? from|derives? from|overrides?|subclass(?:es)?|includes?|mix(?:es)? in) NAME",
      "^(?:classes|types|structs|modules|methods) (?:implementing|extending|inheriting from|deriving from|overriding|subclassing|including|mixing in) NAME",
      "^where (?:is|are|does|do) NAME (?:subclassed|extended|overridden|included|mixed in|inherited)(?: from)?",
      "^(?:where|how) is NAME implemented by",
      "^NAME (?:implementations|implementers|subclasses)",
    ],
  ],
  [
    "uses",
    [
      "^(?:find_references|find_usages|findReferences|findUsages) NAME",
      "^(?:uses?|usages?|references?|refs|(?:reverse )?dependen(?:t|cie)s|users|consumers|clients|imports|occurrences) (?:of|to|for) NAME",
      "^(?:usages?|uses|references?|refs|xrefs?)(?:(?: for)? |: ?)NAME",
      "^(?:(?:usage|use) )?examples? of (?:using |how to use |the use of )?NAME(?: usages?)?",
      `${SUBJECT} (?:${USE.replace("depend", "depends?").replace("rely", "relies?")}|uses|references|imports|consumes|needs|is using|are using|using|is importing|importing|referencing|depending on) NAME`,
      `${SUBJECT} (?:${DO}(?:s|es)?|${DO}ing|sets?|writes?(?: to)?) NAME`,
      `^(?:from where|where)(?: all| else)? (?:is|are|does|do) NAME (?:defined and |declared and )?(?:being |get )?${USED}`,
      `^where NAME (?:is|are|gets)(?: being)? ${USED}`,
      `^places? (?:where )?NAME (?:is|are|gets)(?: being)? ${USED}`,
      `^where (?:do|does|did) ${WE} (?:still )?(?:${USE}|${DO}) NAME`,
      `^(?:does|do|is|are) ${WE} (?:still )?(?:${USE}|using|importing|referencing) NAME`,
      `^is there (?:any(?:thing)?|some)(?: code)? (?:that|which|who) (?:uses?|calls?|references?) NAME`,
      "^how many (?:places|files|functions|times) (?:use|uses|call|reference|import) NAME",
      `^(?:what|which code|who) (?:breaks|would break|will break|could break|might break|(?:is|would be|will be) (?:affected|impacted)|depends|happens|(?:else )?(?:needs to|must|has to|should) (?:change|be changed|be updated)|(?:do|must|should) (?:i|we|you) (?:need to |have to )?(?:update|change|fix)) (?:if|when) (?:(?:i|we|you|someone) )?(?:${CHANGE} )?${PARTS}NAME(?:'s (?:signature|arguments|parameters|return type|name))?(?: (?:changes|is changed|is renamed|is removed|is deleted|breaks|moves))?`,
      `^what (?:is|would be|gets|will be) (?:affected|impacted) by (?:${CHANGE}|a change (?:to|of|in)) ${PARTS}NAME`,
      `^what (?:does|would|will|could) (?:${CHANGE}|a change (?:to|of|in)) ${PARTS}NAME (?:break|affect|impact)`,
      `^(?:impacts?|(?:ripple |side )?effects?|blast radius|impact analysis)(?: of| for|:)? (?:${CHANGE} |a change (?:to|of|in) )?${PARTS}NAME(?: changes?)?`,
      "^is NAME (?:still )?(?:being )?(?:used|referenced|needed|dead code|unused|dead)(?: by (?:anything|anyone|any code))?",
      "^(?:is it )?(?:safe|ok|okay) to (?:remove|delete|rename|change) NAME",
      "^(?:can|may|could) (?:i|we) (?:safely )?(?:remove|delete|rename|change) NAME",
      "^what is NAME used (?:by|for)",
      "^how (?:is|often is|many times is) NAME (?:being )?used",
      "^NAME (?:usages?|uses|references|refs|users|used by)",
    ],
  ],
];

const END = String.raw`\s*[?.!]*$`;
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
  const written = text.trim();
  if (written.length > MAX_QUESTION || written.includes("\n")) return undefined;
  const { asked, within } = splitLimit(withOwner(plainQuestion(withoutManners(written))));
  const plain = withOwner(asked);
  const found = formOf(plain) ?? formOf(plain.replace(ASKED_ABOUT, ""));
  return found === undefined ? undefined : { ...found, ...(within !== undefined && { within }) };
}

/** Matches what may stand before a question that is a list: `what are the callers of X`, `are there any uses of X`. */
const ASKED_ABOUT =
  /^(?:(?:what|who|which|where) (?:are|is) (?:all )?(?:the )?|(?:are|is) there (?:any|some|a|an|other) |(?:is|are) (?:any|some)(?:one|body|thing)? |any |how (?:do|can) (?:i|we) (?:find|see|list|get|know) (?:out )?(?:all )?(?:the )?|(?:trace|track down) (?:all )?(?:the )?)/iu;

function formOf(text: string): Pick<RelationQuestion, "relation" | "name"> | undefined {
  for (const { relation, pattern } of PATTERNS) {
    const name = pattern.exec(text)?.groups?.["name"]?.replaceAll(/<[^<>]*>/g, "");
    if (name !== undefined && !NO_NAMES.has(name.toLowerCase())) return { relation, name };
  }
  return undefined;
}

/** Rewritings of forms that only say a question in more words. */
const REWRITTEN: readonly (readonly [RegExp, string])[] = [
  // "parseQuery: who calls it?"
  [
    /^(?<subject>[^\s:]{1,200}) ?(?::|-|–|,) (?<question>(?:who|what|where|which|how) .*?)\bit\b/iu,
    "$<question>$<subject>",
  ],
  [
    /^(?:what|who|which) (?:are|is) (?:all )?(?:of )?(?:the )?(?=(?:direct )?(?:callers?\b|call ?sites?\b|use|usage|ref|test|sub|implement|place|user|dependent|consumer))/iu,
    "",
  ],
  [
    /^(?:grep for|grep|locate|collect|trace) (?:all )?(?:the )?(?=(?:call|use|usage|ref|test|sub|implement|place))/iu,
    "",
  ],
  [/^(?:direct|immediate) (?=call|use|ref|sub)/iu, ""],
  [
    /^(?<where>where|what|who) (?:exactly|in (?:the|our|this) (?:code ?base|code|repo|repository|project|source)) /iu,
    "$<where> ",
  ],
  [/\b(?:the )?constructor (?:of|for) (?:the )?/iu, ""],
];

function plainQuestion(text: string): string {
  return REWRITTEN.reduce((plain, [pattern, replacement]) => plain.replace(pattern, replacement), text);
}

const LIMIT =
  /^(?<asked>.+?) (?:in|within|inside|inside of|under|across|throughout|from) (?:(?:this|the|our|my|any|all) )?(?<where>[\p{L}\p{N}_./@#+-]+?)(?: (?:base|folder|directory|dir|package|module|files?|code|crate))?[?.!]*$/iu;
const NO_TESTS =
  /^(?<asked>.+?)(?:,? (?:outside(?: of)?|not in|except(?: in)?|excluding|ignoring|without) (?:the )?tests?)[?.!]*$/iu;
/** Words for everything there is, which limit nothing. */
const EVERYTHING: ReadonlySet<string> = new Set(
  "code codebase code-base repo repository project workspace source sources where app application".split(" "),
);

/** Splits off where the places are asked for: `callers of X in src/`. */
function splitLimit(text: string): { readonly asked: string; readonly within?: PlaceLimit } {
  const outside = NO_TESTS.exec(text)?.groups;
  if (outside?.["asked"] !== undefined) return { asked: outside["asked"], within: { kind: "no tests" } };
  const groups = LIMIT.exec(text)?.groups;
  const where = groups?.["where"]?.replace(/^\.\/|\/$|\.$/gu, "");
  if (groups?.["asked"] === undefined || where === undefined || where === "") return { asked: text };
  // "called from", and "inherits from X", which is no place.
  if (/ (?:inherits?|inheriting|derives?|deriving|called|calls)$/iu.test(groups["asked"]))
    return { asked: text };
  if (EVERYTHING.has(where.toLowerCase())) return { asked: groups["asked"] };
  if (/^tests?$/iu.test(where)) return { asked: groups["asked"], within: { kind: "tests" } };
  return { asked: groups["asked"], within: { kind: "path", path: where } };
}

const MEMBER = String.raw`[\x60'"]?(?<member>[\p{L}_$#][\p{L}\p{N}_$?!]*)(?:\(\))?[\x60'"]?`;
const OWNER = String.raw`[\x60'"]?(?<owner>[\p{L}_$][\p{L}\p{N}_$.:]*)[\x60'"]?`;
const OWNED: readonly RegExp[] = [
  new RegExp(`(?:the )?method ${MEMBER} (?:of|on) (?:the )?(?:${KIND} )?${OWNER}(?: ${KIND})?`, "iu"),
  new RegExp(`(?:the )?${MEMBER} method (?:of|on|in) (?:the )?(?:${KIND} )${OWNER}`, "iu"),
  new RegExp(`(?:the )?${MEMBER} method (?:of|on) (?:the )?${OWNER}(?: ${KIND})?`, "iu"),
  // A name with a capital is a type, another one may be a folder.
  new RegExp(
    `(?:[Tt]he )?${MEMBER} method in (?:the )?(?=[\\x60'"]?\\p{Lu})${OWNER}(?![\\p{L}/])(?: ${KIND})?`,
    "u",
  ),
  new RegExp(`${MEMBER} (?:on|in) (?:the )?(?:class|trait|interface|struct|mixin) ${OWNER}`, "iu"),
  new RegExp(`${OWNER}['’]s ${MEMBER} method`, "iu"),
];

/** Writes a member that is described by its type as one name: `Store.save` for "the save method of Store". */
function withOwner(text: string): string {
  for (const pattern of OWNED) {
    const found = pattern.exec(text)?.groups;
    if (found !== undefined) return text.replace(pattern, () => `${found["owner"]}.${found["member"]}`);
  }
  return text;
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

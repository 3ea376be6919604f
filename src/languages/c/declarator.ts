import type { Node } from "web-tree-sitter";

/** The name that a declarator declares: `*(*name)(int)` declares `name`, a pointer and not a function. */
export interface Declared {
  readonly at: Node;
  readonly isFunction: boolean;
  /** The initial value, if there is one. */
  readonly value?: Node;
}

const NAMES: ReadonlySet<string> = new Set([
  "identifier",
  "field_identifier",
  "type_identifier",
  "qualified_identifier",
  "operator_name",
  "destructor_name",
  "operator_cast",
  "template_function",
  "template_method",
  "primitive_type",
]);

/** Follows a C or C++ declarator inward to its name. */
export function declared(declarator: Node): Declared | undefined {
  let node: Node | null = declarator;
  let isFunction = false;
  let value: Node | null = null;
  // Deeper nesting occurs only in hostile input.
  for (let steps = 0; node !== null && steps < 50; steps += 1) {
    const type: string = node.type;
    if (NAMES.has(type)) {
      const isCast = type === "operator_cast";
      return { at: node, isFunction: isFunction || isCast, ...(value === null ? {} : { value }) };
    }
    if (type === "init_declarator") value = node.childForFieldName("value");
    if (type === "function_declarator") isFunction = true;
    else if (type === "pointer_declarator" || type === "reference_declarator") isFunction &&= !isNested(node);
    node = innerDeclarator(node);
  }
  return undefined;
}

/** True for `int (*f)(void)`, where a pointer in parentheses makes the declaration a variable. */
function isNested(pointer: Node): boolean {
  return pointer.type === "pointer_declarator" || pointer.type === "reference_declarator";
}

function innerDeclarator(node: Node): Node | null {
  const field = node.childForFieldName("declarator");
  if (field !== null) return field;
  const { type } = node;
  if (!/^(?:parenthesized|reference|attributed|variadic)_declarator$/u.test(type)) return null;
  return node.namedChildren.find((child) => /declarator$|identifier$|name$/u.test(child.type)) ?? null;
}

import { spawnSync } from "node:child_process";
import { type Truth, truthFrom } from "./truth.ts";

/** Python script that lists functions, classes and names assigned in modules and classes. Local names are optional. */
const PROGRAM = `
import ast, json, sys, warnings
warnings.simplefilter("ignore")
def targets(node):
    if isinstance(node, ast.Name): yield node
    elif isinstance(node, (ast.Tuple, ast.List)):
        for part in node.elts: yield from targets(part)
    elif isinstance(node, ast.Starred): yield from targets(node.value)
def walk(node, local, out, scope=""):
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            out.append([child.name, child.lineno, type(child).__name__, False, scope, local])
            inner = child.name if scope == "" else scope + "." + child.name
            walk(child, not isinstance(child, ast.ClassDef), out, inner)
            continue
        if isinstance(child, (ast.Assign, ast.AnnAssign)):
            for target in (child.targets if isinstance(child, ast.Assign) else [child.target]):
                for name in targets(target): out.append([name.id, name.lineno, "variable", local, scope, local])
        walk(child, local or isinstance(child, ast.Lambda), out, scope)
for line in sys.stdin:
    path = line.rstrip("\\n")
    try:
        with open(path, "rb") as file: tree = ast.parse(file.read())
    except (SyntaxError, ValueError, RecursionError): continue
    out = []
    walk(tree, False, out)
    print(json.dumps([path, out]))
`;

/** Returns what Python's own parser finds; a file that it rejects has no entry. */
export function pythonTruth(files: readonly string[]): Map<string, Truth[]> {
  const { stdout, error } = spawnSync("python3", ["-c", PROGRAM], {
    input: `${files.join("\n")}\n`,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  if (error !== undefined) throw error;
  return truthFrom(stdout);
}

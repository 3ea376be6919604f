import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { sample, type Truth, type TrueUses } from "./truth.ts";

/** A language server that answers who refers to a definition. */
interface ServerCommand {
  readonly command: readonly string[];
  readonly language: string;
  readonly isSource: RegExp;
  /** Lines whose names are no uses: imports and comments. */
  readonly isIgnored: RegExp;
  /** The lines above a definition whose uses the server does not know. */
  readonly isUnknown?: RegExp;
  /** Lines on which a listed symbol is only declared; its definition is listed elsewhere. */
  readonly isDeclaration?: RegExp;
  /** Statements over several lines whose names are no uses either. */
  readonly ignoredText?: RegExp;
  /** True if the constructors of a class, which have its name, are listed among its uses. */
  readonly listsConstructors?: boolean;
}

/** Returns the server that a truth is named after; undefined for other tools. */
export function serverOf(truth: string, folder: string): ServerCommand | undefined {
  const intelephense = join(folder, "node_modules/intelephense/lib/intelephense.js");
  if (truth === "intelephense" && !existsSync(intelephense)) return undefined;
  if (truth === "intelephense")
    return {
      command: ["node", intelephense, "--stdio"],
      language: "php",
      isSource: /\.php$/u,
      isIgnored: /^\s*(?:use\b|\*|\/\/|\/\*|#(?!\[))/u,
    };
  const pyright = join(folder, "node_modules/pyright/langserver.index.js");
  if (truth === "pyright" && existsSync(pyright))
    return {
      command: ["node", pyright, "--stdio"],
      language: "python",
      isSource: /\.pyi?$/u,
      isIgnored: /^\s*(?:(?:from|import)\b|#)/u,
      // Pyright does not know that pytest gives the parameters of tests the values of its fixtures.
      isUnknown: /^\s*@(?:\w+\.)*fixture\b/mu,
      ignoredText: /^[ \t]*from\b[^(\n]*\([^)]*\)/gmu,
    };
  if (truth !== "clangd") return undefined;
  return {
    command: ["clangd", "--background-index", "--log=error"],
    language: "cpp",
    isSource: /\.(?:c|h|hpp|cc|cpp|cxx)$/u,
    isIgnored: /^\s*(?:using\b|\*|\/\/|\/\*|#include)/u,
    // Forward declarations, and specializations of templates, which are other forms of one definition.
    isDeclaration:
      /^\s*(?:template\s*<[^;{]*>\s*)?(?:class|struct|union|enum)\b[^;{]*;|^\s*(?:template\s*<.*>\s*)?(?:class|struct)\s+[\w\s]*\w\s*</u,
    listsConstructors: true,
  };
}

interface Position {
  readonly line: number;
  readonly character: number;
}

interface ServerSymbol {
  readonly name: string;
  readonly kind: number;
  readonly selectionRange: { readonly start: Position };
  readonly children?: readonly ServerSymbol[];
}

interface Place {
  readonly uri: string;
  readonly range: { readonly start: Position };
}

interface Named {
  readonly path: string;
  readonly name: string;
  readonly isMember: boolean;
  readonly at: Position;
}

// Numbers of the protocol for kinds of symbols.
const CONTAINERS: ReadonlySet<number> = new Set([2, 3]);
const TYPES: ReadonlySet<number> = new Set([5, 10, 11, 23]);
const MEMBERS: ReadonlySet<number> = new Set([6, 7, 8]);
const FUNCTION = 12;
const MAX_SYMBOLS = 150;
const LINES_OF_DECORATORS = 3;

/** Asks a language server for the uses of definitions in some files. */
export async function serverTruth(
  root: string,
  files: readonly string[],
  server: ServerCommand,
): Promise<Truth> {
  const connection = connect(server.command, root);
  await connection.ask("initialize", {
    processId: process.pid,
    rootUri: pathToFileURL(root).href,
    workspaceFolders: [{ uri: pathToFileURL(root).href, name: "root" }],
    capabilities: { textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true } } },
  });
  connection.tell("initialized", {});
  const sources = files.filter((path) => server.isSource.test(path));
  const texts = new Map(sources.map((path) => [path, readFileSync(join(root, path), "utf8")]));
  const named: Named[] = [];
  for (const [path, text] of texts) {
    const uri = pathToFileURL(join(root, path)).href;
    connection.tell("textDocument/didOpen", {
      textDocument: { uri, languageId: server.language, version: 1, text },
    });
    const symbols = await connection.ask("textDocument/documentSymbol", { textDocument: { uri } });
    const lines = text.split("\n");
    named.push(
      ...namedIn(symbols as readonly ServerSymbol[], path, undefined).filter(
        ({ at }) =>
          server.isDeclaration?.test(lines[at.line] ?? "") !== true &&
          server.isUnknown?.test(
            lines.slice(Math.max(0, at.line - LINES_OF_DECORATORS), at.line).join("\n"),
          ) !== true,
      ),
    );
  }
  const chosen = [false, true].flatMap((isMember) =>
    sample(
      named.filter((one) => one.isMember === isMember),
      MAX_SYMBOLS,
      ({ path, name }) => `${path} ${name}`,
    ),
  );
  const ignored = new Set<string>();
  const ignoredLines = new Set(
    [...texts].flatMap(([path, text]) =>
      linesOf(text, server.ignoredText).map((line) => `${path}:${line + 1}`),
    ),
  );
  const symbols: TrueUses[] = [];
  for (const { path, name, isMember, at } of chosen) {
    const places = (await connection.ask("textDocument/references", {
      textDocument: { uri: pathToFileURL(join(root, path)).href },
      position: at,
      context: { includeDeclaration: false },
    })) as readonly Place[] | null;
    const uses: string[] = [];
    for (const place of places ?? []) {
      const file = relative(root, fileURLToPath(place.uri));
      const { line } = place.range.start;
      const text = texts.get(file)?.split("\n")[line];
      if (text === undefined || (file === path && line === at.line)) continue;
      const own = name.split(".").at(-1) ?? name;
      const isConstructor = server.listsConstructors === true && isOnlyConstructor(text, own);
      // What a macro expands to and operators do not spell the name.
      const isUnspelled = !text.includes(own.replace(/^operator\W+$/u, "operator"));
      const isDeclared = server.isDeclaration?.test(text) === true;
      const isIgnored = server.isIgnored.test(text) || ignoredLines.has(`${file}:${line + 1}`);
      if (isIgnored || isConstructor || isUnspelled || isDeclared) ignored.add(`${file}:${line + 1} ${name}`);
      else uses.push(`${file}:${line + 1}`);
    }
    symbols.push({ path, line: at.line + 1, name, isMember, uses: [...new Set(uses)] });
  }
  connection.stop();
  return { symbols, files: sources, ignored: [...ignored] };
}

/** Returns the lines, from 0, of what the pattern matches. */
function linesOf(text: string, pattern: RegExp | undefined): number[] {
  return [...(pattern === undefined ? [] : text.matchAll(pattern))].flatMap(({ 0: matched, index }) => {
    const first = text.slice(0, index).split("\n").length - 1;
    return matched.split("\n").map((_, at) => first + at);
  });
}

/** Returns true for the line on which a class declares a constructor or its destructor, if it does not name the class again. */
function isOnlyConstructor(text: string, name: string): boolean {
  // The name of an operator, such as `operator++`, is none of a class.
  if (!/^\w+$/u.test(name)) return false;
  const mentions = text.split(new RegExp(`\\b${name}\\b`, "u"));
  return (
    mentions.length === 2 &&
    /^\s*(?:\w+\s+)*~?$/u.test(mentions[0] ?? "") &&
    /^\s*\(/u.test(mentions[1] ?? "")
  );
}

function namedIn(symbols: readonly ServerSymbol[], path: string, owner: string | undefined): Named[] {
  return symbols.flatMap(({ name, kind, selectionRange, children = [] }) => {
    const at = selectionRange.start;
    if (CONTAINERS.has(kind)) return namedIn(children, path, owner);
    const plain = name.replace(/^.*(?:::|\\)|^\$|[(<].*$/gu, "");
    if (TYPES.has(kind) && owner === undefined)
      return [{ path, name: plain, isMember: false, at }, ...namedIn(children, path, plain)];
    if (kind === FUNCTION && owner === undefined) return [{ path, name: plain, isMember: false, at }];
    // A call of a class runs it, but the server does not list the call.
    if (plain === "__init__") return [];
    if (MEMBERS.has(kind) && owner !== undefined)
      return [{ path, name: `${owner}.${plain}`, isMember: true, at }];
    return [];
  });
}

interface Connection {
  ask(method: string, params: object): Promise<unknown>;
  tell(method: string, params: object): void;
  stop(): void;
}

function connect([program = "", ...args]: readonly string[], cwd: string): Connection {
  const child: ChildProcess = spawn(program, args, { cwd, stdio: ["pipe", "pipe", "ignore"] });
  const waiting = new Map<number, (result: unknown) => void>();
  let buffer = Buffer.alloc(0);
  const send = (message: object): void => {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    child.stdin?.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  child.stdout?.on("data", (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (;;) {
      const end = buffer.indexOf("\r\n\r\n");
      const length = Number(
        /Content-Length: (\d+)/iu.exec(buffer.toString("latin1", 0, Math.max(0, end)))?.[1],
      );
      if (end < 0 || buffer.length < end + 4 + length) return;
      const message = JSON.parse(buffer.toString("utf8", end + 4, end + 4 + length)) as {
        readonly id?: number;
        readonly method?: string;
        readonly result?: unknown;
      };
      buffer = buffer.subarray(end + 4 + length);
      if (message.id === undefined) continue;
      // A question of the server, for example for its settings, gets an empty answer.
      if (message.method !== undefined)
        send({ id: message.id, result: message.method.endsWith("configuration") ? [{}] : null });
      else {
        waiting.get(message.id)?.(message.result);
        waiting.delete(message.id);
      }
    }
  });
  let next = 0;
  return {
    ask: (method, params) =>
      new Promise((done) => {
        const id = ++next;
        waiting.set(id, done);
        send({ id, method, params });
      }),
    tell: (method, params) => {
      send({ method, params });
    },
    stop: () => void child.kill(),
  };
}

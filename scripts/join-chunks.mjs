// Joins the chunks of a bundle that a starting server loads. esbuild makes a chunk of the code that the same lazily loaded parts share,
// so with a hundred such parts a server opens sixty files before its first reply, which takes longer than running what is in them. Here
// only whole processes count: chunks that the same commands load at their start become one file, and no command loads more than before.
import { basename } from "node:path";
import { build } from "esbuild";

/** Bundled CommonJS packages call require() for Node's built-in modules. */
const REQUIRE = 'import{createRequire as __cr}from"node:module";const require=__cr(import.meta.url);';

/**
 * Builds with `options` and writes the result with fewer chunks. Returns the files that went into the bundle.
 *
 * @param {import("esbuild").BuildOptions} options
 */
export async function buildJoined(options) {
  const { metafile, outputFiles } = await build({ ...options, metafile: true, write: false });
  const chunks = new Map();
  for (const [path, { imports, exports, entryPoint }] of Object.entries(metafile.outputs))
    chunks.set(basename(path), { imports, exports, entryPoint });
  for (const { path, text } of outputFiles) chunks.get(basename(path)).text = text;

  /** Where the content of a joined chunk is now: the file, and the prefix of the chunk's names in it. */
  const homes = new Map();
  for (const groups of chunksByStarts(chunks, Object.keys(options.entryPoints))) {
    const texts = new Map();
    for (const [number, group] of groups.entries())
      texts.set(
        `group${number}`,
        group.map((name, place) => reexport(chunks.get(name), name, { to: `_${place}_` })).join(""),
      );
    const files = await write(texts, "chunk-[hash]", new Set(groups.flat()));
    for (const [number, group] of groups.entries())
      for (const [place, name] of group.entries())
        homes.set(name, { file: files.get(`group${number}`), from: `_${place}_` });
  }
  const rest = [...chunks].filter(([name]) => !homes.has(name));
  const texts = new Map(rest.map(([name, { text }]) => [basename(name, ".js"), text]));
  await write(texts, "[name]", new Set());
  return Object.keys(metafile.inputs);

  /** Writes one file for each text, with the chunks of `inside` that it imports. Returns the names of the files by those of the texts. */
  async function write(texts, entryNames, inside) {
    const written = await build({
      ...options,
      entryPoints: [...texts.keys()],
      entryNames,
      splitting: false,
      banner: { js: REQUIRE },
      plugins: [redirectChunks(chunks, texts, homes, inside)],
      // The first build has reported what there is to say.
      logLevel: "error",
      metafile: true,
    });
    const files = Object.entries(written.metafile.outputs);
    return new Map(files.map(([path, { entryPoint }]) => [entryPoint.replace("text:", ""), basename(path)]));
  }
}

/** What every command loads first, and what a server loads then. All other parts of a server are loaded when these are there. */
const COMMAND_LINE = "src/cli/main.ts";
const SERVER = "src/cli/serve.ts";
const COMMAND_LINE_PROGRAM = "pith.js";
const SUPERVISOR_PROGRAM = "supervisor.js";
/** The most bytes of a chunk that is joined with others that are not always loaded together. */
const SMALL_CHUNK = 10_000;

/**
 * Groups the chunks of a starting server by the processes that load them at their start: commands, hooks, workers. A chunk imports only
 * what its processes load too, so a group imports only groups of more processes: these come first, groups of the same number together.
 */
function chunksByStarts(chunks, programs) {
  const entries = new Map();
  for (const [name, { entryPoint }] of chunks) if (entryPoint !== undefined) entries.set(entryPoint, name);
  const everyCommand = importsOf(chunks, entries.get(COMMAND_LINE));
  const server = new Set([...everyCommand, ...importsOf(chunks, entries.get(SERVER))]);
  const startsOf = new Map();
  for (const [source, file] of entries) {
    const isCommand = source.startsWith("src/cli/");
    const isProgram = programs.includes(basename(file, ".js")) && file !== COMMAND_LINE_PROGRAM;
    if (!isCommand && !isProgram && !source.startsWith("src/hook/")) continue;
    // The other programs load their few lazy parts soon after their start.
    const loaded = importsOf(
      chunks,
      file,
      isProgram ? ["import-statement", "dynamic-import"] : ["import-statement"],
    );
    for (const name of new Set([...loaded, ...(isCommand ? everyCommand : [])]))
      // The files of entry points keep their names.
      if (server.has(name) && chunks.get(name).entryPoint === undefined)
        startsOf.set(name, [...(startsOf.get(name) ?? []), source]);
  }
  const bySets = groupBy(startsOf.keys(), (name) => startsOf.get(name).join());
  const bySizes = groupBy(bySets.values(), ([name]) => startsOf.get(name).length);
  const ordered = [...bySizes].sort(([a], [b]) => b - a).map(([, groups]) => groups);
  return [...ordered, ...chunksOfSupervisor(chunks, server)];
}

/**
 * Finds what else a supervisor loads. It is started for every run, and most of its start was opening forty files. The small chunks become
 * one file, although other parts load some of them alone, because a file costs more than what is in it. The parsers of build tools become
 * another, with the chunks that are only loaded where they are loaded too.
 */
function chunksOfSupervisor(chunks, server) {
  const loaded = importsOf(chunks, SUPERVISOR_PROGRAM, ["import-statement", "dynamic-import"]);
  const own = [...loaded].filter((name) => !server.has(name) && chunks.get(name).entryPoint === undefined);
  const entries = [...chunks.keys()].filter((name) => chunks.get(name).entryPoint !== undefined);
  const reached = new Map(entries.map((entry) => [entry, importsOf(chunks, entry)]));
  const largest = own.reduce((a, b) => (chunks.get(b).text.length > chunks.get(a).text.length ? b : a));
  const isBeside = (name) =>
    entries.every((entry) => !reached.get(entry).has(name) || reached.get(entry).has(largest));
  const isSmall = (name) => chunks.get(name).text.length <= SMALL_CHUNK && !isBeside(name);
  // A small chunk that imports a large one stays apart: the large one may import another small one.
  const small = own.filter((name) =>
    [name, ...importsOf(chunks, name)].every((one) => server.has(one) || isSmall(one)),
  );
  return [[small], [own.filter(isBeside)]];
}

function groupBy(items, key) {
  const groups = new Map();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}

function importsOf(chunks, from, kinds = ["import-statement"], seen = new Set()) {
  for (const { path, kind } of chunks.get(from).imports) {
    const name = basename(path);
    if (!kinds.includes(kind) || !chunks.has(name) || seen.has(name)) continue;
    seen.add(name);
    importsOf(chunks, name, kinds, seen);
  }
  return seen;
}

/** Finds what a file imports: chunks `inside` go into it, joined ones are in their new home, all others stay where they are. */
function redirectChunks(chunks, texts, homes, inside) {
  const resolve = ({ path, kind }) => {
    const name = basename(path);
    if (kind === "entry-point") return { path, namespace: "text" };
    if (kind === "import-statement" && inside.has(name)) return { path: name, namespace: "chunk" };
    if (homes.has(name)) return { path: name, namespace: "home" };
    return { path, external: true };
  };
  const load = ({ path, namespace }) => {
    if (namespace === "text") return { contents: texts.get(path) };
    if (namespace === "chunk") return { contents: chunks.get(path).text };
    const { file, from } = homes.get(path);
    return { contents: reexport(chunks.get(path), file, { from }) };
  };
  return {
    name: "chunks",
    setup(setup) {
      setup.onResolve({ filter: /.*/ }, resolve);
      for (const namespace of ["text", "chunk", "home"]) setup.onLoad({ filter: /.*/, namespace }, load);
    },
  };
}

/** Exports what a chunk exports, from a file in which these names have the prefix `from`, as names with the prefix `to`. */
function reexport({ exports }, file, { from = "", to = "" }) {
  const names = exports.map((name) => `${from}${name} as ${to}${name}`);
  return `export {${names.join(",")}} from "./${file}";import "./${file}";`;
}

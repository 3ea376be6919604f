// Packs the published packages: pith itself, and one package with the SQLite binding per platform, so that an install downloads only one
// binding. Usage: node scripts/release.mjs [FOLDER]; build first.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(import.meta.dirname, "..");
const sqlite = join(root, "dist/vendor/sqlite");

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const file of packRelease(resolve(process.argv[2] ?? join(root, "release")))) console.log(file);

/**
 * Packs pith and its bindings into the folder and returns the paths of the tarballs, pith first. `isWanted` limits the packed bindings;
 * a test needs only those of its machine.
 */
export function packRelease(folder, isWanted = () => true) {
  const { version, repository } = readJson(join(root, "package.json"));
  const stage = join(folder, "stage");
  rmSync(stage, { recursive: true, force: true });
  const bindings = bindingPackages().map((binding) => stageBinding(stage, binding, { version, repository }));
  const wanted = bindings.filter(({ name }) => isWanted(name));
  const homes = [stagePith(stage, bindings, version), ...wanted.map(({ home }) => home)];
  const files = homes.map((home) => pack(home, folder));
  rmSync(stage, { recursive: true });
  return files;
}

/** True if npm would install this binding on this machine. */
export function isForThisMachine(name) {
  const libc = process.report.getReport().header.glibcVersionRuntime === undefined ? "-musl" : "-glibc";
  return (
    name === `pith-sqlite-${process.platform}-${process.arch}${process.platform === "linux" ? libc : ""}`
  );
}

/** Returns each binding's package name and target machines; a prebuilt file is named `<os>-<cpu>/<name>.<libc>.node`. */
function bindingPackages() {
  return readdirSync(join(sqlite, "prebuilds")).flatMap((platform) => {
    const [os, cpu] = platform.split("-");
    return readdirSync(join(sqlite, "prebuilds", platform)).map((file) => {
      // Only Linux has more than one C library; elsewhere that part of the file name means nothing.
      const libc = os === "linux" ? file.split(".").at(-2) : undefined;
      const name = ["pith-sqlite", platform, ...(libc === undefined ? [] : [libc])].join("-");
      return { name, os, cpu, libc, prebuilt: join("prebuilds", platform, file) };
    });
  });
}

function stageBinding(stage, { name, os, cpu, libc, prebuilt }, { version, repository }) {
  const home = join(stage, name);
  const source = dirname(createRequire(import.meta.url).resolve("@photostructure/sqlite/package.json"));
  const { license, homepage } = readJson(join(source, "package.json"));
  mkdirSync(dirname(join(home, prebuilt)), { recursive: true });
  for (const file of ["lib/index.cjs", prebuilt]) cpSync(join(sqlite, file), join(home, file));
  cpSync(join(source, "LICENSE"), join(home, "LICENSE"));
  writeJson(join(home, "package.json"), {
    name,
    version,
    description: `The SQLite binding of Pith for ${[os, cpu, libc].filter(Boolean).join(" ")}`,
    license,
    homepage,
    // npm accepts a proof of origin only from the repository that the package names.
    repository,
    main: "lib/index.cjs",
    os: [os],
    cpu: [cpu],
    ...(libc === undefined ? {} : { libc: [libc] }),
  });
  return { name, home };
}

function stagePith(stage, bindings, version) {
  const home = join(stage, "pith");
  const manifest = readJson(join(root, "package.json"));
  for (const key of ["scripts", "devDependencies", "overrides"]) delete manifest[key];
  const prebuilds = join(sqlite, "prebuilds");
  for (const entry of manifest.files)
    cpSync(join(root, entry), join(home, entry), {
      recursive: true,
      filter: (path) => !path.startsWith(prebuilds),
    });
  writeJson(join(home, "package.json"), {
    ...manifest,
    optionalDependencies: Object.fromEntries(bindings.map(({ name }) => [name, version])),
  });
  return home;
}

function pack(home, folder) {
  const shell = process.platform === "win32";
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const [packed] = JSON.parse(execFileSync("npm", args, { cwd: home, encoding: "utf8", shell }));
  return join(folder, packed.filename);
}

function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}

function writeJson(path, value) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}

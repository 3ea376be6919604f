import { posix } from "node:path";
import { type Ecosystem, nameOf, onlyFiles, type StagedFiles, textOf, withText } from "../ecosystem.ts";

/** Matches the files from which cargo builds a target without being told in Cargo.toml. */
const TARGET_ROOT =
  /(?:^|\/)(?:build|src\/(?:lib|main|bin\/[^/]+|bin\/[^/]+\/main)|(?:tests|examples|benches)\/(?:[^/]+|[^/]+\/main))\.rs$/;
/** A target that builds without any other source, as a program and as a library. */
const STUB = "fn main() {}\n";

/** The file in which cargo finds the hashes of a vendored crate, which it compares with the crate's files. */
const CHECKSUMS = ".cargo-checksum.json";
const CONFIG = /^\.cargo\/config(?:\.toml)?$/;

/** The folders of vendored crates, as `cargo vendor` makes them; cargo remembers their absolute paths. */
function vendored(files: StagedFiles): string[] {
  const configs = [...files.keys()].filter((path) => CONFIG.test(path));
  const named = configs.flatMap((path) =>
    [...textOf(files, path).matchAll(/^\s*directory\s*=\s*"([^"]+)"/gm)].map(([, folder]) =>
      posix.normalize(folder ?? "").replace(/\/$/, ""),
    ),
  );
  const crates = [...files.keys()].filter((path) => nameOf(path) === CHECKSUMS);
  const folders = [...new Set(named)].filter((folder) =>
    crates.some((path) => path.startsWith(`${folder}/`)),
  );
  return folders.filter((folder) => !folders.some((other) => folder.startsWith(`${other}/`)));
}

/**
 * Every target is replaced by an empty one, so that cargo compiles the dependencies and nothing depends on the project's
 * own sources. Of vendored crates only the hashes are staged, which stand for their files.
 */
function stage(all: StagedFiles, allPaths: readonly string[]): StagedFiles {
  const folders = vendored(all);
  const isOwn = (path: string): boolean => !folders.some((folder) => path.startsWith(`${folder}/`));
  const files = onlyFiles(all, (path) => (nameOf(path) === CHECKSUMS ? !isOwn(path) : isOwn(path)));
  const paths = allPaths.filter(isOwn);
  let staged = onlyFiles(files, (path) => !path.endsWith(".rs"));
  const named = [...staged.keys()]
    .filter((path) => nameOf(path) === "Cargo.toml")
    .flatMap((path) => {
      const folder = path.slice(0, -"Cargo.toml".length);
      return [...textOf(staged, path).matchAll(/^\s*(?:path|build)\s*=\s*"([^"]+\.rs)"/gm)].map(
        ([, file]) => folder + (file ?? ""),
      );
    });
  const roots = new Set([...paths.filter((path) => TARGET_ROOT.test(path)), ...named]);
  for (const path of paths) if (roots.has(path)) staged = withText(staged, path, STUB);
  return staged;
}

/**
 * Lists cargo's notes about the project's own packages. Cargo decides by file times whether a package must be built
 * again, and would take the empty targets for those of a job.
 */
function leftovers(made: readonly string[], files: StagedFiles): string[] {
  const own = [...files.keys()]
    .filter((path) => nameOf(path) === "Cargo.toml")
    .flatMap((path) =>
      [...textOf(files, path).matchAll(/^\s*name\s*=\s*"([^"]+)"/gm)].map(([, name]) => name),
    );
  const names = new Set(own);
  return made.filter((path) => {
    const [, name] = /^target\/(?:[^/]+\/)?[^/]+\/\.fingerprint\/(.+)-[0-9a-f]{16}$/.exec(path) ?? [];
    return (name !== undefined && names.has(name)) || /^target\/(?:[^/]+\/)?[^/]+\/incremental$/.test(path);
  });
}

export const rustEcosystems: readonly Ecosystem[] = [
  {
    id: "cargo",
    group: "rust",
    locks: ["Cargo.lock"],
    programs: ["cargo", "rustc", "rustfmt", "clippy-driver"],
    isInput: (path) =>
      ["Cargo.lock", "rust-toolchain", "rust-toolchain.toml"].includes(path) ||
      ["Cargo.toml", CHECKSUMS].includes(nameOf(path)) ||
      /(?:^|\/)\.cargo\/config(?:\.toml)?$/.test(path),
    stage,
    placedFolders: vendored,
    versions: [
      ["cargo", "--version"],
      ["rustc", "--version"],
    ],
    steps: () => [
      ["cargo", "test", "--no-run", "--locked"],
      ["cargo", "build", "--locked"],
    ],
    leftovers,
    // Without it the compiler translates all of the project for each job, which takes several times as long.
    ownCache: /^target\/(?:[^/]+\/)?[^/]+\/incremental(?:\/|$)/,
    isOptional: true,
  },
];

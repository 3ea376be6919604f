// Checks packed packages before they are published: their files, their licences, their versions. Usage: node scripts/release-check.mjs
// FOLDER prints the changelog's section of the version, the text of the release.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { sectionOf, VERSION_FILES } from "./release-version.mjs";

const root = resolve(import.meta.dirname, "..");
/** What pith's package may contain. */
const PITH_FILES = /^package\/(?:dist\/|(?:package\.json|README\.md|CHANGELOG\.md|LICENSE|server\.json)$)/;
const BINDING_FILES = /^package\/(?:package\.json|LICENSE|lib\/index\.cjs|prebuilds\/[\w-]+\/[^/]+\.node)$/;
/** Licences that let bundled code be passed on with its notice. */
const LICENCES = new Set([
  "MIT",
  "ISC",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "0BSD",
  "CC0-1.0",
  "BlueOak-1.0.0",
  "Unlicense",
]);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = resolve(process.argv[2] ?? join(root, "release"));
  const tarballs = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  const problems = [...checkPackages(tarballs.map((name) => join(folder, name))), ...checkVersion()];
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exit(1);
  console.log(releaseNotes());
}

/** Returns what is wrong with packed packages, as sentences. */
export function checkPackages(tarballs) {
  if (tarballs.length === 0) return ["There is no package: run npm run release first."];
  return tarballs.flatMap((tarball) => {
    const paths = tar(["-tzf", tarball]).split("\n").filter(Boolean);
    const { name, version, license, repository, scripts } = JSON.parse(
      tar(["-xzOf", tarball, "package/package.json"]),
    );
    const isPith = name === "pith";
    const allowed = isPith ? PITH_FILES : BINDING_FILES;
    const problems = paths.filter((path) => !allowed.test(path)).map((path) => `contains ${path}`);
    if (version !== packageJson().version) problems.push(`has version ${version}`);
    if (!paths.includes("package/LICENSE")) problems.push("has no LICENSE");
    if (!LICENCES.has(license)) problems.push(`has the licence ${license}`);
    if (repository?.url !== packageJson().repository.url)
      problems.push("names no repository, which provenance needs");
    if (scripts !== undefined) problems.push("has scripts");
    if (isPith)
      problems.push(...checkNotices(tar(["-xzOf", tarball, "package/dist/THIRD-PARTY-NOTICES.txt"])));
    return problems.map((problem) => `${name} ${problem}`);
  });
}

/** The notices begin with one line per bundled package: `zod 4.6.7 (MIT)`. */
function checkNotices(notices) {
  const listed = [...notices.matchAll(/^(\S+) \d\S* \((.+)\)$/gm)];
  if (listed.length === 0) return ["lists no bundled packages"];
  return listed
    .filter(([, , licence]) => !LICENCES.has(licence))
    .map(([, name, licence]) => `bundles ${name} under ${licence}`);
}

/** Every file that names the version must name this one, and the changelog must have its section. */
function checkVersion() {
  const { version } = packageJson();
  const problems = VERSION_FILES.filter((name) => !readFileSync(join(root, name), "utf8").includes(version));
  return [
    ...problems.map(
      (name) => `${name} does not name version ${version}: use npm version --ignore-scripts=false.`,
    ),
    ...(releaseNotes() === ""
      ? [`CHANGELOG.md has no section ${version}: use npm version --ignore-scripts=false.`]
      : []),
  ];
}

function releaseNotes() {
  return sectionOf(readFileSync(join(root, "CHANGELOG.md"), "utf8"), packageJson().version);
}

function packageJson() {
  return JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
}

function tar(args) {
  return execFileSync("tar", args, { encoding: "utf8", maxBuffer: 2 ** 26 });
}

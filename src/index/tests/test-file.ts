import { foldName } from "../text/terms.ts";
import { pathPurpose } from "../text/paths.ts";

/** File names by which the runners of a language find tests; they are enough in any folder. */
const TEST_NAMES: readonly RegExp[] = [
  /[._-](?:test|tests|spec|specs|e2e|cy)\.[cm]?[jt]sx?$/,
  /^(?:test_.*|.*_tests?|tests?)\.py$/,
  /_test\.(?:go|exs?|dart|cc|cpp|cxx|c|lua|clj|cljs|cljc|erl|jl|zig|nim|ml|php|d|gleam)$/,
  /(?:^test_.*|_(?:test|spec))\.(?:rb|cr|lua)$/,
  /(?:^test[-_].*|[-_](?:unit)?tests?)\.(?:c|cc|cpp|cxx)$/,
  /(?:^Test[A-Z0-9].*|(?:Tests?|TestCase|Specs?|IT|TestSuite))\.(?:java|kt|kts|groovy|scala|cs|fs|vb|swift|php|m|mm|cpp|cc|hs|dart)$/,
  /^(?:test|tests)\.rs$|_tests?\.rs$/,
  /\.(?:phpt|bats|t)$/,
];
/** Files in folders of tests that hold no tests: their settings, and what several of them share. */
const SUPPORT_NAMES =
  /^(?:__init__|conftest|setup|teardown|global-?setup|global-?teardown|jest\.setup|vitest\.setup|(?:test|spec)[-_]?(?:helpers?|utils?|support|setup|common|base)|.*[-_.](?:helpers?|utils?|fixtures?|mocks?|stubs?|setup|config)|helpers?|utils?|util|common|fixtures?|mocks?|index\.d|bootstrap|settings|urls|models|manage|.*_helper|package-info|testhelper|AssemblyInfo|GlobalUsings)\.\w+$/i;
const SUPPORT_FOLDERS =
  /(?:^|\/)(?:fixtures?|__fixtures__|__mocks__|mocks?|__snapshots__|snapshots?|testdata|test[-_]data|data|resources|support|helpers?|utils?|assets|examples?|samples?|templates?|cases|factories|stubs)(?:\/|$)/i;
/** Files that programs write, such as clients of an interface. */
const GENERATED_NAMES = /\.(?:gen|generated|g|pb)\.\w+$/;
/** Languages whose runners find tests by folder, where a file needs no name of its own. */
const FOLDER_TESTS = /\.(?:[cm]?[jt]sx?|rs|cs|fs|vb|swift|cpp|cc|cxx|c|hs|scala|kt|jl|ml|pl|lua|zig|d)$/;
/** Folders whose files are tests in such a language. */
const TEST_FOLDER =
  /(?:^|\/)(?:tests?|specs?|__tests__|unittests?|[\w.-]*[._-](?:tests?|specs?|unittests?|integrationtests?)|[A-Za-z]+Tests?)(?:\/|$)/i;

/** Where Maven and Gradle keep code that is no test, whatever its name is. */
const MAIN_CODE = /(?:^|\/)src\/main\/(?:java|kotlin|scala|groovy)\//;

/** Whether a runner would run the tests of a file, by its path. Helpers, settings and data of tests are not tests. */
export function isTestFile(path: string): boolean {
  const slash = path.lastIndexOf("/");
  const name = path.slice(slash + 1);
  if (/\.d\.[cm]?ts$/.test(name) || SUPPORT_NAMES.test(name) || GENERATED_NAMES.test(name)) return false;
  if (MAIN_CODE.test(path)) return false;
  if (TEST_NAMES.some((pattern) => pattern.test(name))) return !pathPurpose(path).role.vendored;
  const folder = path.slice(0, Math.max(0, slash));
  if (!FOLDER_TESTS.test(name) || SUPPORT_FOLDERS.test(folder)) return false;
  return TEST_FOLDER.test(folder);
}

/** Words that mark the name of a test file. */
const TEST_WORDS = /^(?:tests?|specs?)[_.-](?=.)|[_.-](?:tests?|testcase|specs?|e2e|it|cy)$/gi;
/** Names that say nothing of their own; the folder has the name. */
const GENERIC = /^(?:index|main|mod|lib|__init__|init|tests?|specs?|package)$/i;

/** What a file is about by its name: `cart` for `cart.ts`, `test_cart.py`, `CartTest.java` and `cart/index.ts`. */
export function subjectOf(path: string): string {
  const parts = path.split("/");
  const bare = stemWithoutTestWords(parts.pop() ?? "");
  const named = GENERIC.test(bare) || bare === "" ? parts.findLast((part) => !ROOTS.test(part)) : bare;
  return named ?? bare;
}

/** The name of a file by which it is known again after a move: without its endings and what marks a test. */
export function subjectStem(path: string): string {
  return stemWithoutTestWords(path.slice(path.lastIndexOf("/") + 1)).toLowerCase();
}

/** The name of a file without its endings and the words that mark a test. */
function stemWithoutTestWords(name: string): string {
  const stem = name.replace(/^\.+/, "").replace(/\.[^.]+$/, "");
  const inner = stem.replace(/[._-](?:test|tests|spec|specs|unit|e2e|integration|cy|d|min)(?=\.|$)/gi, "");
  const camel = inner.replace(/^Test(?=[A-Z0-9])|(?:Tests?|TestCase|Specs?|IT)$/g, "");
  const bare = camel.replace(TEST_WORDS, "");
  return bare === "" ? inner : bare;
}

/** Folders that hold code without saying what it is about. */
const ROOTS =
  /^(?:src|lib|libs|main|java|kotlin|scala|python|test|tests|spec|specs|__tests__|source|sources|packages|crates|internal|pkg|app|unit|integration)$/i;

/** The words of a path that say what a file is about. */
export function topicFolders(path: string): string[] {
  return path
    .split("/")
    .slice(0, -1)
    .filter((part) => !ROOTS.test(part))
    .map((part) => foldName(part.replace(/[-_.]?(?:tests?|specs?)$|^tests?[-_.]/gi, "") || part));
}

/** Whether a change of a file may break tests: code and data, but no tests, texts for people and lock files. */
export function isTestedFile(path: string): boolean {
  if (isTestFile(path)) return false;
  const { kind } = pathPurpose(path);
  return (
    kind !== "prose" &&
    (kind !== "data" ||
      !/\.(?:lock|lockb|sum|log|svg|pot?|diff|patch)$|(?:^|\/)\.|-lock\.\w+$|\.snap$/.test(path))
  );
}

/** Settings of runners, compilers and packages, the versions of dependencies, and code that runs before all tests. */
const SHARED_FILES: readonly RegExp[] = [
  // Settings of packages, and the versions that they lock.
  /^(?:package(?:-lock)?\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|pyproject\.toml|setup\.(?:py|cfg)|requirements[\w.-]*\.txt|(?:poetry|uv|Pipfile)\.lock|Pipfile|go\.(?:mod|sum|work)|Cargo\.(?:toml|lock)|build\.rs|rust-toolchain(?:\.toml)?|pom\.xml|(?:build|settings)\.gradle(?:\.kts)?|gradle\.properties|libs\.versions\.toml|CMakeLists\.txt|.+\.cmake|meson\.build|meson(?:_options\.txt|\.options)|.+\.(?:cs|fs|vb)proj|.+\.slnx?|Directory\.(?:Build|Packages)\.(?:props|targets)|global\.json|Gemfile(?:\.lock)?|.+\.gemspec|Rakefile|composer\.(?:json|lock))$/,
  // Settings of compilers and runners.
  /^(?:tsconfig(?:\.[\w-]+)?\.json|[\w-]+\.(?:config|workspace)\.[cm]?[jt]s(?:on)?|\.(?:babelrc|swcrc|mocharc|rspec|nycrc)(?:\.\w+)?|pytest\.ini|tox\.ini|phpunit(?:\.dist)?\.xml(?:\.dist)?|.+\.runsettings|xunit\.runner\.json|nextest\.toml)$/,
  // Code that runs before all tests.
  /^(?:conftest\.py|(?:spec|rails|test)_helper\.rb|(?:jest|vitest|test)[.-]?setup\.[cm]?[jt]sx?|setup-?tests?\.[cm]?[jt]sx?|global-?setup\.[cm]?[jt]s)$/i,
];

/** Whether every test may depend on a file, so that no choice of tests covers a change of it. */
export function concernsAllTests(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const isBootstrap = /(?:^|\/)tests?\/bootstrap\.php$/.test(path);
  return isBootstrap || SHARED_FILES.some((pattern) => pattern.test(name));
}

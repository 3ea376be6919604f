import { expect, it } from "vitest";
import { folderFacts } from "../../../src/runs/plan/folder-facts.ts";
import { ecosystemOf, isRunFrom, planTestFiles } from "../../../src/runs/plan/selected-tests.ts";
import { makeFolder } from "../../support/folder.ts";

async function planned(
  files: Record<string, string>,
  paths: readonly string[],
  args: readonly string[] = [],
) {
  const folder = makeFolder(files);
  const selection = { paths, args, ecosystem: ecosystemOf(paths[0] ?? "") };
  return planTestFiles(selection, await folderFacts(folder, folder));
}

function manifest(script: string, dependency = "vitest"): Record<string, string> {
  return {
    "package.json": JSON.stringify({ scripts: { test: script }, devDependencies: { [dependency]: "1" } }),
  };
}

it.each([
  ["vitest run --coverage", "vitest run --coverage test/a.test.ts test/b.test.ts"],
  ["vitest", "vitest test/a.test.ts test/b.test.ts"],
  ["vitest run test/unit", "vitest run test/a.test.ts test/b.test.ts"],
  [
    "jest --config test/jest.json",
    "jest --config test/jest.json --runTestsByPath test/a.test.ts test/b.test.ts",
  ],
  [
    "mocha -r ./test/setup.js 'test/**/*.js' --exit",
    "mocha -r ./test/setup.js --exit test/a.test.ts test/b.test.ts",
  ],
  ["mocha test/*.js", "mocha test/a.test.ts test/b.test.ts"],
  ["node --test --import tsx test/*.test.ts", "node --test --import tsx test/a.test.ts test/b.test.ts"],
  ["NODE_ENV=test mocha test/*.js", "NODE_ENV=test mocha test/a.test.ts test/b.test.ts"],
  ["cross-env CI=1 c8 ava", "cross-env CI=1 c8 ava test/a.test.ts test/b.test.ts"],
  ["tsc && vitest run", "npm test -- test/a.test.ts test/b.test.ts"],
  // What a script does before its tests is never left out.
  ["tsc && mocha test/*.js", "tsc && mocha test/a.test.ts test/b.test.ts"],
  ["node build.js && node --test test", "node build.js && node --test test/a.test.ts test/b.test.ts"],
  [
    "A='1;2' tsc -p . && MODE=ci mocha 'test/**/*.@(spec|test).js' --exit",
    "A='1;2' tsc -p . && MODE=ci mocha --exit test/a.test.ts test/b.test.ts",
  ],
  ["tsc > log; mocha", "npm test"],
  ["tsc; mocha test/*.js", "npm test"],
  ["cd dist && mocha", "npm test"],
  ["tsc || true && mocha test/*.js", "npm test"],
  ["mocha test/*.js | tee log", "npm test"],
  ["mocha $OPTIONS test/*.js", "npm test"],
  ['echo "a && mocha" test/*.js', "npm test"],
  ["turbo run test", "npm test"],
  // Tests that were not chosen would run as well.
  ["mocha test/unit && mocha test/api", "npm test"],
  ["npm run test:unit && vitest run", "npm test"],
  ["eslint src test && mocha", "npm test -- test/a.test.ts test/b.test.ts"],
])("runs files with the runner of the script %j", async (script, command) => {
  const found = await planned(manifest(script), ["test/a.test.ts", "test/b.test.ts"]);
  expect([found?.plan?.display, found?.plan?.isTest, found?.all]).toEqual([command, true, "npm test"]);
});

const hooked = (scripts: Record<string, string>, more: object = {}): Record<string, string> => ({
  "package.json": JSON.stringify({ scripts, devDependencies: { mocha: "11" }, ...more }),
});

it.each([
  [hooked({ pretest: "tsc", test: "mocha" }), "npm test -- test/a.js"],
  [hooked({ pretest: "tsc", test: "MODE=ci mocha --exit" }), "npm test -- test/a.js"],
  [hooked({ pretest: "tsc", test: "node --test test" }), "npm run pretest && node --test test/a.js"],
  [
    hooked({ pretest: "tsc", test: "node a && mocha test/*.js", posttest: "node b" }),
    "npm run pretest && node a && mocha test/a.js && npm run posttest",
  ],
  [hooked({ posttest: "node b", test: "mocha test" }), "mocha test/a.js && npm run posttest"],
  // The other package managers decide by themselves whether they run these scripts.
  [hooked({ pretest: "tsc", test: "mocha" }, { packageManager: "pnpm@9.0.0" }), "pnpm test test/a.js"],
  [hooked({ pretest: "tsc", test: "mocha" }, { packageManager: "yarn@4.0.0" }), "yarn test test/a.js"],
  [hooked({ pretest: "tsc", test: "mocha test" }, { packageManager: "yarn@4.0.0" }), "yarn test"],
  [{ ...hooked({ pretest: "tsc", test: "mocha test" }), ".npmrc": "ignore-scripts=true\n" }, "npm test"],
])("runs what belongs to the test script before and after it, case %#", async (files, command) => {
  expect((await planned(files, ["test/a.js"]))?.plan?.display).toBe(command);
});

it("says why all tests run if the script takes no files", async () => {
  expect(await planned(manifest("mocha test; tsc", "mocha"), ["test/a.js"], ["--bail"])).toMatchObject({
    plan: { display: "npm test -- --bail", isTest: true },
    besides: "all other tests, because the test script does not end with its runner",
    whyAll: "the test script does not end with its runner",
  });
});

it.each([
  [
    { "pyproject.toml": "[tool.pytest.ini_options]\n", "tests/a.py": "" },
    ["tests/test_a.py"],
    /pytest tests\/test_a\.py$/,
  ],
  [
    { "manage.py": "import django", "shop/a.py": "" },
    ["shop/tests/test_a.py"],
    /manage\.py test shop\.tests\.test_a$/,
  ],
  [{ "go.mod": "module a\n" }, ["a_test.go", "pkg/b_test.go", "pkg/c_test.go"], /^go test \.\/ \.\/pkg$/],
  [
    { "Cargo.toml": "[package]\n", "tests/cli/main.rs": "" },
    ["tests/a.rs", "tests/cli/b.rs"],
    /^cargo test --no-fail-fast --test a --test cli$/,
  ],
  // A module that several targets share is no target.
  [
    { "Cargo.toml": "[package]\n", "tests/common/mod.rs": "" },
    ["tests/common/mod.rs"],
    /^cargo test --no-fail-fast --test '\*'$/,
  ],
  [
    { "Cargo.toml": '[package]\n[[test]]\nname = "it"\npath = "tests/all/lib.rs"\n' },
    ["tests/all/lib.rs"],
    /^cargo test --test it$/,
  ],
  [
    { "Cargo.toml": "[package]\n", "src/lib.rs": "" },
    ["src/a/tests.rs", "tests/a.rs"],
    /^cargo test --no-fail-fast --lib --bins --test a$/,
  ],
  [
    { "Cargo.toml": "[package]\n[lib]\npath = 'a.rs'\n" },
    ["src/a.rs"],
    /^cargo test --no-fail-fast --lib --bins$/,
  ],
  // Cargo refuses --lib where there is no library.
  [{ "Cargo.toml": "[package]\n", "src/main.rs": "" }, ["src/main.rs"], /^cargo test --no-fail-fast --bins$/],
  [{ ".rspec": "" }, ["spec/a_spec.rb"], /rspec spec\/a_spec\.rb$/],
  [
    { Rakefile: "", "test/a_test.rb": "" },
    ["test/a_test.rb"],
    /^ruby -Ilib -Itest -e '.*' test\/a_test\.rb$/,
  ],
  [
    { "phpunit.xml": "" },
    ["tests/ATest.php", "tests/BTest.php"],
    /^phpunit --filter '\/\\b\(\?:ATest\|BTest\)::\/'$/,
  ],
  [
    { "phpunit.xml": "", "composer.json": '{"require-dev":{"phpunit/phpunit":"^11"}}' },
    ["tests/ATest.php"],
    /^vendor\/bin\/phpunit --filter/,
  ],
  [
    { "pom.xml": "" },
    ["src/test/java/a/ATest.java"],
    /-Dtest=ATest -Dsurefire\.failIfNoSpecifiedTests=false$/,
  ],
  [{ "build.gradle": "" }, ["src/test/java/a/ATest.java"], /test --tests '\*\.ATest'$/],
  [
    { "a.csproj": "" },
    ["ATests.cs"],
    /--filter FullyQualifiedName~\.ATests\.$|--filter 'FullyQualifiedName~\.ATests\.'$/,
  ],
  // Written from the documentation of dotnet test, xUnit.net and TUnit, which could not be run here.
  [
    { "a.csproj": "", "ATests.cs": "public class ATests {}\n", "BTests.cs": "namespace Shop;\n" },
    ["ATests.cs", "BTests.cs"],
    /--filter 'FullyQualifiedName~ATests\.\|FullyQualifiedName~\.BTests\.'$/,
  ],
  [
    { "a.csproj": '<PackageReference Include="xunit.v3" />', "global.json": '"Microsoft.Testing.Platform"' },
    ["ATests.cs", "BTests.cs"],
    /^dotnet test --filter-query '\/\*\/\*\/\(ATests\)\|\(BTests\)\/\*'$/,
  ],
  [
    { "a.csproj": '<PackageReference Include="TUnit" />', "global.json": '"Microsoft.Testing.Platform"' },
    ["ATests.cs"],
    /^dotnet test --treenode-filter '\/\*\/\*\/ATests\/\*'$/,
  ],
  [{ "Package.swift": "" }, ["Tests/ATests/ATests.swift"], /--filter '\(\?:ATests\)'$/],
  [{ "mix.exs": "", "test/a_test.exs": "" }, ["test/a_test.exs"], /^mix test test\/a_test\.exs$/],
])("runs files of other languages with their runner, case %#", async (files, paths, command) => {
  const found = await planned(files, paths);
  expect(found?.plan?.display).toMatch(command);
});

const CARGO = '[package]\nname = "the-NAME"\n';
const modules = (...names: string[]): string =>
  `<project><modules>${names.map((name) => `<module>${name}</module>`).join("\n")}</modules></project>`;

it.each([
  [
    "maven",
    {
      "pom.xml": modules("core", "apps"),
      "core/pom.xml": "",
      "apps/pom.xml": modules("web"),
      "apps/web/pom.xml": "",
    },
    ["core/src/test/java/a/ATest.java", "apps/web/src/test/java/a/BTest.java"],
    /^mvn -B test -fae -pl core,apps\/web -am -Dtest=ATest,BTest /,
    ["core", "apps/web"],
    ["other", "core/example"],
  ],
  [
    "gradle",
    {
      "settings.gradle.kts": 'include("core")',
      gradlew: "",
      "core/build.gradle.kts": "",
      "web/build.gradle": "",
      "own/settings.gradle": "",
    },
    ["core/src/test/java/a/ATest.java", "web/src/test/java/a/BTest.java"],
    /^\.\/gradlew --console=plain --continue :core:test --tests '\*\.ATest' :web:test --tests '\*\.BTest'$/,
    ["core"],
    ["own"],
  ],
  [
    "gradle, one project",
    { "settings.gradle": "include 'core'", "libs/core/build.gradle": "" },
    ["libs/core/src/test/java/a/ATest.java"],
    /^gradle --console=plain -p libs\/core test --tests '\*\.ATest'$/,
    ["libs/core"],
    [],
  ],
  [
    "go",
    { "go.work": "go 1.19\n\nuse (\n\t./core // first\n\t./web/app\n)\nuse .\n" },
    ["core/price/price_test.go", "web/app/app_test.go"],
    /^go test \.\/core\/price \.\/web\/app$/,
    ["core", "web/app"],
    ["web"],
  ],
  [
    "cargo",
    {
      "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\nexclude = ["crates/old"]\n',
      "crates/a/Cargo.toml": CARGO.replace("NAME", "a"),
      "crates/b/Cargo.toml": CARGO.replace("NAME", "b"),
      "crates/own/Cargo.toml": "[workspace]\n",
    },
    ["crates/a/tests/one.rs", "crates/b/tests/two.rs"],
    /^cargo test --no-fail-fast -p the-a -p the-b --test one --test two$/,
    ["crates/a"],
    ["crates/old", "crates/own"],
  ],
  [
    "cmake",
    { "CMakeLists.txt": "project(a C)\nenable_testing()\n", "tests/CMakeLists.txt": "" },
    ["tests/a_test.c"],
    undefined,
    ["tests"],
    [],
  ],
])(
  "runs the tests of several packages from their workspace: %s",
  async (_, files, paths, command, own, others) => {
    const folder = makeFolder(files);
    const facts = await folderFacts(folder, folder);
    const ecosystem = ecosystemOf(paths[0] ?? "");
    const found = await planTestFiles({ paths, args: [], ecosystem }, facts);
    if (command !== undefined) expect(found?.plan?.display).toMatch(command);
    for (const part of own) expect([part, await isRunFrom(facts, part, ecosystem)]).toEqual([part, true]);
    for (const part of others) expect([part, await isRunFrom(facts, part, ecosystem)]).toEqual([part, false]);
  },
);

it("tests all packages of a workspace if all tests are asked for", async () => {
  const files = {
    "Cargo.toml": "[workspace]\n[package]\nname = 'a'\n",
    "tests/a.rs": "",
    "b/Cargo.toml": "",
  };
  const cargo = await planned(files, ["tests/a.rs"]);
  expect([cargo?.plan?.display, cargo?.all]).toEqual(["cargo test --test a", "cargo test --workspace"]);
  const go = await planned({ "go.work": "use ./core\nuse .\n" }, ["core/a_test.go"]);
  expect(go?.all).toBe("go test ./core/... ./...");
});

it.each([
  [
    { "go.mod": "", "a_test.go": "", "b_test.go": "", "p/c_test.go": "" },
    ["a_test.go"],
    /^the other test file of/,
  ],
  [{ "go.mod": "", "p/c_test.go": "" }, ["p/c_test.go"], undefined],
  [{ "Cargo.toml": "", "src/lib.rs": "" }, ["src/lib.rs"], /^the other unit tests, because/],
  [{ "Cargo.toml": "", "tests/a.rs": "" }, ["tests/a.rs"], undefined],
  [{ ...manifest("mocha"), ".mocharc.yml": "spec: test/*.js" }, ["test/a.js"], /^all test files that Mocha/],
  [
    { ...manifest("tsc && mocha"), ".mocharc.yml": "spec: test/*.js" },
    ["test/a.js"],
    /^all test files that Mocha/,
  ],
  [manifest("mocha"), ["test/a.js"], undefined],
])("says what runs besides the chosen files, case %#", async (files, paths, besides) => {
  const found = await planned(files, paths);
  if (besides === undefined) expect(found?.besides).toBeUndefined();
  else expect(found?.besides).toMatch(besides);
});

it("passes further arguments on, and finds nothing where no runner is known", async () => {
  expect((await planned(manifest("vitest run"), ["a.test.ts"], ["--bail"]))?.plan?.display).toBe(
    "vitest run a.test.ts --bail",
  );
  expect(await planned({ "package.json": '{"scripts":{"test":"./run.sh"}}' }, ["a.test.ts"])).toBeUndefined();
  expect(await planned({}, ["test_a.py"])).toBeUndefined();
});

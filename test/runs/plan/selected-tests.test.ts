import { expect, it } from "vitest";
import { folderFacts } from "../../../src/runs/plan/folder-facts.ts";
import { ecosystemOf, planTestFiles } from "../../../src/runs/plan/selected-tests.ts";
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
  ["tsc && mocha test/*.js", "npx --no-install vitest run test/a.test.ts test/b.test.ts"],
  ["turbo run test", "npx --no-install vitest run test/a.test.ts test/b.test.ts"],
])("runs files with the runner of the script %j", async (script, command) => {
  const found = await planned(manifest(script), ["test/a.test.ts", "test/b.test.ts"]);
  expect([found?.plan?.display, found?.plan?.isTest, found?.all]).toEqual([command, true, "npm test"]);
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
  [{ "Cargo.toml": "[package]\n" }, ["tests/a.rs", "tests/cli/b.rs"], /^cargo test --test a --test cli$/],
  [
    { "Cargo.toml": "[package]\n", "src/lib.rs": "" },
    ["src/a/tests.rs", "tests/a.rs"],
    /^cargo test --lib --bins --test a$/,
  ],
  [{ "Cargo.toml": "[package]\n[lib]\npath = 'a.rs'\n" }, ["src/a.rs"], /^cargo test --lib --bins$/],
  // Cargo refuses --lib where there is no library.
  [{ "Cargo.toml": "[package]\n", "src/main.rs": "" }, ["src/main.rs"], /^cargo test --bins$/],
  [{ ".rspec": "" }, ["spec/a_spec.rb"], /rspec spec\/a_spec\.rb$/],
  [
    { Rakefile: "", "test/a_test.rb": "" },
    ["test/a_test.rb"],
    /^ruby -Ilib -Itest -e '.*' test\/a_test\.rb$/,
  ],
  [{ "phpunit.xml": "" }, ["tests/ATest.php", "tests/BTest.php"], /--filter '\/\\b\(\?:ATest\|BTest\)::\/'$/],
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
  [{ "Package.swift": "" }, ["Tests/ATests/ATests.swift"], /--filter '\(\?:ATests\)'$/],
  [{ "mix.exs": "", "test/a_test.exs": "" }, ["test/a_test.exs"], /^mix test test\/a_test\.exs$/],
])("runs files of other languages with their runner, case %#", async (files, paths, command) => {
  const found = await planned(files, paths);
  expect(found?.plan?.display).toMatch(command);
});

it("passes further arguments on, and finds nothing where no runner is known", async () => {
  expect((await planned(manifest("vitest run"), ["a.test.ts"], ["--bail"]))?.plan?.display).toBe(
    "vitest run a.test.ts --bail",
  );
  expect(await planned({ "package.json": '{"scripts":{"test":"./run.sh"}}' }, ["a.test.ts"])).toBeUndefined();
  expect(await planned({}, ["test_a.py"])).toBeUndefined();
});

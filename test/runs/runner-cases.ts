/**
 * The test projects for each runner in its own language: a passing test, a failing test, a file that cannot be loaded, a
 * test that kills the runner, and one after which the process exits with an error although all tests passed.
 */
export interface RunnerCases {
  /** The program that must be installed; runners from npm are part of the test tools. */
  readonly program: string;
  /** Arguments of a call that checks whether the program works; by default `--version`. */
  readonly probe?: readonly string[];
  readonly command: string;
  /** Files that every case needs. */
  readonly always?: Files;
  readonly passes: Files;
  readonly fails: Files;
  readonly doesNotLoad: Files;
  readonly isKilled: Files;
  /** Absent if the language cannot do this. */
  readonly endsBadly?: Files;
  /** A project without tests; absent if the runner does not support it. */
  readonly none?: Files;
  /** The runner starts slowly, so it is run only with PITH_TEST_RUNNERS=all. */
  readonly slow?: boolean;
}

export type Files = Readonly<Record<string, string>>;

const JS_OK = "it('adds', () => {});\n";
const JS_FAILS = "it('adds', () => { throw new Error('1 is not 2'); });\n";
const JS_BROKEN = "require('./nowhere.js');\nit('adds', () => {});\n";
const JS_KILLED = "it('adds', () => { process.kill(process.pid, 'SIGKILL'); });\n";
const JS_REJECTS = `${JS_OK}it('waits', (done) => { setTimeout(() => { Promise.reject(new Error('too late')); setTimeout(done, 20); }, 1); });\n`;

/** Suites of `it`, which most JavaScript runners understand. */
function javascript(name: string): Omit<RunnerCases, "program" | "command"> {
  return {
    passes: { [name]: JS_OK },
    fails: { [name]: JS_FAILS },
    doesNotLoad: { [name]: JS_BROKEN, [`ok-${name}`]: JS_OK },
    isKilled: { [name]: JS_KILLED },
    endsBadly: { [name]: JS_REJECTS },
    none: { "package.json": "{}\n" },
  };
}

const VITEST = "import { expect, test } from 'vitest';\n";
const VITEST_OK = `${VITEST}test('adds', () => { expect(1).toBe(1); });\n`;
const AVA = "const test = require('ava');\n";
const TAP = "const t = require('tap');\n";

function tape(body: string): string {
  return `require('tape')('adds', (t) => { ${body}; t.end(); });\n`;
}

function qunit(body: string): string {
  return `QUnit.test('adds', (assert) => { ${body}; });\n`;
}

function deno(body: string): string {
  return `Deno.test('adds', () => { ${body} });\n`;
}

/** Runners that npm installs. */
export const NPM_RUNNERS: Readonly<Record<string, RunnerCases>> = {
  mocha: {
    ...javascript("a.test.js"),
    program: "mocha",
    command: "mocha '*.test.js'",
    endsBadly: { "a.test.js": `${JS_OK}process.on('exit', () => process.reallyExit(3));\n` },
  },
  jest: {
    ...javascript("a.test.js"),
    program: "jest",
    command: "jest --no-cache",
    always: { "package.json": '{"jest":{"testEnvironment":"node"}}\n' },
    none: { "b.js": "\n" },
    slow: true,
  },
  jasmine: {
    ...javascript("a.spec.js"),
    program: "jasmine",
    command: "jasmine '*.spec.js'",
    slow: true,
  },
  ava: {
    program: "ava",
    command: "ava",
    always: { "package.json": '{"ava":{"files":["*.test.js"]}}\n' },
    passes: { "a.test.js": `${AVA}test('adds', t => t.pass());\n` },
    fails: { "a.test.js": `${AVA}test('adds', t => t.is(1, 2));\n` },
    doesNotLoad: {
      "a.test.js": "require('./nowhere.js');\n",
      "ok.test.js": `${AVA}test('adds', t => t.pass());\n`,
    },
    isKilled: {
      "a.test.js": `${AVA}test('adds', t => { process.kill(process.pid, 'SIGKILL'); t.pass(); });\n`,
    },
    endsBadly: {
      "a.test.js": `${AVA}test('adds', t => t.pass());\nsetTimeout(() => Promise.reject(new Error('too late')), 1);\ntest('waits', t => new Promise(done => setTimeout(() => { t.pass(); done(); }, 50)));\n`,
    },
    none: { "b.js": "\n" },
    slow: true,
  },
  tap: {
    program: "tap",
    command: "tap run --disable-coverage",
    passes: { "a.test.js": `${TAP}t.test('adds', async t => t.equal(1, 1));\n` },
    fails: { "a.test.js": `${TAP}t.test('adds', async t => t.equal(1, 2));\n` },
    doesNotLoad: {
      "a.test.js": "require('./nowhere.js');\n",
      "ok.test.js": `${TAP}t.test('adds', async t => t.equal(1, 1));\n`,
    },
    isKilled: { "a.test.js": `${TAP}t.pass();\nprocess.kill(process.pid, 'SIGKILL');\n` },
    endsBadly: { "a.test.js": `${TAP}t.pass();\nprocess.on('exit', () => process.exit(3));\n` },
    none: { "b.js": "\n" },
    slow: true,
  },
  vitest: {
    program: "vitest",
    command: "vitest run",
    passes: { "a.test.js": VITEST_OK },
    fails: { "a.test.js": `${VITEST}test('adds', () => { expect(1).toBe(2); });\n` },
    doesNotLoad: { "a.test.js": "import './nowhere.js';\n", "ok.test.js": VITEST_OK },
    isKilled: { "a.test.js": `${VITEST}test('adds', () => { process.kill(process.ppid, 'SIGKILL'); });\n` },
    endsBadly: { "a.test.js": `${VITEST_OK}setTimeout(() => { throw new Error('too late'); }, 1);\n` },
    none: { "b.js": "\n" },
    slow: true,
  },
  tape: {
    program: "tape",
    command: "tape '*.test.js'",
    passes: { "a.test.js": tape("t.equal(1, 1)") },
    fails: { "a.test.js": tape("t.equal(1, 2)") },
    doesNotLoad: { "a.test.js": "require('./nowhere.js');\n", "ok.test.js": tape("t.equal(1, 1)") },
    isKilled: { "a.test.js": tape("process.kill(process.pid, 'SIGKILL')") },
    none: { "b.js": "\n" },
    slow: true,
  },
  qunit: {
    program: "qunit",
    command: "qunit '*.test.js'",
    passes: { "a.test.js": qunit("assert.equal(1, 1)") },
    fails: { "a.test.js": qunit("assert.equal(1, 2)") },
    doesNotLoad: { "a.test.js": "require('./nowhere.js');\n", "ok.test.js": qunit("assert.equal(1, 1)") },
    isKilled: { "a.test.js": qunit("process.kill(process.pid, 'SIGKILL')") },
    none: { "a.test.js": "\n" },
    slow: true,
  },
  deno: {
    program: "deno",
    command: "deno test",
    passes: { "a_test.js": deno("") },
    fails: { "a_test.js": deno("throw new Error('1 is not 2')") },
    doesNotLoad: { "a_test.js": "import './nowhere.js';\n", "ok_test.js": deno("") },
    isKilled: { "a_test.js": deno("Deno.exit(0)") },
    none: { "b.js": "\n" },
    slow: true,
  },
  bun: {
    ...javascript("a.test.js"),
    program: "bun",
    command: "bun test",
    none: { "b.js": "\n" },
    slow: true,
  },
};

const PYTEST_OK = "def test_adds():\n    assert 1 == 1\n";
const UNITTEST = "import unittest\n";
const unittest = (body: string, extra = ""): string =>
  `${UNITTEST}${extra}class Adds(unittest.TestCase):\n    def test_adds(self):\n        ${body}\n`;
const KILL_PY = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)";
const AT_EXIT = "import atexit, os\natexit.register(lambda: os._exit(3))\n";

const RSPEC = (body: string): string => `RSpec.describe 'Sum' do\n  it('adds') { ${body} }\nend\n`;
const MINITEST = (body: string): string =>
  `require 'minitest/autorun'\nclass TestSum < Minitest::Test\n  def test_adds\n    ${body}\n  end\nend\n`;
const PHPUNIT = (body: string): string =>
  `<?php\nuse PHPUnit\\Framework\\TestCase;\nfinal class SumTest extends TestCase {\n  public function testAdds(): void { ${body} }\n}\n`;

const TERRAFORM = 'resource "terraform_data" "sum" {\n  input = 1 + 1\n}\n';

/** Runners of other languages, which are used if installed. */
export const SYSTEM_RUNNERS: Readonly<Record<string, RunnerCases>> = {
  pytest: {
    program: "pytest",
    command: "pytest -p no:cacheprovider",
    passes: { "test_a.py": PYTEST_OK },
    fails: { "test_a.py": "def test_adds():\n    assert 1 == 2\n" },
    doesNotLoad: { "test_a.py": "import nowhere_at_all\n", "test_ok.py": PYTEST_OK },
    isKilled: { "test_a.py": `def test_adds():\n    ${KILL_PY}\n` },
    endsBadly: { "test_a.py": AT_EXIT + PYTEST_OK },
    none: { "b.py": "\n" },
  },
  "node --test": {
    program: "node",
    command: "node --test",
    passes: { "a.test.js": nodeTest("") },
    fails: { "a.test.js": nodeTest("throw new Error('1 is not 2')") },
    doesNotLoad: { "a.test.js": "require('./nowhere.js');\n", "ok.test.js": nodeTest("") },
    isKilled: { "a.test.js": nodeTest("process.kill(process.ppid, 'SIGKILL')") },
    endsBadly: { "a.test.js": `${nodeTest("")}process.on('exit', () => { process.exitCode = 3; });\n` },
    none: { "b.js": "\n" },
  },
  busted: {
    program: "busted",
    command: "busted .",
    passes: { "a_spec.lua": busted("assert.are.equal(1, 1)") },
    fails: { "a_spec.lua": busted("assert.are.equal(1, 2)") },
    doesNotLoad: { "a_spec.lua": "require 'nowhere_at_all'\n", "ok_spec.lua": busted("assert.truthy(true)") },
    isKilled: { "a_spec.lua": busted("os.execute('kill -9 $PPID')") },
    none: { "b.lua": "\n" },
  },
  unittest: {
    program: "python3",
    command: "python3 -m unittest",
    passes: { "test_a.py": unittest("self.assertEqual(1, 1)") },
    fails: { "test_a.py": unittest("self.assertEqual(1, 2)") },
    doesNotLoad: {
      "test_a.py": "import nowhere_at_all\n",
      "test_ok.py": unittest("self.assertEqual(1, 1)"),
    },
    isKilled: { "test_a.py": unittest(KILL_PY) },
    endsBadly: { "test_a.py": unittest("pass", AT_EXIT) },
    none: { "b.py": "\n" },
  },
  rspec: {
    program: "rspec",
    command: "rspec",
    passes: { "spec/a_spec.rb": RSPEC("expect(1).to eq(1)") },
    fails: { "spec/a_spec.rb": RSPEC("expect(1).to eq(2)") },
    doesNotLoad: {
      "spec/a_spec.rb": "require 'nowhere_at_all'\n",
      "spec/ok_spec.rb": RSPEC("expect(1).to eq(1)"),
    },
    isKilled: { "spec/a_spec.rb": RSPEC("Process.kill('KILL', Process.pid)") },
    endsBadly: { "spec/a_spec.rb": `at_exit { exit!(3) }\n${RSPEC("expect(1).to eq(1)")}` },
    none: { "spec/b.rb": "\n" },
  },
  minitest: {
    program: "ruby",
    probe: ["-e", "require 'minitest'"],
    command: "ruby -I. -e 'Dir[\"*_test.rb\"].each { |f| require f }'",
    passes: { "a_test.rb": MINITEST("assert_equal 1, 1") },
    fails: { "a_test.rb": MINITEST("assert_equal 1, 2") },
    doesNotLoad: { "a_test.rb": "require 'nowhere_at_all'\n", "ok_test.rb": MINITEST("assert true") },
    isKilled: { "a_test.rb": MINITEST("Process.kill('KILL', Process.pid)") },
    endsBadly: { "a_test.rb": `at_exit { exit!(3) }\n${MINITEST("assert true")}` },
    none: { "a_test.rb": "require 'minitest/autorun'\n" },
  },
  phpunit: {
    program: "phpunit",
    command: "phpunit tests",
    passes: { "tests/SumTest.php": PHPUNIT("$this->assertSame(1, 1);") },
    fails: { "tests/SumTest.php": PHPUNIT("$this->assertSame(1, 2);") },
    doesNotLoad: { "tests/SumTest.php": "<?php\nrequire 'nowhere.php';\n" },
    isKilled: { "tests/SumTest.php": PHPUNIT("$this->assertTrue(true); exit(0);") },
    endsBadly: {
      "tests/SumTest.php": PHPUNIT(
        "$this->assertTrue(true); register_shutdown_function(function () { exit(3); });",
      ),
    },
    none: { "tests/b.txt": "\n" },
  },
  make: {
    program: "make",
    command: "make check",
    passes: { Makefile: "check:\n\t@echo '3 tests passed'\n" },
    fails: { Makefile: "check:\n\t@echo '3 tests passed'\n\t@exit 1\n" },
    doesNotLoad: { Makefile: "check\n\techo\n" },
    isKilled: { Makefile: "check:\n\t@echo '3 tests passed'; kill -9 $$PPID\n" },
  },
  "go test": {
    program: "go",
    probe: ["version"],
    command: "go test ./...",
    always: { "go.mod": "module example.com/sum\n\ngo 1.19\n" },
    passes: { "a_test.go": goTest("") },
    fails: { "a_test.go": goTest('t.Error("1 is not 2")') },
    doesNotLoad: { "a_test.go": goTest("nowhere()") },
    isKilled: { "a_test.go": goTest("syscall.Kill(syscall.Getpid(), syscall.SIGKILL)", "syscall") },
    endsBadly: {
      "a_test.go": `${goTest("", "os")}\nfunc TestMain(m *testing.M) { m.Run(); os.Exit(3) }\n`,
    },
    none: { "a.go": "package sum\n" },
    slow: true,
  },
  "cargo test": {
    program: "cargo",
    command: "cargo test --offline",
    always: { "Cargo.toml": '[package]\nname = "sum"\nversion = "0.1.0"\nedition = "2021"\n' },
    passes: { "src/lib.rs": rustTest("") },
    fails: { "src/lib.rs": rustTest("assert_eq!(1, 2);") },
    doesNotLoad: { "src/lib.rs": rustTest("nowhere();") },
    isKilled: { "src/lib.rs": rustTest("std::process::abort();") },
    endsBadly: { "src/lib.rs": rustTest("std::process::exit(3);") },
    none: { "src/lib.rs": "\n" },
    slow: true,
  },
  ctest: {
    program: "ctest",
    command: "cmake -S . -B build && ctest --test-dir build",
    passes: { "CMakeLists.txt": cmakeTest("true") },
    fails: { "CMakeLists.txt": cmakeTest("false") },
    doesNotLoad: { "CMakeLists.txt": cmakeTest("nowhere-at-all") },
    isKilled: { "CMakeLists.txt": cmakeTest('sh -c "kill -9 $PPID"') },
    none: { "CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(sum NONE)\nenable_testing()\n" },
    slow: true,
  },
  "terraform test": {
    program: "terraform",
    probe: ["version"],
    command: "terraform init -no-color && terraform test",
    passes: {
      "main.tf": TERRAFORM,
      "a.tftest.hcl": terraformTest("terraform_data.sum.output == 2"),
    },
    fails: {
      "main.tf": TERRAFORM,
      "a.tftest.hcl": terraformTest("terraform_data.sum.output == 3"),
    },
    doesNotLoad: { "main.tf": TERRAFORM, "a.tftest.hcl": 'run "adds" {\n' },
    isKilled: {
      "main.tf":
        'resource "terraform_data" "sum" {\n  provisioner "local-exec" {\n    command = "kill -9 $PPID"\n  }\n}\n',
      "a.tftest.hcl": terraformTest(`terraform_data.sum.id != ""`),
    },
    none: { "main.tf": TERRAFORM },
    slow: true,
  },
};

function nodeTest(body: string): string {
  return `require('node:test').test('adds', () => { ${body}; });\n`;
}

function busted(body: string): string {
  return `describe('sum', function() it('adds', function() ${body} end) end)\n`;
}

function terraformTest(condition: string): string {
  return `run "adds" {\n  assert {\n    condition     = ${condition}\n    error_message = "1 is not 2"\n  }\n}\n`;
}

function goTest(body: string, ...imports: readonly string[]): string {
  const names = ["testing", ...imports].map((name) => `import "${name}"\n`).join("");
  return `package sum\n\n${names}\nfunc TestAdds(t *testing.T) { ${body} }\n`;
}

function rustTest(body: string): string {
  return `#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() { ${body} }\n}\n`;
}

function cmakeTest(command: string): string {
  return `cmake_minimum_required(VERSION 3.10)\nproject(sum NONE)\nenable_testing()\nadd_test(NAME adds COMMAND ${command})\n`;
}

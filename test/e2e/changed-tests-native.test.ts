import { spawnSync } from "node:child_process";
import { expect, it, onTestFinished } from "vitest";
import { call } from "../support/client.ts";
import { temporaryRepository } from "../support/git-folder.ts";
import { connect } from "../support/inside.ts";

const hasCMake = ["cmake", "cc", "make"].every(
  (program) => spawnSync(program, ["--version"], { stdio: "ignore" }).status === 0,
);

const source = (name: string): string => `int ${name}(int value) { return value * 2; }\n`;
const test = (name: string): string =>
  `#include <stdio.h>\nint ${name}(int value);\nint main(void) {\n  printf("${name}(2) is %d\\n", ${name}(2));\n  return ${name}(2) == 4 ? 0 : 1;\n}\n`;

it.skipIf(!hasCMake)("compiles and runs the tests of changes in C, which needs CMake", async () => {
  const names = ["cart", "order"];
  const folder = temporaryRepository({
    ".gitignore": "build/\n",
    "CMakeLists.txt":
      "cmake_minimum_required(VERSION 3.16)\nproject(shop C)\nadd_library(shop src/cart.c src/order.c)\nenable_testing()\nadd_subdirectory(tests)\n",
    "tests/CMakeLists.txt": names
      .map(
        (name) =>
          `add_executable(test_${name} test_${name}.c)\ntarget_link_libraries(test_${name} shop)\nadd_test(NAME ${name}.doubles COMMAND test_${name})\n`,
      )
      .join(""),
    ...Object.fromEntries(names.map((name) => [`src/${name}.c`, source(name)])),
    ...Object.fromEntries(names.map((name) => [`tests/test_${name}.c`, test(name)])),
  });
  onTestFinished(() => folder.dispose());
  const client = await connect(folder.root);
  const run = (args: Record<string, unknown> = {}): Promise<string> =>
    call(client, "build", { action: "exec", tool: "tests of my changes", ...args });

  folder.write("src/cart.c", source("cart").replace("* 2", "* 3"));
  expect(await run()).toBe(
    "No tests run: chose tests/test_cart.c, but no configured build folder compiles it into a test. To configure: cmake -S . -B build",
  );
  expect(await call(client, "build", { action: "exec", tool: "cmake.configure" })).toMatch(/^ok|PASS/);

  const red = await run();
  expect(red).toMatch(/^1 of 2 test files for 1 changed file: tests\/test_cart\.c \(/);
  expect(red).toContain(
    "not chosen: 1 other test file; all: cmake --build build && ctest --test-dir build --output-on-failure",
  );
  expect(red).toMatch(/FAIL ctest 1\/1 failed[^]*cart\.doubles[^]*cart\(2\) is 6/);
  expect(red).toMatch(/rerun: ctest --test-dir \S*\/build -R '\^cart\\\.doubles\$'/);

  // What was compiled before is not what is tested: the sources are compiled again.
  folder.write("src/cart.c", source("cart").replace("value * 2", "2 * value"));
  expect(await run({ cwd: "tests" })).toMatch(/PASS ctest 1 passed/);

  // A test that the build folder does not have yet is said, not taken for tested.
  folder.write("tests/test_cart_more.c", test("cart"));
  const json = JSON.parse(await run({ response_format: "json" })) as Record<string, unknown>;
  expect(json).toMatchObject({
    success: true,
    tests_of_changes: {
      chosen: [{ path: "tests/test_cart.c" }],
      not_built: { tests: ["tests/test_cart_more.c"], configure: "cmake -S . -B build" },
    },
  });
});

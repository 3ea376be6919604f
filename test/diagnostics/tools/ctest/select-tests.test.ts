import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { namesOfTests, testsBeside } from "../../../../src/diagnostics/tools/ctest/select-tests.ts";
import { namesOfTests as namesOfMesonTests } from "../../../../src/diagnostics/tools/meson/select-tests.ts";
import { folderFacts } from "../../../../src/runs/plan/folder-facts.ts";
import { makeFolder } from "../../../support/folder.ts";

// The generated files are those of CMake 3.25.1 (`cmake -S . -B build`, `-G Ninja`) and Meson 1.0.1 (`meson setup build`)
// for a small project, without lines that nothing reads.
const CACHE = {
  "build/CMakeCache.txt":
    "CMAKE_CACHEFILE_DIR:INTERNAL=/home/ada/shop/build\nCMAKE_HOME_DIRECTORY:INTERNAL=/home/ada/shop\n",
  "build/CTestTestfile.cmake": 'subdirs("tests")\n',
};
const PLAIN_TESTS = [
  "# Source directory: /home/ada/shop/tests",
  'add_test([=[unit cart (fast)]=] "/home/ada/shop/build/tests/test_cart" "--fast")',
  'set_tests_properties([=[unit cart (fast)]=] PROPERTIES  _BACKTRACE_TRIPLES "/home/ada/shop/tests/CMakeLists.txt;4;add_test;")',
  'add_test(relative "./test_order")',
  'add_test(checked "/usr/bin/valgrind" "-q" "/home/ada/shop/build/bin/other")',
  "",
].join("\n");
const MAKEFILES = {
  ...CACHE,
  "build/tests/CTestTestfile.cmake": PLAIN_TESTS,
  "build/CMakeFiles/TargetDirectories.txt":
    ["shop", "tests/test_cart", "tests/test_order", "tests/renamed"]
      .map((name) => `/home/ada/shop/build/${name.replace(/([^/]+)$/, "CMakeFiles/$1.dir")}`)
      .join("\n") + "\n",
  "build/CMakeFiles/shop.dir/DependInfo.cmake":
    '  "/home/ada/shop/src/cart.c" "CMakeFiles/shop.dir/src/cart.c.o" "gcc" "CMakeFiles/shop.dir/src/cart.c.o.d"\n',
  "build/CMakeFiles/shop.dir/link.txt":
    "/usr/bin/ar qc libshop.a CMakeFiles/shop.dir/src/cart.c.o\n/usr/bin/ranlib libshop.a\n",
  ...Object.fromEntries(
    [
      ["test_cart", "test_cart.c", "test_cart"],
      ["test_order", "test_order.c", "test_order"],
      ["renamed", "more.cpp", "../bin/other"],
    ].flatMap(([target, source, output]) => [
      [
        `build/tests/CMakeFiles/${target}.dir/DependInfo.cmake`,
        `set(CMAKE_DEPENDS_DEPENDENCY_FILES\n  "/home/ada/shop/tests/${source}" "tests/CMakeFiles/${target}.dir/${source}.o" "gcc" "tests/CMakeFiles/${target}.dir/${source}.o.d"\n  )\n`,
      ],
      [
        `build/tests/CMakeFiles/${target}.dir/link.txt`,
        `/usr/bin/cc -rdynamic CMakeFiles/${target}.dir/${source}.o -o ${output}  ../libshop.a \n`,
      ],
    ]),
  ),
};
const NINJA = {
  ...CACHE,
  "build/tests/CTestTestfile.cmake": PLAIN_TESTS,
  "build/build.ninja": [
    "build CMakeFiles/shop.dir/src/cart.c.o: C_COMPILER__shop_ /home/ada/shop/src/cart.c || cmake_object_order_depends_target_shop",
    "build libshop.a: C_STATIC_LIBRARY_LINKER__shop_ CMakeFiles/shop.dir/src/cart.c.o",
    "build tests/CMakeFiles/test_cart.dir/test_cart.c.o: C_COMPILER__test_cart_ /home/ada/shop/tests/test_cart.c || cmake_object_order_depends_target_test_cart",
    "build tests/test_cart: C_EXECUTABLE_LINKER__test_cart_ tests/CMakeFiles/test_cart.dir/test_cart.c.o | libshop.a || libshop.a",
    "build tests/CMakeFiles/test_order.dir/test_order.c.o: C_COMPILER__test_order_ /home/ada/shop/tests/test_order.c || x",
    "build tests/test_order: C_EXECUTABLE_LINKER__test_order_ tests/CMakeFiles/test_order.dir/test_order.c.o | libshop.a || libshop.a",
    "build tests/CMakeFiles/renamed.dir/more.cpp.o: CXX_COMPILER__renamed_ /home/ada/shop/tests/more.cpp || x",
    "build bin/other: CXX_EXECUTABLE_LINKER__renamed_ tests/CMakeFiles/renamed.dir/more.cpp.o | libshop.a || libshop.a",
    "",
  ].join("\n"),
};
const FILES = ["tests/test_cart.c", "tests/test_order.c", "tests/more.cpp", "tests/new.c", "src/cart.c"];

async function names(
  files: Readonly<Record<string, string>>,
  paths: readonly string[],
  read: typeof namesOfTests = namesOfTests,
): Promise<Record<string, readonly string[]>> {
  const folder = makeFolder({ ...files });
  return Object.fromEntries(read(paths, await folderFacts(folder, folder)));
}

describe("the tests that CTest knows of a file", () => {
  it.each([
    ["make", MAKEFILES],
    ["ninja", NINJA],
  ])("are those that run the program which it is compiled into, with %s", async (_, files) => {
    expect(await names(files, FILES)).toEqual({
      "tests/test_cart.c": [String.raw`^unit cart \(fast\)$`],
      "tests/test_order.c": ["^relative$"],
      "tests/more.cpp": ["^checked$"],
    });
  });

  it("are none if no build folder is configured, or if its files are damaged", async () => {
    expect(await names({ "CMakeLists.txt": "" }, FILES)).toEqual({});
    expect(await names({ ...NINJA, "build/tests/CTestTestfile.cmake": 'add_test([=[a "' }, FILES)).toEqual(
      {},
    );
    expect(await names({ ...CACHE, "build/CMakeCache.txt": "\0\0" }, FILES)).toEqual({});
  });

  it("are found in other build folders than build", async () => {
    for (const name of [
      ".",
      "cmake-build-debug",
      "build debug",
      "out/build/x64",
      "build-release",
      "build/debug",
    ]) {
      const moved = Object.fromEntries(
        Object.entries(NINJA).map(([path, text]) => [
          path.replace(/^build\//, `${name}/`),
          text.replaceAll("/home/ada/shop/build", posix.join("/home/ada/shop", name)),
        ]),
      );
      expect(Object.keys(await names(moved, FILES))).toHaveLength(3);
    }
  });

  const discovered = (program: string, tests: string | undefined) => ({
    ...CACHE,
    "build/build.ninja": [
      "build tests/CMakeFiles/unit.dir/cart_test.cpp.o: CXX_COMPILER__unit_ /home/ada/shop/tests/cart_test.cpp || x",
      "build tests/CMakeFiles/unit.dir/order_test.cpp.o: CXX_COMPILER__unit_ /home/ada/shop/tests/order_test.cpp || x",
      "build tests/unit: CXX_EXECUTABLE_LINKER__unit_ tests/CMakeFiles/unit.dir/cart_test.cpp.o tests/CMakeFiles/unit.dir/order_test.cpp.o",
      "",
    ].join("\n"),
    "build/tests/CTestTestfile.cmake": 'include("/home/ada/shop/build/tests/unit[1]_include.cmake")\n',
    "build/tests/unit[1]_include.cmake": `if(EXISTS "/home/ada/shop/build/tests/unit[1]_tests.cmake")\n  include("/home/ada/shop/build/tests/unit[1]_tests.cmake")\nelse()\n  add_test(${program}_NOT_BUILT-b12d07c ${program}_NOT_BUILT-b12d07c)\nendif()\n`,
    ...(tests !== undefined && { "build/tests/unit[1]_tests.cmake": tests }),
    "tests/cart_test.cpp":
      "TEST(CartTest, Doubles) {}\nTEST_F(CartTest, New) {}\n  TYPED_TEST(Typed, One) {}\n",
    "tests/order_test.cpp":
      'TEST_CASE("an order (of one)") {}\nSCENARIO("two \\"orders\\"") {}\nTEST_CASE_METHOD(Shop, "three") {}\n',
  });
  const cases = {
    "tests/cart_test.cpp": ["(^|[^A-Za-z0-9])CartTest[./]", "(^|[^A-Za-z0-9])Typed[./]"],
    "tests/order_test.cpp": [String.raw`an order \(of one\)`, 'two "orders"', "three"].map(
      (name) => `(^|[^A-Za-z0-9])${name}($|[^A-Za-z0-9])`,
    ),
  };

  it("are read from the source if CMake asks the program for them, which may be older", async () => {
    const known =
      "add_test([=[CartTest.Doubles]=]  /home/ada/shop/build/tests/unit [==[--gtest_filter=CartTest.Doubles]==])\n";
    const paths = ["tests/cart_test.cpp", "tests/order_test.cpp"];
    expect(await names(discovered("unit", known), paths)).toEqual(cases);
    expect(await names(discovered("unit", undefined), paths)).toEqual(cases);
    // Another framework, whose tests the source does not show.
    const other = { ...discovered("unit", known), "tests/cart_test.cpp": "MY_TEST(a)\n" };
    expect(await names(other, ["tests/cart_test.cpp"])).toEqual({
      "tests/cart_test.cpp": [String.raw`^CartTest\.Doubles$`],
    });
  });
});

it("knows the other test files of a program whose tests cannot be told apart", async () => {
  const together = {
    ...CACHE,
    "build/build.ninja": [
      ...["cart_test", "order_test", "main"].map(
        (name) =>
          `build CMakeFiles/unit.dir/${name}.c.o: C_COMPILER__unit_ /home/ada/shop/tests/${name}.c || x`,
      ),
      "build unit: C_EXECUTABLE_LINKER__unit_ CMakeFiles/unit.dir/cart_test.c.o CMakeFiles/unit.dir/order_test.c.o CMakeFiles/unit.dir/main.c.o",
      "",
    ].join("\n"),
    "build/tests/CTestTestfile.cmake": 'add_test(unit "/home/ada/shop/build/unit")\n',
  };
  const folder = makeFolder(together);
  expect(testsBeside(["tests/cart_test.c"], await folderFacts(folder, folder))).toEqual([
    "tests/order_test.c",
  ]);
  const apart = makeFolder(NINJA);
  expect(testsBeside(["tests/test_cart.c"], await folderFacts(apart, apart))).toEqual([]);
});

it("finds the tests that Meson knows of a file", async () => {
  const target = (id: string, source: string) => ({
    id,
    type: "executable",
    target_sources: [{ language: "c", sources: [`/home/ada/shop/tests/${source}`] }],
  });
  const files = {
    "builddir/meson-info/intro-targets.json": JSON.stringify([
      target("a@exe", "test_cart.c"),
      target("b@exe", "test_order.c"),
      target("c@exe", "more/tests/test_cart.c"),
    ]),
    "builddir/meson-info/meson-info.json":
      '{"directories":{"source":"/home/ada/shop","build":"/home/ada/shop/builddir"}}',
    "builddir/meson-info/intro-tests.json": JSON.stringify([
      { name: "unit cart", suite: ["shop"], depends: ["shop@sta", "a@exe"] },
      { name: "unit order", suite: ["shop"], depends: ["b@exe"] },
      { name: "another cart", suite: ["shop"], depends: ["c@exe"] },
    ]),
  };
  expect(await names(files, FILES, namesOfMesonTests)).toEqual({
    "tests/test_cart.c": ["unit cart"],
    "tests/test_order.c": ["unit order"],
  });
  const damaged = { ...files, "builddir/meson-info/intro-tests.json": '[{"na' };
  expect(await names(damaged, FILES, namesOfMesonTests)).toEqual({});
});

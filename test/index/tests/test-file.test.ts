import { expect, it } from "vitest";
import { concernsAllTests, isTestedFile, isTestFile, subjectOf } from "../../../src/index/tests/test-file.ts";

it.each([
  "test/cart.test.ts",
  "src/cart.spec.tsx",
  "src/__tests__/cart.js",
  "test/app.router.js",
  "tests/test_cart.py",
  "shop/cart_test.py",
  "tests/queries/tests.py",
  "shop/cart_test.go",
  "tests/cart.rs",
  "src/cart/tests.rs",
  "src/test/java/shop/CartTest.java",
  "src/test/java/shop/TestCart.java",
  "src/test/kotlin/shop/CartIT.kt",
  "spec/cart_spec.rb",
  "test/cart_test.rb",
  "tests/Unit/CartTest.php",
  "src/UnitTests/Cart.cs",
  "Shop.Tests/CartTests.cs",
  "Tests/ShopTests/CartTests.swift",
  "test/shop/cart_test.exs",
  "test/cart_test.dart",
  "spec/cart_spec.lua",
  "test/format-test.cc",
  "t/basic.t",
])("takes %s as a test file", (path) => {
  expect(isTestFile(path)).toBe(true);
});

it.each([
  "core/src/main/java/shop/TestMarker.java",
  "src/cart.ts",
  "shop/cart.py",
  "tests/conftest.py",
  "tests/__init__.py",
  "test/support/folder.ts",
  "test/fixtures/cart.test-data.js",
  "test/helpers.js",
  "django/test/client.py",
  "test/fixtures/a.ts",
  "test/routers/client.gen.ts",
  "spec/spec_helper.rb",
  "src/test/resources/cart.json",
  "types/cart.test.d.ts",
  "README.md",
])("does not take %s as a test file", (path) => {
  expect(isTestFile(path)).toBe(false);
});

it.each([
  ["src/cart.ts", "cart"],
  ["test/cart.test.ts", "cart"],
  ["tests/test_cart.py", "cart"],
  ["shop/cart_test.go", "cart"],
  ["src/test/java/shop/CartTest.java", "Cart"],
  ["src/test/java/shop/TestCart.java", "Cart"],
  ["src/cart/index.ts", "cart"],
  ["tests/queries/tests.py", "queries"],
  ["spec/models/line_item_spec.rb", "line_item"],
])("reads from the name of %s that it is about %s", (path, subject) => {
  expect(subjectOf(path)).toBe(subject);
});

it("leaves out texts for people, lock files and tests as what tests may test", () => {
  const paths = [
    "src/a.ts",
    "a.json",
    "README.md",
    "CHANGELOG.md",
    "package-lock.json",
    "a.test.ts",
    "Cargo.lock",
  ];
  expect(paths.filter(isTestedFile)).toEqual(["src/a.ts", "a.json"]);
});

it.each([
  "package.json",
  "packages/web/vitest.config.ts",
  "tests/conftest.py",
  "go.sum",
  "Cargo.lock",
  "core/pom.xml",
  "settings.gradle.kts",
  "tests/CMakeLists.txt",
  "src/Shop/Shop.csproj",
  "spec/spec_helper.rb",
  "phpunit.xml.dist",
  "tests/bootstrap.php",
  ".mocharc.yml",
  "tsconfig.test.json",
])("knows that every test may depend on %s", (path) => {
  expect(concernsAllTests(path)).toBe(true);
});

it.each([
  "src/config.ts",
  "README.md",
  "src/package.ts",
  "test/fixtures/cart.json",
  "src/setup.go",
  "app/bootstrap.php",
])("takes %s for a file of its own", (path) => {
  expect(concernsAllTests(path)).toBe(false);
});

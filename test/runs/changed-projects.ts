import type { Files } from "./runner-cases.ts";

/**
 * Small projects of each language for `tests of my changes`: the four parts of a shop with a test each, of which `cart`
 * uses `price`. An edit of `price` concerns the tests of both.
 */
export interface ChangedProject {
  /** The program that must be installed; runners from npm are part of the test tools. */
  readonly program: string;
  /** Arguments of a call that checks whether the program works; by default `--version`. */
  readonly probe?: readonly string[];
  readonly files: Files;
  /** The file of `price`. */
  readonly edited: string;
  /** The test files that run. */
  readonly chosen: readonly string[];
  /** What the reply says if both tests fail, and if both pass; the numbers show that no others ran. */
  readonly red: RegExp;
  readonly green: RegExp;
  /** A command that prepares the folder. */
  readonly setup?: readonly [string, ...string[]];
  /** True if the runner starts so fast that it is always run. */
  readonly quick?: true;
}

const PARTS = ["cart", "order", "price", "user"] as const;
type Part = (typeof PARTS)[number];

/** The files that each part has. */
function forParts(filesOf: (part: Part) => Files): Files {
  return Object.assign({}, ...PARTS.map(filesOf)) as Files;
}

function capital(part: string): string {
  return part.charAt(0).toUpperCase() + part.slice(1);
}

/** The value that each part returns; `call` is how `cart` calls `price`. */
function value(part: Part, call = "price(value)"): string {
  return part === "cart" ? call : "value * 2";
}

function manifest(test: string, type = "module"): string {
  return JSON.stringify({ name: "shop", type, scripts: { test } });
}

const IGNORED = {
  ".gitignore": "node_modules\ntarget\nbuild\n.gradle\nvendor\n__pycache__\n*.cache\nCargo.lock\n",
};

function module(part: Part, types = ""): string {
  const imports = part === "cart" ? `import { price } from "./price.${types === "" ? "js" : "ts"}";\n` : "";
  return `${imports}export function ${part}(value${types}) {\n  return ${value(part)};\n}\n`;
}

function common(part: Part): string {
  const imports = part === "cart" ? 'const { price } = require("./price");\n' : "";
  return `${imports}function ${part}(value) {\n  return ${value(part)};\n}\nmodule.exports = { ${part} };\n`;
}

/** Runners that npm installs. */
export const NPM_PROJECTS: Readonly<Record<string, ChangedProject>> = {
  vitest: {
    program: "node",
    files: {
      ...IGNORED,
      "package.json": manifest("vitest run"),
      ...forParts((part) => ({
        [`src/${part}.ts`]: module(part, ": number"),
        [`test/${part}.test.ts`]: `import { expect, test } from "vitest";\nimport { ${part} } from "../src/${part}.ts";\ntest("${part}", () => {\n  expect(${part}(2)).toBe(4);\n});\n`,
      })),
    },
    edited: "src/price.ts",
    chosen: ["test/price.test.ts", "test/cart.test.ts"],
    red: /FAIL vitest 2\/2 failed/,
    green: /PASS vitest 2 passed/,
  },
  jest: {
    program: "node",
    files: {
      ...IGNORED,
      "package.json": manifest("jest", "commonjs"),
      ...forParts((part) => ({
        [`src/${part}.js`]: common(part),
        [`src/__tests__/${part}.test.js`]: `const { ${part} } = require("../${part}");\ntest("${part}", () => {\n  expect(${part}(2)).toBe(4);\n});\n`,
      })),
    },
    edited: "src/price.js",
    chosen: ["src/__tests__/price.test.js", "src/__tests__/cart.test.js"],
    red: /FAIL jest 2\/2 failed/,
    green: /PASS jest 2 passed/,
  },
  mocha: {
    program: "node",
    files: {
      ...IGNORED,
      "package.json": manifest("mocha", "commonjs"),
      ...forParts((part) => ({
        [`src/${part}.js`]: common(part),
        [`test/${part}.js`]: `const { equal } = require("node:assert");\nconst { ${part} } = require("../src/${part}");\nit("${part}", () => equal(${part}(2), 4));\n`,
      })),
    },
    edited: "src/price.js",
    chosen: ["test/price.js", "test/cart.js"],
    red: /FAIL mocha 2\/2 failed/,
    green: /PASS mocha 2 passed/,
  },
  ava: {
    program: "node",
    files: {
      ...IGNORED,
      "package.json": manifest("ava"),
      ...forParts((part) => ({
        [`src/${part}.js`]: module(part),
        [`test/${part}.js`]: `import test from "ava";\nimport { ${part} } from "../src/${part}.js";\ntest("${part}", (t) => t.is(${part}(2), 4));\n`,
      })),
    },
    edited: "src/price.js",
    chosen: ["test/price.js", "test/cart.js"],
    red: /FAIL ava 2\/2 failed/,
    green: /PASS ava 2 passed/,
  },
};

function python(part: Part): string {
  const imports = part === "cart" ? "from shop.price import price\n\n\n" : "";
  return `${imports}def ${part}(value):\n    return ${value(part)}\n`;
}

function go(part: Part, price: string): string {
  const imports = part === "cart" ? `import "${price}"\n\n` : "";
  return `package ${part}\n\n${imports}func ${capital(part)}(value int) int {\n\treturn ${value(part, "price.Price(value)")}\n}\n`;
}

function goTest(part: Part): string {
  return `package ${part}\n\nimport "testing"\n\nfunc Test${capital(part)}(t *testing.T) {\n\tif got := ${capital(part)}(2); got != 4 {\n\t\tt.Errorf("got %d", got)\n\t}\n}\n`;
}

function rust(part: Part, price = "crate"): string {
  const imports = part === "cart" ? `use ${price}::price::price;\n\n` : "";
  return `${imports}pub fn ${part}(value: i32) -> i32 {\n    ${value(part)}\n}\n`;
}

function rustTest(part: Part, crate: string): string {
  return `use ${crate}::${part}::${part};\n\n#[test]\nfn ${part}_doubles() {\n    assert_eq!(${part}(2), 4);\n}\n`;
}

function cargo(name: string, more = ""): string {
  return `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2021"\n${more}`;
}

function java(part: Part): string {
  return `package shop;\n\npublic class ${capital(part)} {\n    public static int ${part}(int value) {\n        return ${value(part, "Price.price(value)")};\n    }\n}\n`;
}

function junit(part: Part): string {
  return `package shop;\n\nimport static org.junit.Assert.assertEquals;\n\nimport org.junit.Test;\n\npublic class ${capital(part)}Test {\n    @Test\n    public void doubles() {\n        assertEquals(4, ${capital(part)}.${part}(2));\n    }\n}\n`;
}

/** The repository of the packages that Debian has. */
const DEBIAN_MAVEN = "/usr/share/maven-repo";
const MAVEN = { ...IGNORED, ".mvn/maven.config": `-o\n-Dmaven.repo.local=${DEBIAN_MAVEN}\n` };
const HAS_SUREFIRE = ["-e", `${DEBIAN_MAVEN}/org/apache/maven/plugins/maven-surefire-plugin`] as const;

function pom(name: string, inner: string, parent = "<groupId>shop</groupId><version>1</version>"): string {
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">\n<modelVersion>4.0.0</modelVersion>\n${parent}\n<artifactId>${name}</artifactId>\n${inner}\n</project>\n`;
}

const JAVA_BUILD = `<properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version><scope>test</scope></dependency></dependencies>`;
const PARENT = "<parent><groupId>shop</groupId><artifactId>shop</artifactId><version>1</version></parent>";
const NEEDS_CORE =
  "<dependencies><dependency><groupId>shop</groupId><artifactId>core</artifactId><version>1</version></dependency></dependencies>";

function c(part: Part): string {
  const imports = part === "cart" ? '#include "price.h"\n' : "";
  return `#include "${part}.h"\n${imports}int ${part}(int value) {\n  return ${value(part)};\n}\n`;
}

const C_PARTS = forParts((part) => ({
  [`src/${part}.c`]: c(part),
  [`include/${part}.h`]: `#pragma once\n#ifdef __cplusplus\nextern "C"\n#endif\nint ${part}(int value);\n`,
}));
const C_LIBRARY = `add_library(shop ${PARTS.map((part) => `src/${part}.c`).join(" ")})\ntarget_include_directories(shop PUBLIC include)\nenable_testing()\nadd_subdirectory(tests)\n`;

function ruby(part: Part): string {
  const imports = part === "cart" ? 'require "shop/price"\n' : "";
  return `${imports}module Shop\n  class ${capital(part)}\n    def self.${part}(value)\n      ${value(part, "Price.price(value)")}\n    end\n  end\nend\n`;
}

/** Runners that the system has. */
export const SYSTEM_PROJECTS: Readonly<Record<string, ChangedProject>> = {
  unittest: {
    program: "python3",
    quick: true,
    files: {
      ...IGNORED,
      "pyproject.toml": '[project]\nname = "shop"\n',
      "shop/__init__.py": "",
      "tests/__init__.py": "",
      ...forParts((part) => ({
        [`shop/${part}.py`]: python(part),
        [`tests/test_${part}.py`]: `import unittest\n\nfrom shop.${part} import ${part}\n\n\nclass ${capital(part)}Test(unittest.TestCase):\n    def test_doubles(self):\n        self.assertEqual(${part}(2), 4)\n`,
      })),
    },
    edited: "shop/price.py",
    chosen: ["tests/test_price.py", "tests/test_cart.py"],
    red: /FAIL unittest 2\/2 failed/,
    green: /PASS unittest 2 passed/,
  },
  pytest: {
    program: "pytest",
    files: {
      ...IGNORED,
      "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["src"]\n',
      "src/shop/__init__.py": "",
      ...forParts((part) => ({
        [`src/shop/${part}.py`]: python(part),
        [`tests/test_${part}.py`]: `from shop.${part} import ${part}\n\n\ndef test_doubles():\n    assert ${part}(2) == 4\n`,
      })),
    },
    edited: "src/shop/price.py",
    chosen: ["tests/test_price.py", "tests/test_cart.py"],
    red: /FAIL pytest 2\/2 failed/,
    green: /PASS pytest 2 passed/,
  },
  "go with a go.work": {
    program: "go",
    probe: ["version"],
    files: {
      "go.work": "go 1.19\n\nuse (\n\t./core\n\t./web\n)\n",
      ...forParts((part) => {
        const name = part === "price" || part === "user" ? "core" : "web";
        return {
          [`${name}/go.mod`]: `module example.com/${name}\n\ngo 1.19\n`,
          [`${name}/${part}/${part}.go`]: go(part, "example.com/core/price"),
          [`${name}/${part}/${part}_test.go`]: goTest(part),
        };
      }),
    },
    edited: "core/price/price.go",
    chosen: ["core/price/price_test.go", "web/cart/cart_test.go"],
    red: /FAIL go-test 2 failed/,
    green: /PASS go-test 2 packages passed/,
  },
  "a cargo workspace": {
    program: "cargo",
    files: {
      ...IGNORED,
      "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\nresolver = "2"\n',
      "crates/core/Cargo.toml": cargo("shop-core"),
      "crates/core/src/lib.rs": "pub mod price;\npub mod user;\n",
      "crates/web/Cargo.toml": cargo("shop-web", '[dependencies]\nshop-core = { path = "../core" }\n'),
      "crates/web/src/lib.rs": "pub mod cart;\npub mod order;\n",
      ...forParts((part) => {
        const name = part === "price" || part === "user" ? "core" : "web";
        return {
          [`crates/${name}/src/${part}.rs`]: rust(part, "shop_core"),
          [`crates/${name}/tests/${part}.rs`]: rustTest(part, `shop_${name}`),
        };
      }),
    },
    edited: "crates/core/src/price.rs",
    chosen: ["crates/core/tests/price.rs", "crates/web/tests/cart.rs"],
    red: /FAIL cargo-test 2\/2 failed/,
    green: /PASS cargo-test 2 passed/,
  },
  "maven modules": {
    program: "test",
    probe: HAS_SUREFIRE,
    files: {
      ...MAVEN,
      "pom.xml": pom(
        "shop",
        `<packaging>pom</packaging><modules><module>core</module><module>web</module></modules>${JAVA_BUILD}`,
      ),
      "core/pom.xml": pom("core", "", PARENT),
      "web/pom.xml": pom("web", NEEDS_CORE, PARENT),
      ...forParts((part) => {
        const name = part === "price" || part === "user" ? "core" : "web";
        return {
          [`${name}/src/main/java/shop/${capital(part)}.java`]: java(part),
          [`${name}/src/test/java/shop/${capital(part)}Test.java`]: junit(part),
        };
      }),
    },
    edited: "core/src/main/java/shop/Price.java",
    chosen: ["core/src/test/java/shop/PriceTest.java", "web/src/test/java/shop/CartTest.java"],
    // Maven does not test a module that needs the failed one.
    red: /FAIL maven 1\/1 failed/,
    green: /PASS maven 2 passed/,
  },
  googletest: {
    program: "cmake",
    files: {
      ...IGNORED,
      ...C_PARTS,
      "CMakeLists.txt": `cmake_minimum_required(VERSION 3.16)\nproject(shop C CXX)\n${C_LIBRARY}`,
      "tests/CMakeLists.txt": `find_package(GTest REQUIRED)\ninclude(GoogleTest)\nadd_executable(unit ${PARTS.map((part) => `${part}_test.cpp`).join(" ")})\ntarget_link_libraries(unit shop GTest::gtest_main)\ngtest_discover_tests(unit)\n`,
      ...forParts((part) => ({
        [`tests/${part}_test.cpp`]: `#include <gtest/gtest.h>\n#include "${part}.h"\n\nTEST(${capital(part)}Test, Doubles) {\n  EXPECT_EQ(${part}(2), 4);\n}\n`,
      })),
    },
    setup: ["cmake", "-S", ".", "-B", "build"],
    edited: "src/price.c",
    chosen: ["tests/price_test.cpp", "tests/cart_test.cpp"],
    red: /FAIL ctest 2\/2 failed/,
    green: /PASS ctest 2 passed/,
  },
  meson: {
    program: "meson",
    files: {
      ...IGNORED,
      ...C_PARTS,
      "meson.build": `project('shop', 'c')\ninc = include_directories('include')\nshop = static_library('shop', ${PARTS.map((part) => `'src/${part}.c'`).join(", ")}, include_directories: inc)\nsubdir('tests')\n`,
      "tests/meson.build": PARTS.map(
        (part) =>
          `test('${part}', executable('test_${part}', 'test_${part}.c', include_directories: inc, link_with: shop))\n`,
      ).join(""),
      ...forParts((part) => ({
        [`tests/test_${part}.c`]: `#include "${part}.h"\n\nint main(void) {\n  return ${part}(2) == 4 ? 0 : 1;\n}\n`,
      })),
    },
    setup: ["meson", "setup", "build"],
    edited: "src/price.c",
    chosen: ["tests/test_price.c", "tests/test_cart.c"],
    red: /FAIL meson 2\/2 failed/,
    green: /PASS meson 2 passed/,
  },
  rspec: {
    program: "rspec",
    files: {
      ".rspec": "-I lib\n",
      ...forParts((part) => ({
        [`lib/shop/${part}.rb`]: ruby(part),
        [`spec/shop/${part}_spec.rb`]: `require "shop/${part}"\n\nRSpec.describe Shop::${capital(part)} do\n  it "doubles" do\n    expect(described_class.${part}(2)).to eq(4)\n  end\nend\n`,
      })),
    },
    edited: "lib/shop/price.rb",
    chosen: ["spec/shop/price_spec.rb", "spec/shop/cart_spec.rb"],
    red: /FAIL rspec 2\/2 failed/,
    green: /PASS rspec 2 passed/,
  },
  minitest: {
    program: "rake",
    files: {
      Rakefile:
        'require "rake/testtask"\n\nRake::TestTask.new { |task| task.pattern = "test/**/*_test.rb" }\n',
      ...forParts((part) => ({
        [`lib/shop/${part}.rb`]: ruby(part),
        [`test/${part}_test.rb`]: `require "minitest/autorun"\nrequire "shop/${part}"\n\nclass ${capital(part)}Test < Minitest::Test\n  def test_doubles\n    assert_equal 4, Shop::${capital(part)}.${part}(2)\n  end\nend\n`,
      })),
    },
    edited: "lib/shop/price.rb",
    chosen: ["test/price_test.rb", "test/cart_test.rb"],
    red: /FAIL minitest 2\/2 failed/,
    green: /PASS minitest 2 passed/,
  },
  phpunit: {
    program: "phpunit",
    files: {
      ...IGNORED,
      "phpunit.xml":
        '<phpunit bootstrap="tests/bootstrap.php"><testsuites><testsuite name="unit"><directory>tests</directory></testsuite></testsuites></phpunit>\n',
      "tests/bootstrap.php": "<?php\nforeach (glob(__DIR__ . '/../src/*.php') as $path) require $path;\n",
      ...forParts((part) => ({
        [`src/${capital(part)}.php`]: `<?php\n\nnamespace Shop;\n\nfinal class ${capital(part)}\n{\n    public static function ${part}(int $value): int\n    {\n        return ${part === "cart" ? "Price::price($value)" : "$value * 2"};\n    }\n}\n`,
        [`tests/${capital(part)}Test.php`]: `<?php\n\nuse PHPUnit\\Framework\\TestCase;\nuse Shop\\${capital(part)};\n\nfinal class ${capital(part)}Test extends TestCase\n{\n    public function testDoubles(): void\n    {\n        $this->assertSame(4, ${capital(part)}::${part}(2));\n    }\n}\n`,
      })),
    },
    edited: "src/Price.php",
    chosen: ["tests/PriceTest.php", "tests/CartTest.php"],
    red: /FAIL phpunit 2\/2 failed/,
    green: /PASS phpunit 2 passed/,
  },
};

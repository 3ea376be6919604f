import type { BuildTool } from "../tool.ts";
import { cargo } from "../tools/cargo/tool.ts";
import { cargoNextest } from "../tools/cargo-nextest/tool.ts";
import { cargoTest } from "../tools/cargo-test/tool.ts";
import { catch2 } from "../tools/catch2/tool.ts";
import { clangTidy } from "../tools/clang-tidy/tool.ts";
import { cmake } from "../tools/cmake/tool.ts";
import { cppcheck } from "../tools/cppcheck/tool.ts";
import { ctest } from "../tools/ctest/tool.ts";
import { gcc } from "../tools/gcc/tool.ts";
import { go } from "../tools/go/tool.ts";
import { goTest } from "../tools/go-test/tool.ts";
import { gofmt } from "../tools/gofmt/tool.ts";
import { golangciLint } from "../tools/golangci-lint/tool.ts";
import { googletest } from "../tools/googletest/tool.ts";
import { gotestsum } from "../tools/gotestsum/tool.ts";
import { make } from "../tools/make/tool.ts";
import { msvc } from "../tools/msvc/tool.ts";
import { ninja } from "../tools/ninja/tool.ts";
import { pytest } from "../tools/pytest/tool.ts";
import { rustfmt } from "../tools/rustfmt/tool.ts";
import { sanitizers } from "../tools/sanitizers/tool.ts";
import { staticcheck } from "../tools/staticcheck/tool.ts";
import { valgrind } from "../tools/valgrind/tool.ts";

/** Python, Rust, Go, C and C++. */
export const systemTools: readonly BuildTool[] = [
  cargo,
  cargoNextest,
  cargoTest,
  catch2,
  clangTidy,
  cmake,
  cppcheck,
  ctest,
  gcc,
  go,
  goTest,
  gofmt,
  golangciLint,
  googletest,
  gotestsum,
  make,
  msvc,
  ninja,
  pytest,
  rustfmt,
  sanitizers,
  staticcheck,
  valgrind,
];

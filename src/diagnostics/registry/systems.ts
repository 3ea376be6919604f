import type { BuildTool } from "../tool.ts";
import { bandit } from "../tools/bandit/tool.ts";
import { bazel } from "../tools/bazel/tool.ts";
import { black } from "../tools/black/tool.ts";
import { cargo } from "../tools/cargo/tool.ts";
import { cargoNextest } from "../tools/cargo-nextest/tool.ts";
import { cargoTest } from "../tools/cargo-test/tool.ts";
import { catch2 } from "../tools/catch2/tool.ts";
import { clangTidy } from "../tools/clang-tidy/tool.ts";
import { cmake } from "../tools/cmake/tool.ts";
import { cppcheck } from "../tools/cppcheck/tool.ts";
import { ctest } from "../tools/ctest/tool.ts";
import { doctest } from "../tools/doctest/tool.ts";
import { flake8 } from "../tools/flake8/tool.ts";
import { gcc } from "../tools/gcc/tool.ts";
import { ginkgo } from "../tools/ginkgo/tool.ts";
import { go } from "../tools/go/tool.ts";
import { goTest } from "../tools/go-test/tool.ts";
import { gofmt } from "../tools/gofmt/tool.ts";
import { golangciLint } from "../tools/golangci-lint/tool.ts";
import { googletest } from "../tools/googletest/tool.ts";
import { gotestsum } from "../tools/gotestsum/tool.ts";
import { isort } from "../tools/isort/tool.ts";
import { make } from "../tools/make/tool.ts";
import { meson } from "../tools/meson/tool.ts";
import { msvc } from "../tools/msvc/tool.ts";
import { mypy } from "../tools/mypy/tool.ts";
import { ninja } from "../tools/ninja/tool.ts";
import { pip } from "../tools/pip/tool.ts";
import { poetry } from "../tools/poetry/tool.ts";
import { pylint } from "../tools/pylint/tool.ts";
import { pyright } from "../tools/pyright/tool.ts";
import { pytest } from "../tools/pytest/tool.ts";
import { python } from "../tools/python/tool.ts";
import { ruff } from "../tools/ruff/tool.ts";
import { rustfmt } from "../tools/rustfmt/tool.ts";
import { sanitizers } from "../tools/sanitizers/tool.ts";
import { staticcheck } from "../tools/staticcheck/tool.ts";
import { unittest } from "../tools/unittest/tool.ts";
import { uv } from "../tools/uv/tool.ts";
import { valgrind } from "../tools/valgrind/tool.ts";

/** Tools for Python, Rust, Go, C and C++. */
export const systemTools: readonly BuildTool[] = [
  bandit,
  bazel,
  black,
  cargo,
  cargoNextest,
  cargoTest,
  catch2,
  clangTidy,
  cmake,
  cppcheck,
  ctest,
  doctest,
  flake8,
  gcc,
  ginkgo,
  go,
  goTest,
  gofmt,
  golangciLint,
  googletest,
  gotestsum,
  isort,
  make,
  meson,
  msvc,
  mypy,
  ninja,
  pip,
  poetry,
  pylint,
  pyright,
  pytest,
  python,
  ruff,
  rustfmt,
  sanitizers,
  staticcheck,
  unittest,
  uv,
  valgrind,
];

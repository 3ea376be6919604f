import type { BuildTool } from "../tool.ts";
import { actionlint } from "../tools/actionlint/tool.ts";
import { androidLint } from "../tools/android-lint/tool.ts";
import { ansible } from "../tools/ansible/tool.ts";
import { ansibleLint } from "../tools/ansible-lint/tool.ts";
import { apt } from "../tools/apt/tool.ts";
import { bundler } from "../tools/bundler/tool.ts";
import { busted } from "../tools/busted/tool.ts";
import { checkstyle } from "../tools/checkstyle/tool.ts";
import { codespell } from "../tools/codespell/tool.ts";
import { composer } from "../tools/composer/tool.ts";
import { dart } from "../tools/dart/tool.ts";
import { dartTest } from "../tools/dart-test/tool.ts";
import { detekt } from "../tools/detekt/tool.ts";
import { docker } from "../tools/docker/tool.ts";
import { dotnet } from "../tools/dotnet/tool.ts";
import { dotnetTest } from "../tools/dotnet-test/tool.ts";
import { ecj } from "../tools/ecj/tool.ts";
import { editorconfigChecker } from "../tools/editorconfig-checker/tool.ts";
import { erlang } from "../tools/erlang/tool.ts";
import { exunit } from "../tools/exunit/tool.ts";
import { ghc } from "../tools/ghc/tool.ts";
import { git } from "../tools/git/tool.ts";
import { gradle } from "../tools/gradle/tool.ts";
import { hadolint } from "../tools/hadolint/tool.ts";
import { helm } from "../tools/helm/tool.ts";
import { hlint } from "../tools/hlint/tool.ts";
import { javac } from "../tools/javac/tool.ts";
import { junitConsole } from "../tools/junit-console/tool.ts";
import { kotlin } from "../tools/kotlin/tool.ts";
import { ktlint } from "../tools/ktlint/tool.ts";
import { latex } from "../tools/latex/tool.ts";
import { luacheck } from "../tools/luacheck/tool.ts";
import { markdownlint } from "../tools/markdownlint/tool.ts";
import { maven } from "../tools/maven/tool.ts";
import { minitest } from "../tools/minitest/tool.ts";
import { mix } from "../tools/mix/tool.ts";
import { nim } from "../tools/nim/tool.ts";
import { ocaml } from "../tools/ocaml/tool.ts";
import { perl } from "../tools/perl/tool.ts";
import { pest } from "../tools/pest/tool.ts";
import { php } from "../tools/php/tool.ts";
import { phpCsFixer } from "../tools/php-cs-fixer/tool.ts";
import { phpcs } from "../tools/phpcs/tool.ts";
import { phpstan } from "../tools/phpstan/tool.ts";
import { phpunit } from "../tools/phpunit/tool.ts";
import { preCommit } from "../tools/pre-commit/tool.ts";
import { protoc } from "../tools/protoc/tool.ts";
import { psalm } from "../tools/psalm/tool.ts";
import { r } from "../tools/r/tool.ts";
import { reek } from "../tools/reek/tool.ts";
import { rspec } from "../tools/rspec/tool.ts";
import { rubocop } from "../tools/rubocop/tool.ts";
import { ruby } from "../tools/ruby/tool.ts";
import { scala } from "../tools/scala/tool.ts";
import { shellcheck } from "../tools/shellcheck/tool.ts";
import { spotbugs } from "../tools/spotbugs/tool.ts";
import { springBoot } from "../tools/spring-boot/tool.ts";
import { sqlfluff } from "../tools/sqlfluff/tool.ts";
import { swift } from "../tools/swift/tool.ts";
import { swiftTest } from "../tools/swift-test/tool.ts";
import { swiftlint } from "../tools/swiftlint/tool.ts";
import { terraform } from "../tools/terraform/tool.ts";
import { testthat } from "../tools/testthat/tool.ts";
import { yamllint } from "../tools/yamllint/tool.ts";
import { zig } from "../tools/zig/tool.ts";

/** Tools for Java, .NET, Ruby, PHP, Swift and infrastructure. */
export const platformTools: readonly BuildTool[] = [
  actionlint,
  androidLint,
  ansible,
  ansibleLint,
  apt,
  bundler,
  busted,
  checkstyle,
  codespell,
  composer,
  dart,
  dartTest,
  detekt,
  docker,
  dotnet,
  dotnetTest,
  ecj,
  editorconfigChecker,
  erlang,
  exunit,
  ghc,
  git,
  gradle,
  hadolint,
  helm,
  hlint,
  javac,
  junitConsole,
  kotlin,
  ktlint,
  latex,
  luacheck,
  markdownlint,
  maven,
  minitest,
  mix,
  nim,
  ocaml,
  perl,
  pest,
  php,
  phpcs,
  phpCsFixer,
  phpstan,
  phpunit,
  preCommit,
  protoc,
  psalm,
  r,
  reek,
  rspec,
  rubocop,
  ruby,
  scala,
  shellcheck,
  spotbugs,
  springBoot,
  sqlfluff,
  swift,
  swiftlint,
  swiftTest,
  terraform,
  testthat,
  yamllint,
  zig,
];

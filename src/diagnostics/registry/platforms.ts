import type { BuildTool } from "../tool.ts";
import { bundler } from "../tools/bundler/tool.ts";
import { composer } from "../tools/composer/tool.ts";
import { dotnet } from "../tools/dotnet/tool.ts";
import { dotnetTest } from "../tools/dotnet-test/tool.ts";
import { gradle } from "../tools/gradle/tool.ts";
import { javac } from "../tools/javac/tool.ts";
import { kotlin } from "../tools/kotlin/tool.ts";
import { maven } from "../tools/maven/tool.ts";
import { minitest } from "../tools/minitest/tool.ts";
import { pest } from "../tools/pest/tool.ts";
import { php } from "../tools/php/tool.ts";
import { phpCsFixer } from "../tools/php-cs-fixer/tool.ts";
import { phpcs } from "../tools/phpcs/tool.ts";
import { phpstan } from "../tools/phpstan/tool.ts";
import { phpunit } from "../tools/phpunit/tool.ts";
import { psalm } from "../tools/psalm/tool.ts";
import { rspec } from "../tools/rspec/tool.ts";
import { rubocop } from "../tools/rubocop/tool.ts";
import { ruby } from "../tools/ruby/tool.ts";

/** Java, .NET, Ruby, PHP, Swift and infrastructure. */
export const platformTools: readonly BuildTool[] = [
  bundler,
  composer,
  dotnet,
  dotnetTest,
  gradle,
  javac,
  kotlin,
  maven,
  minitest,
  pest,
  php,
  phpCsFixer,
  phpcs,
  phpstan,
  phpunit,
  psalm,
  rspec,
  rubocop,
  ruby,
];

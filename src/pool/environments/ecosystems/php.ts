import { type Ecosystem, textOf } from "../ecosystem.ts";

const composer: Ecosystem = {
  id: "composer",
  group: "php",
  locks: ["composer.lock"],
  programs: ["php", "composer", "phpunit", "pest", "phpstan", "psalm", "phpcs", "php-cs-fixer"],
  committed: ["vendor/autoload.php"],
  isInput: (path) => ["composer.json", "composer.lock", "auth.json"].includes(path),
  versions: [
    ["php", "--version"],
    ["composer", "--version", "--no-ansi"],
  ],
  // The autoloader and the scripts need the project's sources.
  steps: () => [
    ["composer", "install", "--no-interaction", "--no-progress", "--no-scripts", "--no-autoloader"],
  ],
  stepsPerJob: (files) => [
    ["composer", "dump-autoload", "--no-interaction"],
    ...(/"post-install-cmd"/.test(textOf(files, "composer.json"))
      ? [["composer", "run-script", "--no-interaction", "post-install-cmd"] as const]
      : []),
  ],
};

export const phpEcosystems: readonly Ecosystem[] = [composer];

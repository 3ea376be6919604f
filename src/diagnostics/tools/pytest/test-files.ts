import type { FolderFacts, TestFolder } from "../../tool.ts";

const NAME = /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/;
/** Folders that pytest does not enter by default. */
const SKIPPED = /(?:^|\/)(?:[^/]*\.egg|\.[^/]*|_darcs|build|CVS|dist|node_modules|venv|\{arch\})\//;
const SETTINGS = ["pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"];
/** Settings by which pytest finds other files than by default. */
const OWN_RULES =
  /\b(?:python_files|norecursedirs|collect_ignore\w*|collect_imported_tests|pyargs)\b|--(?:ignore|deselect)/;
/** Hooks of the project by which it chooses files itself. */
const OWN_HOOKS = /\b(?:collect_ignore\w*|pytest_ignore_collect|pytest_collect_\w+)\b/;

/** The test files of a project that follows pytest's defaults, or names its folders of tests. */
export function pytestFiles({ paths, words, folder, read }: TestFolder): readonly string[] {
  const settings = SETTINGS.flatMap((name) => folder.nearest(name) ?? []);
  const hooks = paths.filter((path) => /(?:^|\/)conftest\.py$/.test(path));
  const isOwn =
    settings.some((text) => OWN_RULES.test(text)) || hooks.some((path) => OWN_HOOKS.test(read(path)));
  const folders = isOwn || words.length > 0 ? undefined : testFolders(settings, folder);
  if (folders === undefined) return [];
  return paths.filter(
    (path) =>
      NAME.test(path) &&
      !SKIPPED.test(path) &&
      folders.some((one) => one === "" || path.startsWith(`${one}/`)),
  );
}

/** Reads the folders that settings name; all if they name none, undefined if that is not certain. */
function testFolders(settings: readonly string[], folder: FolderFacts): string[] | undefined {
  const named = settings.filter((text) => /\btestpaths\b/.test(text));
  if (named.length === 0) return [""];
  const value = /^\s*testpaths\s*=\s*(?:\[([^\]]*)\]|(.+))$/m.exec(named[0] ?? "");
  const names = (value?.[1] ?? value?.[2] ?? "").split(/[\s,"']+/).filter(Boolean);
  // The settings of a folder above name folders below that one.
  const isHere = SETTINGS.some((name) => folder.has(name));
  const isPlain = names.length > 0 && names.every((name) => /^[\w-]+(?:\/[\w-]+)*$/.test(name));
  return named.length === 1 && isHere && isPlain ? names : undefined;
}

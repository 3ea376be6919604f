import { type Argv, type Ecosystem, nameOf, type StagedFiles, textOf, withText } from "../ecosystem.ts";

const PROGRAMS =
  "python python3 pip pip3 uv uvx poetry pytest py.test tox nox mypy ruff flake8 pylint black isort coverage bandit".split(
    " ",
  );

/** Files of which every one is installed, if it is in the folder. */
const REQUIREMENTS = ["", "-dev", "-test", "-tests", "_dev", "_test"]
  .map((suffix) => `requirements${suffix}.txt`)
  .concat("dev-requirements.txt", "test-requirements.txt");
/** Matches a line that installs the project itself or another folder of it. */
const LOCAL_PROJECT = /^\s*(?:-e|--editable|\.(?:\[|\/|\s*$)|\.\.\/|file:)(?!.*\.whl\s*$)/;

const PYTHON = "{folder}/.venv/bin/python";
const COMMON = {
  group: "python",
  programs: PROGRAMS,
  committed: [".venv"],
  variables: { VIRTUAL_ENV: "{folder}/.venv" },
  programFolder: ".venv/bin",
  relocated: [".venv/bin"],
} as const;
const VERSION: Argv = ["python3", "--version"];

function isProjectFile(path: string): boolean {
  return ["pyproject.toml", ".python-version"].includes(nameOf(path));
}

const uv: Ecosystem = {
  ...COMMON,
  id: "uv",
  locks: ["uv.lock"],
  isInput: (path) => isProjectFile(path) || ["uv.lock", "uv.toml"].includes(path),
  // uv also finds and downloads Pythons that are not on the PATH.
  versions: [["uv", "--version"]],
  steps: () => [["uv", "sync", "--frozen", "--no-install-project", "--no-install-workspace"]],
  stepsPerJob: () => [["uv", "sync", "--frozen"]],
  // Files that are linked to uv's own cache would change with it.
  variables: { ...COMMON.variables, UV_LINK_MODE: "copy", UV_PROJECT_ENVIRONMENT: "{folder}/.venv" },
};

const poetry: Ecosystem = {
  ...COMMON,
  id: "poetry",
  locks: ["poetry.lock"],
  isInput: (path) => isProjectFile(path) || ["poetry.lock", "poetry.toml"].includes(path),
  versions: [["poetry", "--version"], VERSION],
  steps: () => [["poetry", "install", "--no-root", "--no-interaction"]],
  stepsPerJob: () => [["poetry", "install", "--only-root", "--no-interaction"]],
  // Poetry fails here if the project is no package, as it does for everybody who uses `--no-root`.
  areOwnStepsOptional: true,
  variables: {
    ...COMMON.variables,
    POETRY_VIRTUALENVS_IN_PROJECT: "true",
    POETRY_VIRTUALENVS_CREATE: "true",
  },
  // Poetry takes the environment that one of these names, even if it is not there yet, and makes none of its own.
  withoutVariables: ["VIRTUAL_ENV", "CONDA_PREFIX"],
};

const pip: Ecosystem = {
  ...COMMON,
  id: "pip",
  locks: REQUIREMENTS,
  isInput: (path) =>
    /(?:requirements|constraints)[^/]*\.(?:txt|in)$|^requirements\/.*\.txt$|\.whl$|^\.python-version$/.test(
      path,
    ),
  stage: (files) => withRequirements(files, (line) => !LOCAL_PROJECT.test(line)),
  versions: [VERSION],
  steps: (files) => [
    ["python3", "-m", "venv", ".venv"],
    [...INSTALL, ...listed(files).flatMap((name) => ["-r", name])],
  ],
  installed: distributions,
  stepsPerJob(files) {
    const lines = listed(files).flatMap((name) => textOf(files, name).split(/\r?\n/));
    const local = lines.filter((line) => LOCAL_PROJECT.test(line));
    return local.map((line): Argv => [
      ...INSTALL,
      ...line
        .replace(/\s#.*$/, "")
        .trim()
        .split(/\s+/),
    ]);
  },
};

/** Lists the installed packages with their versions, which requirements need not name. */
function distributions(made: readonly string[]): string {
  return made
    .flatMap((path) => /\/site-packages\/([^/]+\.dist-info)$/.exec(path)?.[1] ?? [])
    .sort()
    .join(" ");
}

const INSTALL: Argv = [PYTHON, "-m", "pip", "install", "--no-input", "--disable-pip-version-check"];

function listed(files: StagedFiles): string[] {
  return REQUIREMENTS.filter((name) => files.has(name));
}

function withRequirements(files: StagedFiles, isKept: (line: string) => boolean): StagedFiles {
  let staged = files;
  for (const path of files.keys())
    if (path.endsWith(".txt"))
      staged = withText(staged, path, textOf(files, path).split("\n").filter(isKept).join("\n"));
  return staged;
}

export const pythonEcosystems: readonly Ecosystem[] = [uv, poetry, pip];

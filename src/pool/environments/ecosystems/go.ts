import { type Ecosystem, nameOf } from "../ecosystem.ts";

/** Go keeps modules in a cache of its own, which it verifies, so that nothing has to be copied into a job's folder. */
const go: Ecosystem = {
  id: "go",
  group: "go",
  locks: ["go.sum", "go.work"],
  programs: ["go", "gofmt", "gotestsum", "golangci-lint", "staticcheck", "ginkgo"],
  committed: ["vendor/modules.txt"],
  isInput: (path) => ["go.mod", "go.sum", "go.work", "go.work.sum"].includes(nameOf(path)),
  versions: [["go", "version"]],
  steps: () => [["go", "mod", "download"]],
  isOptional: true,
};

export const goEcosystems: readonly Ecosystem[] = [go];

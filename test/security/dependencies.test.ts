import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");

interface LockedPackage {
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly integrity?: string;
}

const manifest = JSON.parse(readFileSync(resolve(ROOT, "package.json"), "utf8")) as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};
const lock = JSON.parse(readFileSync(resolve(ROOT, "package-lock.json"), "utf8")) as {
  packages: Record<string, LockedPackage>;
};
const locked = Object.entries(lock.packages).filter(([path]) => path !== "");

it("installs only ripgrep, and no package with an install script", () => {
  const installed = locked.filter(([, one]) => one.dev !== true);
  const names = installed.map(([path]) => path.replace(/^.*node_modules\//, ""));
  expect(names.filter((name) => !name.startsWith("@vscode/ripgrep"))).toEqual([]);
  expect(installed.filter(([, one]) => one.hasInstallScript === true)).toEqual([]);
});

it("pins every direct dependency, and every package by its hash", () => {
  const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });
  // A package may be listed under a second name, so that two of its versions can be installed.
  const exact = /^(?:npm:[\w-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/;
  expect(versions.filter((version) => !exact.test(version))).toEqual([]);
  const unproven = locked.filter(
    ([, one]) => one.link !== true && one.integrity?.startsWith("sha512-") !== true,
  );
  expect(unproven.map(([path]) => path)).toEqual([]);
});

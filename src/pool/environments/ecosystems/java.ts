import { type Ecosystem, nameOf } from "../ecosystem.ts";

const gradle: Ecosystem = {
  id: "gradle",
  group: "java",
  locks: ["settings.gradle", "settings.gradle.kts", "build.gradle", "build.gradle.kts"],
  programs: ["gradle", "gradlew", "java", "javac"],
  isInput: (path) =>
    /\.gradle(?:\.kts)?$|(?:^|\/)gradle\.(?:properties|lockfile)$|^gradle\/|^gradlew$|^buildSrc\//.test(path),
  versions: [["java", "--version"]],
  steps: (files) => [
    [
      files.has("gradlew") ? "./gradlew" : "gradle",
      "--no-daemon",
      "--quiet",
      "--console=plain",
      "dependencies",
    ],
  ],
  // Gradle's own cache holds the packages; the rest is about this folder only.
  leftovers: (made) => made,
  isOptional: true,
};

const maven: Ecosystem = {
  id: "maven",
  group: "java",
  locks: ["pom.xml"],
  programs: ["mvn", "mvnw", "java", "javac"],
  isInput: (path) => nameOf(path) === "pom.xml" || /^(?:mvnw|\.mvn\/.*)$/.test(path),
  versions: [["mvn", "--version"]],
  steps: () => [["mvn", "--batch-mode", "--quiet", "dependency:go-offline"]],
  isOptional: true,
};

export const javaEcosystems: readonly Ecosystem[] = [gradle, maven];

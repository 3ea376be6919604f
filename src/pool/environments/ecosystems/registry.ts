import type { Ecosystem } from "../ecosystem.ts";
import { goEcosystems } from "./go.ts";
import { javaEcosystems } from "./java.ts";
import { nodeEcosystems } from "./node.ts";
import { phpEcosystems } from "./php.ts";
import { pythonEcosystems } from "./python.ts";
import { rubyEcosystems } from "./ruby.ts";
import { rustEcosystems } from "./rust.ts";

/** All package managers that are recognized without configuration. Within a group, the first one takes precedence. */
export const ECOSYSTEMS: readonly Ecosystem[] = [
  ...nodeEcosystems,
  ...pythonEcosystems,
  ...rustEcosystems,
  ...goEcosystems,
  ...rubyEcosystems,
  ...phpEcosystems,
  ...javaEcosystems,
];

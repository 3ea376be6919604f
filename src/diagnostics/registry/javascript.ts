import type { BuildTool } from "../tool.ts";
import { ava } from "../tools/ava/tool.ts";
import { biome } from "../tools/biome/tool.ts";
import { bun } from "../tools/bun/tool.ts";
import { deno } from "../tools/deno/tool.ts";
import { esbuild } from "../tools/esbuild/tool.ts";
import { eslint } from "../tools/eslint/tool.ts";
import { htmlhint } from "../tools/htmlhint/tool.ts";
import { jasmine } from "../tools/jasmine/tool.ts";
import { jest } from "../tools/jest/tool.ts";
import { karma } from "../tools/karma/tool.ts";
import { knip } from "../tools/knip/tool.ts";
import { lerna } from "../tools/lerna/tool.ts";
import { mocha } from "../tools/mocha/tool.ts";
import { moon } from "../tools/moon/tool.ts";
import { next } from "../tools/next/tool.ts";
import { node } from "../tools/node/tool.ts";
import { nodeTest } from "../tools/node-test/tool.ts";
import { npm } from "../tools/npm/tool.ts";
import { nx } from "../tools/nx/tool.ts";
import { oxlint } from "../tools/oxlint/tool.ts";
import { playwright } from "../tools/playwright/tool.ts";
import { pnpm } from "../tools/pnpm/tool.ts";
import { prettier } from "../tools/prettier/tool.ts";
import { rolldown } from "../tools/rolldown/tool.ts";
import { rollup } from "../tools/rollup/tool.ts";
import { standard } from "../tools/standard/tool.ts";
import { stylelint } from "../tools/stylelint/tool.ts";
import { svelteCheck } from "../tools/svelte-check/tool.ts";
import { tsc } from "../tools/tsc/tool.ts";
import { tslint } from "../tools/tslint/tool.ts";
import { turbo } from "../tools/turbo/tool.ts";
import { vite } from "../tools/vite/tool.ts";
import { vitest } from "../tools/vitest/tool.ts";
import { webpack } from "../tools/webpack/tool.ts";
import { xo } from "../tools/xo/tool.ts";
import { yarn } from "../tools/yarn/tool.ts";

/** Tools for JavaScript and TypeScript. */
export const javascriptTools: readonly BuildTool[] = [
  ava,
  biome,
  bun,
  deno,
  esbuild,
  eslint,
  htmlhint,
  jasmine,
  jest,
  karma,
  knip,
  lerna,
  mocha,
  moon,
  next,
  node,
  nodeTest,
  npm,
  nx,
  oxlint,
  playwright,
  pnpm,
  prettier,
  rolldown,
  rollup,
  standard,
  stylelint,
  svelteCheck,
  tsc,
  tslint,
  turbo,
  vite,
  vitest,
  webpack,
  xo,
  yarn,
];

import type { BuildTool } from "../tool.ts";
import { cargoNextest } from "../tools/cargo-nextest/tool.ts";
import { cargoTest } from "../tools/cargo-test/tool.ts";
import { cargo } from "../tools/cargo/tool.ts";
import { pytest } from "../tools/pytest/tool.ts";
import { rustfmt } from "../tools/rustfmt/tool.ts";

/** Python, Rust, Go, C and C++. */
export const systemTools: readonly BuildTool[] = [cargo, cargoTest, cargoNextest, rustfmt, pytest];

import type { BuildTool } from "../tool.ts";
import { gradle } from "../tools/gradle/tool.ts";
import { javac } from "../tools/javac/tool.ts";
import { kotlin } from "../tools/kotlin/tool.ts";
import { maven } from "../tools/maven/tool.ts";

/** Java, .NET, Ruby, PHP, Swift and infrastructure. */
export const platformTools: readonly BuildTool[] = [gradle, javac, kotlin, maven];

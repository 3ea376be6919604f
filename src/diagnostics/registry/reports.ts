import type { BuildTool } from "../tool.ts";
import { cargoJson } from "../tools/cargo-json/tool.ts";
import { checkstyleXml } from "../tools/checkstyle-xml/tool.ts";
import { eslintJson } from "../tools/eslint-json/tool.ts";
import { githubAnnotations } from "../tools/github-annotations/tool.ts";
import { gitlabCodeQuality } from "../tools/gitlab-code-quality/tool.ts";
import { goJson } from "../tools/go-json/tool.ts";
import { jsonReport } from "../tools/json-report/tool.ts";
import { junit } from "../tools/junit/tool.ts";
import { nunit } from "../tools/nunit/tool.ts";
import { pmd } from "../tools/pmd/tool.ts";
import { sarif } from "../tools/sarif/tool.ts";
import { tap } from "../tools/tap/tool.ts";
import { teamcity } from "../tools/teamcity/tool.ts";
import { trx } from "../tools/trx/tool.ts";
import { xmlReport } from "../tools/xml-report/tool.ts";

/** Report formats that many tools write. */
export const reportFormats: readonly BuildTool[] = [
  cargoJson,
  checkstyleXml,
  eslintJson,
  githubAnnotations,
  gitlabCodeQuality,
  goJson,
  jsonReport,
  junit,
  nunit,
  pmd,
  sarif,
  tap,
  teamcity,
  trx,
  xmlReport,
];

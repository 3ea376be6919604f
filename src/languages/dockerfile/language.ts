import type { Language, Scanned, ScannedSymbol } from "../language.ts";
import { linesOf } from "../lines.ts";

/** Dockerfiles: build stages and the variables set in them. */
export const dockerfile: Language = {
  id: "dockerfile",
  name: "Dockerfile",
  extensions: [".dockerfile", ".containerfile"],
  fileNames: ["dockerfile", "containerfile"],
  holds: "stages, arguments, environment variables; base images as imports",
  outline: { by: "scanner", separator: ".", scan },
};

const FROM = /^\s*FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?/iu;
const VARIABLE = /^\s*(?:ARG|ENV)\s+([A-Za-z_]\w*)/iu;

type Open = { -readonly [K in keyof ScannedSymbol]: ScannedSymbol[K] };

function scan(text: string): Scanned {
  const symbols: Open[] = [];
  const imports: { source: string; line: number }[] = [];
  const stages = new Set<string>();
  let stage: Open | undefined;
  let continues = false;
  for (const [index, line] of linesOf(text).entries()) {
    const number = index + 1;
    const isComment = /^\s*#/u.test(line);
    const isInside = continues;
    if (!isComment) continues = /\\\s*$/u.test(line);
    if (stage !== undefined && !isComment && line.trim() !== "") stage.lineEnd = number;
    if (isComment || isInside || line.length > 2000) continue;
    const [, image, name] = FROM.exec(line) ?? [];
    if (image !== undefined) {
      stage = {
        kind: "stage",
        name: name ?? image,
        signature: line.trim(),
        lineStart: number,
        lineEnd: number,
        depth: 1,
      };
      symbols.push(stage);
      if (!stages.has(image)) imports.push({ source: image, line: number });
      stages.add(name ?? image);
    }
    const variable = VARIABLE.exec(line)?.[1];
    if (variable !== undefined)
      symbols.push({
        kind: "var",
        name: variable,
        signature: line.trim().replace(/\s*\\$/u, ""),
        lineStart: number,
        lineEnd: number,
        depth: stage === undefined ? 1 : 2,
      });
  }
  return { symbols, imports };
}

import { quoteWord as q } from "../../src/shell/quote-word.ts";

const make = (code: string): string => code.replaceAll("$", "$$$$");
const python = (code: string): string => `import os; os.system(${JSON.stringify(code)})`;
const node = (code: string): string => `require("child_process").execSync(${JSON.stringify(code)})`;
const cmake = (code: string): string => `execute_process(COMMAND sh -c [[${code}]])`;
const esm = (code: string): string =>
  `data:text/javascript,import{execSync}from"node:child_process";execSync(${JSON.stringify(code)})`;

/** Lines that write code into a file which the line, or a program in it, then runs. */
export const WRITTEN: readonly ((code: string) => string)[] = [
  (c) => `printf '%s\\n' '#!/bin/sh' ${q(c)} > .git/hooks/pre-commit; git commit --allow-empty -m x`,
  (c) => `cat > .git/hooks/post-commit <<'E'\n#!/bin/sh\n${c}\nE\ngit commit --allow-empty -m x`,
  (c) => `printf '%s\\n' ${q(c)} > hook && cp hook .git/hooks/pre-commit && git commit --allow-empty -qm x`,
  (c) => `printf '[core]\\n fsmonitor = "%s;:"\\n' ${q(c)} >> .git/config; git status`,
  (c) => `printf '[diff]\\n external = "%s;:"\\n' ${q(c)} | tee -a .git/config; git diff`,
  (c) => `printf '[alias]\\n st = "!%s"\\n' ${q(c)} >> ~/.gitconfig; git status`,
  (c) => `printf 'all:\\n\\t%s\\n' ${q(make(c))} > Makefile; make`,
  (c) => `cat > GNUmakefile <<'E'\nall:\n\t${make(c)}\nE\nmake all`,
  (c) => `printf 'all:\\n\\t%s\\n' ${q(make(c))} > rules.txt; make -f rules.txt`,
  (c) => `sed -i ${q(`s/true/${c.replaceAll(/[\\/&]/g, "\\$&")}/`)} Makefile && make`,
  (c) => `printf '%s' ${q(JSON.stringify({ scripts: { zz: c } }))} > package.json; npm run zz`,
  (c) => `printf '%s' ${q(JSON.stringify({ scripts: { test: c } }))} | tee package.json; npm test`,
  (c) =>
    `printf '%s' ${q(JSON.stringify({ scripts: { test: c } }))} > p.json; mv p.json package.json; npm test`,
  (c) => `printf '%s\\n' ${q(python(c))} > json.py; python3 -m json.tool package.json`,
  (c) => `printf '%s\\n' ${q(python(c))} > sitecustomize.py; PYTHONPATH=. python3 a.py`,
  (c) => `printf '%s\\n' ${q(python(c))} > other.py; python3 -m other`,
  (c) => `printf '>>> %s\\n' ${q(python(c))} > t.txt; python3 -m doctest t.txt`,
  (c) => `printf '%s\\n' ${q(node(c))} > b.test.js; node --test`,
  (c) => `printf '%s\\n' ${q(node(c))} > out; cp out b.test.js; node --test`,
  (c) => `printf '%s\\n' ${q(node(c))} | base64 > x.b64; base64 -d x.b64 > b.test.js; node --test`,
  (c) => `printf '%s\\n' ${q(node(c))} > index.js; node --test index.js`,
  (c) => `printf '%s' ${q(cmake(c))} > CMakeLists.txt; cmake -S . -B build`,
  (c) => `printf '%s' ${q(cmake(c))} > init.txt; cmake -C init.txt -S . -B build`,
  (c) => `printf 'rule r\\n command = %s\\nbuild zz: r\\n' ${q(c)} > build.ninja; ninja`,
  (c) => `printf '.sy %s\\n' ${q(c)} > t.ms; groff -U t.ms`,
  (c) => `gcc -E -P -x c -o s.sh - <<'E'\n${c}\nE\nsh s.sh`,
  (c) => `awk 'BEGIN { f="s" ".sh"; print "${c.replaceAll(/["'\\]/g, "")}" > f }'; sh s.sh`,
  (c) => `printf '%s\\n' ${q(c)} > t; unlink s.sh; link t s.sh; sh ./s.sh`,
  (c) => `printf '%s\\n' ${q(c)} > t; objcopy -I binary -O binary t s.sh; sh ./s.sh`,
  (c) => `printf '%s\\n' ${q(c)} > t; gzip -c t > s.sh.gz; gunzip -f s.sh.gz; sh s.sh`,
  (c) => `mkdir -p node_modules/.bin; printf '%s' ${q(c)} > node_modules/.bin/eslint; npx eslint`,
  () => "mkdir -p node_modules/.bin; ln -s ../../link/other node_modules/.bin/tsc; npx tsc x",
];

/** Lines that give code to a program by an option, a name or an input that is easily overlooked. */
export const OVERLOOKED: readonly ((code: string) => string)[] = [
  (c) => `jobs -x sh -c ${q(c)}`,
  (c) => `jobs -x ${c}`,
  (c) => `npm run env -- sh -c ${q(c)}`,
  () => "npm test --scr=$PWD/link/other",
  () => "npm install --git=link/other git+https://localhost:1/x.git",
  (c) => `python3 -m pip config edit --editor ${q(c)}`,
  (c) => `printf '>>> %s\\n' ${q(python(c))} | python3 -m doctest /dev/stdin`,
  (c) => `node --test --test-reporter ${q(esm(c))}`,
  (c) => `node --test --import ${q(esm(c))} a.js`,
  (c) => `make -sf- <<< ${q(`all:\n\t${make(c)}`)}`,
  (c) => `make --makefile ../../../dev/fd/0 <<< ${q(`all:\n\t${make(c)}`)}`,
  (c) => `make -C /dev -f stdin <<< ${q(`all:\n\t${make(c)}`)}`,
  (c) => `gmake --eval=${q(`all:;${make(c)}`)}`,
  (c) => `touch n.c; make n.o ${q(`X!=${c}`)}`,
  () => "gcc-12 -wrapper 'sh,-c,link/other x' x.c",
  () => "c99 -wrapper 'sh,-c,link/other x' x.c",
  () => "x86_64-linux-gnu-gcc -wrapper 'sh,-c,link/other x' x.c",
  () => "vim.basic -es -c '!link/other x' -c q",
  () => "some-editor -es -c '!link/other x' -c q",
  (c) => `link/quiet -c ${q(c)}`,
  () => "link/quiet s.sh",
];

import { quoteWord as q } from "../../src/shell/quote-word.ts";

/**
 * Ways to write code for a shell that runs `forbidden ID`. Most of them do not contain the name as a word, so that a
 * search for it in the text finds nothing.
 */
export const CODES: readonly ((id: string) => string)[] = [
  (id) => `forbidden ${id}`,
  (id) => `forb''idden ${id}`,
  (id) => `forb\\idden ${id}`,
  (id) => `x=forb; y=idden; $x$y ${id}`,
  (id) => `$(printf forb; printf idden) ${id}`,
  (id) => `\`printf '\\146\\157\\162'\`bidden ${id}`,
  (id) => `link/oth?r ${id}`,
  (id) => `link/o* ${id}`,
  (id) => `link/other ${id}`,
  (id) => `eval "$(echo ${Buffer.from(`forbidden ${id}`).toString("base64")} | base64 -d)"`,
  (id) => `set forb idden; $1$2 ${id}`,
  (id) => `echo ${Buffer.from(`forbidden ${id}`).toString("base64")} | base64 -d | sh`,
];

/** Ways to write the same as words of a command line; what stands before the program is separate. */
export const WORDS: readonly ((id: string, code: string) => readonly [before: string, words: string])[] = [
  (id) => ["", `forbidden ${id}`],
  (id) => ["", `$'\\x66orbidden' ${id}`],
  (id) => ["", `$'\\146orb''idden' ${id}`],
  (id) => ["a=forb; b=idden; ", `$a$b ${id}`],
  (id) => ["a=forb; b=idden; ", `"$a$b" ${id}`],
  (id) => ["", `$(printf %s forb idden) ${id}`],
  (id) => ["", `"\`printf %s forb idden\`" ${id}`],
  (id) => ["", `forb''idden ${id}`],
  (id) => ["", `forb\\idden ${id}`],
  (id) => ["", `link/other ${id}`],
  (id) => ["", `link/o* ${id}`],
  (id) => ["", `./link/o?h''er ${id}`],
  (id) => ["", `{link/other,${id}}`],
  (id) => ["read a b <<< 'forb idden'; ", `$a$b ${id}`],
  (_, code) => ["", `sh -c ${q(code)}`],
  (_, code) => ["", `bash -ec ${q(code)}`],
  (_, code) => ["", `/bin/sh -c ${q(code)}`],
  (_, code) => ["", `env sh -c ${q(code)}`],
  (_, code) => ["", `link/shell -c ${q(code)}`],
  (_, code) => ["a=sh; ", `$a -c ${q(code)}`],
  (_, code) => ["", `$'\\x73h' -c ${q(code)}`],
  (_, code) => ["", `python3 -c ${q(`import os; os.system(${JSON.stringify(code)})`)}`],
  (_, code) => ["", `perl -e ${q(`system(q\x01${code}\x01)`)}`],
  (_, code) => ["", `awk ${q(`BEGIN { system(${JSON.stringify(code)}) }`)}`],
  (_, code) => ["", `xargs -a file -I% sh -c ${q(code)}`],
  (_, code) => ["", `timeout 2 bash -c ${q(code)}`],
];

/** Programs that run the words after them. */
export const WORD_LAUNCHERS: readonly string[] =
  `chronic;ifne -n;eatmydata;dumb-init;tini --;tini -s --;faketime now;faketime -f +1d;rlwrap;unbuffer;expect_unbuffer;
  lckdo s.lock;setlock s.lock;softlimit -m 99999999;chpst -e evil;envdir evil;fghack;pgrphack;setuidgid root;
  daemonize /bin/env;dtach -N s.sock;tsp -f;tsp -nf;torsocks;proxychains4 -q;strace -o /dev/null;strace -f;ltrace -o /dev/null;
  gdb -batch -ex run --args;systemd-cat;systemd-inhibit;systemd-run --scope --user;systemd-run --pipe;cgexec -g cpu:x;
  linux64;linux32;x86_64;i386;uname26;setarch x86_64;choom -n 0 --;uclampset -m 0 --;chrt -o 0;chrt --idle 0;ionice -c3;
  taskset 3;taskset -c 0;prlimit --core=0;setpriv --no-new-privs;setpriv --reuid=0 --clear-groups;unshare;unshare -r;unshare -m;
  nsenter -t $$ --;chroot /;runcon x;capsh --;sg root;runuser -u root --;sudo;sudo -E;sudo -u root --;doas;pkexec;
  nice;nice -n 5;nice --adjustment=5;nohup;stdbuf -o0;stdbuf --output=L;timeout 2;timeout -k 1 2;timeout --signal=KILL 2;timeout --foreground 2s;
  time;time -p;/usr/bin/time;/usr/bin/time -v;/usr/bin/time -f x;/usr/bin/time -o t.txt;command;command -p;command --;builtin command;
  exec;exec -a x;exec -c;exec -l;env;env -i PATH="$PATH";env -u A;env --;env -C .;env --chdir=.;env --ignore-signal=HUP;env --block-signal;
  env --default-signal;env -iS;env -S;env --split-string;busybox env;busybox nice;busybox nohup;busybox timeout 2;busybox setsid;
  busybox time;busybox chrt 1;busybox taskset 1;busybox stdbuf -o0;toybox env;ssh-agent;dbus-run-session --;dbus-launch;
  xvfb-run;watch -n1 -x;watch -g;entr -n;setsid;setsid -w;setsid --wait;setsid -f;flock s.lock;flock -n s.lock;flock -o s.lock;
  parallel -j1 :::;parallel --;sem --fg;niceload -q;env_parallel;coproc;time --;! ;xargs -a file -n1;xargs -a file;xargs -a file -I%;
  xargs --arg-file=file -r;xargs -a file -P2;find . -maxdepth 0 -exec;perf stat;valgrind -q;catchsegv;fakeroot;fakeroot-sysv;
  proot;firejail;bwrap --bind / /;script -q /dev/null -c;script -qec;screen -D -m;tmux new-session -d;start-stop-daemon --start --exec;
  direnv exec .;mise exec --;mise x --;asdf exec;rbenv exec;pyenv exec;nvm exec;volta run;poetry run;pipenv run;uv run;uvx;pdm run;hatch run;conda run;
  bundle exec;rake;npx;npx --yes;npx --no-install;npm exec --;npm x --;pnpm exec;pnpm dlx;yarn exec;yarn dlx;yarn run;bunx;bun x;bun run;deno run;
  cross-env A=1;dotenv --;dotenv -e .env --;env-cmd;concurrently;nodemon --exec;nodemon -x;onchange . --;chokidar . -c;watchexec --;watchexec -1;
  cargo run --;go run;go tool;cargo watch -x;cargo watch -s;dotnet run --;dotnet exec;mvn exec:exec;gradle run;ninja -C;cmake -E env;cmake -E time;cmake -E chdir .;
  ctest --build-and-test;meson devenv;nix-shell --run;nix develop -c;guix shell --;docker run x;docker exec x;podman run x;kubectl exec x --;
  git bisect run;git submodule foreach;git rebase -x;git stash;git difftool -x;git mergetool -t;hg --config;svn --editor-cmd;
  less;man -P;pager;sensible-pager;run-parts;logsave s.log;script;ts;pee;mispipe;zrun;sponge;combine;ldd;ltrace;gcore;
  /lib64/ld-linux-x86-64.so.2;/usr/bin/env;/usr/bin/nice -n1;/usr/bin/timeout 2;/usr/bin/nohup;/usr/bin/setsid;/usr/bin/xargs -a file;link/timeout 2;link/env`
    .split(";")
    .map((one) => one.trim());

/** Programs that run one word as code of a shell. */
export const CODE_LAUNCHERS: readonly ((code: string) => string)[] = [
  ...`sh -c;bash -c;dash -c;mksh -c;zsh -c;zsh -fc;busybox sh -c;busybox ash -c;bash -lc;bash -xc;bash -o errexit -c;bash --posix -c;bash +e -c;bash -rc;
  link/shell -c;/bin/bash -c;/usr/bin/env bash -c;su -c;su root -c;su - -c;runuser -c;sg root -c;script -qc;script -q -c;script --command;flock s.lock -c;
  watch -n1;watch -x sh -c;hyperfine -r1;entr -s;parallel -j1 :::;parallel ::: ;env_parallel :::;sem;concurrently;npx concurrently;npx -c;npm exec -c;npm exec --call;npx --call;
  nodemon --exec;npx nodemon -x;chokidar . -c;npx onchange -i . --;git -c core.editor=true -c alias.z=!z;
  git rebase --exec;git rebase -x;git submodule foreach;git filter-branch --tree-filter;git filter-branch -f --msg-filter;git bisect run sh -c;
  git difftool --extcmd;git difftool -y -x;git -c alias.zz=!true zz;tmux new-session -d;screen -dm sh -c;vim -es -c;vim -c;mispipe true;mispipe;pee;
  start-stop-daemon --start --exec /bin/sh -- -c;capsh -- -c;unshare sh -c;nsenter -t $$ sh -c;chroot / sh -c;setpriv sh -c;xterm -e;
  make --eval;make -s -E;ssh localhost;ssh -o;rsync -e;rsync --rsh;mosh --ssh;scp -S;sftp -S;sshpass -p x ssh localhost;
  tar cf /dev/null file --checkpoint=1 --checkpoint-action;crontab -e;batch;at now;sqlite3 :memory:;gdb -batch -ex;lldb -b -o;expect -c;tclsh;
  python3 -c;python -c;perl -e;ruby -e;php -r;node -e;node -p;lua5.4 -e;awk;sed;gawk;m4;osascript -e;groovy -e;scala -e;R -e;Rscript -e;julia -e;
  yarn node -e;npm pkg set scripts.x=;npm set-script x;pnpm -c exec;yarn -c;bun -e;deno eval;cargo --config;go generate -run;mvn -Dx;
  trap;eval;alias z=;bind -x;complete -C;compgen -C;mapfile -C;readarray -c1 -C;command eval;builtin eval;declare x=;export x=;typeset -f;enable -f;
  fc -e;history -s;printf -v;test -v;[ -v;let;(( ;[[ -v;unset;read -p;exec -a;source;.;hash -p;caller;wait -p;local x=;readonly x=;shopt -s;set -o`
    .split(";")
    .map((one) => one.trim())
    .map((start) => (code: string) => `${start} ${q(code)}`),
  (c) => `split --filt=${q(c)} file`,
  (c) => `split --filter ${q(c)} file`,
  (c) => `split --f ${q(c)} file`,
  (c) => `tar cf /dev/null --checkpoint=1 --checkpoint-action=exec=${q(c)} file`,
  (c) => `tar cf /dev/null --checkpoint=1 --checkpoint-act=exec=${q(c)} file`,
  (c) => `tar --checkpoint-action exec=${q(c)} --checkpoint=1 -cf /dev/null file`,
  (c) => `tar cf x.tar file; tar xf x.tar --to-command=${q(c)}`,
  (c) => `tar cf x.tar file; tar xf x.tar --to-comm ${q(c)}`,
  (c) => `tar -cf x.tar -I ${q(`sh -c ${q(c)}`)} file`,
  (c) => `tar -cf x.tar --use-compress-prog=${q(`sh -c ${q(c)}`)} file`,
  (c) => `tar -cML 10 -f x.tar -F ${q(c)} file bigfile`,
  (c) => `tar -cML 10 -f x.tar --info-scr=${q(c)} file bigfile`,
  (c) => `tar cf x:y --rsh-command=${q(`sh -c ${q(c)}`)} file`,
  (c) => `tar cf x:y --rsh-c ${q("link/shell")} file ${q(c)}`,
  (c) => `sort --compress-prog=${q("link/other")} -S 1k bigfile ${q(c)}`,
  (c) => `sort --comp link/other -S 1k bigfile ${q(c)}`,
  (c) => `diff3 --diff-program=link/other file file file ${q(c)}`,
  (c) => `diff3 --diff-prog link/other file file file; : ${q(c)}`,
  (c) => `sdiff --diff-prog=link/other file file; : ${q(c)}`,
  (c) => `rg --pre link/other x file; : ${q(c)}`,
  (c) => `rg --pre=link/other x file; : ${q(c)}`,
  (c) => `install --strip-prog=link/other -s file file2; : ${q(c)}`,
  (c) => `install -s --strip-program link/other file file2; : ${q(c)}`,
  (c) => `zip -q -T -TT ${q(`${c} #`)} x.zip file`,
  (c) => `zip -qTT ${q(`${c} #`)} -T x.zip file`,
  (c) => `rsync -e ${q(`sh -c ${q(c)} x`)} a:b .`,
  (c) => `rsync --rs=${q(`sh -c ${q(c)} x`)} a:b .`,
  (c) => `rsync -ae ${q(`sh -c ${q(c)} x`)} a:b .`,
  (c) => `ssh -o ProxyCommand=${q(c)} x`,
  (c) => `ssh -oProxyCommand=${q(c)} x true`,
  (c) => `ssh -F /dev/stdin x <<< ${q(`ProxyCommand ${c}`)}`,
  (c) => `find . -maxdepth 0 -exec sh -c ${q(c)} ';'`,
  (c) => `find . -maxdepth 0 -ok sh -c ${q(c)} ';' <<< y`,
  (c) => `find . -maxdepth 0 -execdir sh -c ${q(c)} '{}' +`,
  (c) => `find -files0-from file -exec sh -c ${q(c)} ';'`,
  (c) => `find . -maxdepth 0 -fprintf file ${q(c)}; sh file`,
  (c) => `find . -maxdepth 0 -fprintf ./file ${q(c)} -exec sh file ';'`,
  (c) => `awk ${q(`BEGIN { print ${JSON.stringify(c)} > "file" }`)}; sh file`,
  (c) => `echo ${q(c)} | sort -o file; sh file`,
  (c) => `echo ${q(c)} | sort -ofile -; sh file`,
  (c) => `echo ${q(c)} | sort --output=file; sh ./file`,
  (c) => `echo ${q(c)} | uniq - file; sh file`,
  (c) => `echo ${q(c)} | shuf -o file; bash file`,
  (c) => `echo ${q(c)} | iconv -o file; bash file`,
  (c) => `echo ${q(c)} | xxd | xxd -r - file; sh file`,
  (c) => `echo ${q(Buffer.from(c).toString("hex"))} | xxd -r -p - file; sh file`,
  (c) => `echo ${q(c)} | split -l1 - file; sh fileaa`,
  (c) => `echo ${q(c)} | csplit -f file -n 1 - 1; sh file0`,
  (c) => `echo ${q(c)} | openssl enc -none -out file; sh file`,
  (c) => `echo ${q(c)} | gzip > z.gz; gunzip -c z.gz > file; sh file`,
  (c) => `echo ${q(c)} | tee file; sh file`,
  (c) => `echo ${q(c)} | tee fil?; sh file`,
  (c) => `echo ${q(c)} | sponge file; sh file`,
  (c) => `echo ${q(c)} | dd of=file status=none; sh file`,
  (c) => `echo ${q(c)} | cpio -o; sh file`,
  (c) => `printf %s ${q(c)} >| file; sh file`,
  (c) => `printf %s ${q(c)} 1<> file; sh file`,
  (c) => `printf %s ${q(c)} &> file; sh file`,
  (c) => `printf %s ${q(c)} > "$PWD/file"; sh file`,
  (c) => `exec > file; echo ${q(c)}; sh file`,
  (c) => `{ echo ${q(c)}; } > file; . ./file`,
  (c) => `( echo ${q(c)} ) > file && source ./file`,
  (c) => `for i in 1; do echo ${q(c)}; done > file; bash file`,
  (c) => `ln -sf /dev/stdin zz; sh zz <<< ${q(c)}`,
  (c) => `ln -sf /bin/sh zz; ./zz -c ${q(c)}`,
  (c) => `ln -sf /proc/self/fd/0 file; sh file <<< ${q(c)}`,
  (c) => `jq -n ${q(`"${c.replaceAll(/["\\]/g, "\\$&")}"`)} -r > file; sh file`,
  (c) => `git config alias.zz ${q(`!${c}`)} && git zz`,
  (c) => `git -c alias.zz=${q(`!${c}`)} zz`,
  (c) => `git --config-env=alias.zz=Z zz; : ${q(c)}`,
  (c) => `git -c core.fsmonitor=${q(c)} status`,
  (c) => `git -c core.sshCommand=${q(c)} ls-remote ssh://x/y`,
  (c) => `git -c credential.helper=${q(`!${c}`)} credential fill <<< 'url=https://x/'`,
  (c) => `git -c diff.external=${q(c)} diff`,
  (c) => `git -c sequence.editor=${q(c)} rebase -i HEAD`,
  (c) => `git -c core.pager=${q(c)} --paginate log`,
  (c) => `git -c pager.log=${q(c)} -p log`,
  (c) => `git -c gpg.program=link/other commit -S --allow-empty -m x; : ${q(c)}`,
  (c) => `git -c core.hooksPath=evil commit --allow-empty -m x; : ${q(c)}`,
  (c) => `git clone ${q(`ext::sh -c ${q(c)}`)} x`,
  (c) => `git -c protocol.ext.allow=always clone ${q(`ext::sh -c ${c}`)} x`,
  (c) => `git fetch --upload-pack=${q(c)} . x`,
  (c) => `git fetch --upload-pa ${q(c)} . x`,
  (c) => `git clone -u ${q(c)} . x`,
  (c) => `git clone --upl=${q(c)} . x`,
  (c) => `git clone -c core.fsmonitor=${q(c)} . x`,
  (c) => `git clone --conf core.fsmonitor=${q(c)} . x`,
  (c) => `git clone --template=evil . x; : ${q(c)}`,
  (c) => `git clone --temp evil . x; : ${q(c)}`,
  (c) => `git init --template=evil x; : ${q(c)}`,
  (c) => `git archive --remote=. --exec=${q(c)} HEAD`,
  (c) => `git archive --remot=. --exe=${q(c)} HEAD`,
  (c) => `git ls-remote --upload-pack=${q(c)} .`,
  (c) => `git ls-remote --upl=${q(c)} .`,
  (c) => `git ls-remote --ex ${q(c)} .`,
  (c) => `git push --receive-pack=${q(c)} . HEAD:x`,
  (c) => `git push --rece=${q(c)} . HEAD:x`,
  (c) => `git push --exe ${q(c)} . HEAD:x`,
  (c) => `git pull --upload=${q(c)} . x`,
  (c) => `git grep -O${q(`sh -c ${q(c)}`)} text`,
  (c) => `git grep --open-files=${q(`sh -c ${q(c)}`)} text`,
  (c) => `git grep -nO${q(`sh -c ${q(c)}`)} text`,
  (c) => `git diff --ext-diff; : ${q(c)}`,
  (c) => `git rebase --ex=${q(c)} HEAD~1`,
  (c) => `git rebase -qx ${q(c)} HEAD`,
  (c) => `git commit --amend -e; : ${q(c)}`,
  (c) => `git remote add x ${q(`ext::sh -c ${c}`)}; git fetch x`,
  (c) => `git submodule add ${q(`ext::sh -c ${c}`)} x`,
  (c) => `git submodule --quiet foreach ${q(c)}`,
  (c) => `git worktree add x; git -C x -c alias.y=${q(`!${c}`)} y`,
  (c) => `git bundle create x HEAD; git interpret-trailers --trailer ${q(c)}`,
  (c) => `git send-email --sendmail-cmd=${q(c)} x`,
  (c) => `git web--browse -c x; git instaweb -b ${q(c)}`,
  (c) => `git credential-cache ${q(c)}; git remote-ext x ${q(`sh -c ${q(c)}`)}`,
  (c) => `git remote-ext origin ${q(`sh -c ${c.replaceAll(" ", "% ")}`)} <<< capabilities`,
  (c) => `git filter-branch -f --env-filter ${q(c)}`,
  (c) => `git -p -c core.pager=${q(c)} help`,
  (c) => `git help -w x; git mergetool --tool-help; : ${q(c)}`,
  (c) => `git cat-file --textconv HEAD:file; git cat-file --filters HEAD:file; : ${q(c)}`,
  (c) => `git bisect start; git bisect run ${q("link/other")} ; : ${q(c)}`,
  (c) => `git for-each-repo --config=x ${q(c)}`,
  (c) => `git maintenance run; git upload-pack --strict x; git shell -c ${q(c)}`,
  (c) => `git config --global core.editor ${q(c)}; git commit --allow-empty`,
  (c) => `git config set core.editor ${q(c)}; git commit --allow-empty`,
  (c) => `git config --add core.pager ${q(c)}; git -p log`,
  (c) => `git config core.fsmonitor ${q(c)}; git status`,
  (c) => `git config core.fsmonitor "$z"; git status; : ${q(c)}`,
  (c) => `git config --file .git/config core.fsmonitor ${q(c)}; git status`,
  (c) => `git config include.path ../file; : ${q(c)}`,
  (c) => `git am --exec ${q(c)}; git notes edit; git tag -a x; : ${q(c)}`,
  (c) => `git stash; git merge -s ${q(c)} x`,
  (c) => `git merge -s ../../link/other x; : ${q(c)}`,
  (c) => `git cherry-pick --strategy=${q(c)} x; git revert --strategy ${q(c)} x`,
];

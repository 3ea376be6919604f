import type { Language } from "../language.ts";
import { scanShell } from "./scan.ts";

/**
 * Shell scripts of all dialects. They are read by a scanner of their own, because the grammar for Bash does not read
 * zsh and ksh.
 */
export const bash: Language = {
  id: "bash",
  name: "Bash",
  extensions: [".sh", ".bash", ".zsh", ".ksh", ".bats", ".ebuild", ".zsh-theme"],
  fileNames: [
    ".bashrc",
    ".bash_profile",
    ".bash_aliases",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    "pkgbuild",
    "apkbuild",
  ],
  interpreters: ["bash", "sh", "dash", "zsh", "ksh", "ash", "bats"],
  holds: "functions, global variables, aliases; sourced files as imports",
  outline: { by: "scanner", separator: ".", scan: scanShell },
};

import { describe, expect, it } from "vitest";
import { bubblewrapArgv, type SandboxView } from "../../../src/exec/isolation/bubblewrap.ts";

const NOTHING: SandboxView = {
  writable: [],
  readable: [],
  hidden: [],
  covered: [],
  replaced: [],
  hasNetwork: true,
};

describe("the options of bubblewrap", () => {
  it("make the whole disk read-only, and end where the command begins", () => {
    const argv = bubblewrapArgv("/usr/bin/bwrap", NOTHING);
    expect(argv.join(" ")).toMatch(/^\/usr\/bin\/bwrap .*--ro-bind \/ \/ --dev \/dev --proc \/proc .*--$/);
    expect(argv).not.toContain("--bind");
  });

  it("mount a folder before those inside it, whatever the kinds of their rules are", () => {
    const argv = bubblewrapArgv("bwrap", {
      ...NOTHING,
      writable: ["/home/ada/work", "/home/ada/.cache/pip"],
      readable: ["/home/ada/.nvm"],
      hidden: ["/home/ada/work/data", "/home/ada"],
      replaced: [{ path: "/tmp", by: "/tmp/own" }],
    });
    expect(argv.join(" ")).toContain(
      [
        "--bind /tmp/own /tmp",
        "--tmpfs /home/ada",
        "--ro-bind /home/ada/.nvm /home/ada/.nvm",
        "--bind /home/ada/work /home/ada/work",
        "--tmpfs /home/ada/work/data",
        "--bind /home/ada/.cache/pip /home/ada/.cache/pip",
      ].join(" "),
    );
  });

  it("take the network away only if it is not wanted", () => {
    expect(bubblewrapArgv("bwrap", NOTHING)).not.toContain("--unshare-net");
    expect(bubblewrapArgv("bwrap", { ...NOTHING, hasNetwork: false })).toContain("--unshare-net");
  });
});

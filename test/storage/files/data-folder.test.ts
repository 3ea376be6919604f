import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { checkConfigFile, checkDataFolder } from "../../../src/storage/files/data-folder.ts";
import { makeFolder } from "../../support/folder.ts";

it.skipIf(process.platform === "win32")(
  "names a data folder or configuration that others can change",
  async () => {
    const folder = makeFolder({ "config.toml": "" });
    const file = join(folder, "config.toml");
    chmodSync(folder, 0o700);
    chmodSync(file, 0o644);
    expect(await checkDataFolder(folder)).toMatchObject({ ok: true, detail: folder });
    expect(await checkConfigFile(file)).toBeUndefined();
    expect(await checkConfigFile(join(folder, "none.toml"))).toBeUndefined();
    chmodSync(folder, 0o777);
    chmodSync(file, 0o666);
    expect(await checkDataFolder(folder)).toMatchObject({
      ok: false,
      detail: `${folder} can be changed by other users (mode 0777); chmod 700 ${folder}`,
    });
    expect(await checkConfigFile(file)).toMatchObject({
      ok: false,
      detail: expect.stringContaining("chmod 600"),
    });
  },
);

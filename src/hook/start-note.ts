import { withServices } from "./hook-services.ts";
import type { HookReply, StartWork } from "./work.ts";

/** Returns one line if the index is broken, with what to do about it; nothing if all is well. */
export async function noteBrokenIndex({ cwd }: StartWork): Promise<HookReply | undefined> {
  return withServices(cwd, async (services) => {
    const broken = (await services.health()).checks.find(({ ok }) => !ok);
    return broken === undefined ? undefined : { note: `Pith's ${broken.name} is broken: ${broken.detail}` };
  });
}

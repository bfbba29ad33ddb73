import type { CliContext } from "../base/cli-context.ts";
import { write } from "./write.ts";

/** The first items of a list, as many as a limit allows; says on `errors` if there are more. */
export async function limited<Item>(
  items: AsyncIterable<Item>,
  limit: number,
  { errors }: Pick<CliContext, "errors">,
): Promise<readonly Item[]> {
  const listed: Item[] = [];
  for await (const item of items) {
    if (listed.length === limit) {
      await write(errors, `there are more than ${limit}: --limit NUMBER lists more\n`);
      break;
    }
    listed.push(item);
  }
  return listed;
}

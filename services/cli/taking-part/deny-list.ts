import { allPages, PAGE_SIZE } from "../base/all-pages.ts";
import type { CliContext } from "../base/cli-context.ts";
import { CommandFailure } from "../base/cli-error.ts";
import type { Command } from "../base/command.ts";
import { importList, LIST_DETAILS, LIST_OPTIONS } from "../files/import-list.ts";
import { write } from "../output/write.ts";
import { walletLines } from "./member-lines.ts";

export const denyListImport: Command = {
  name: "deny-list import",
  positionals: ["SALE-UUID", "FILE"],
  summary: "put wallets on the deny list of a sale",
  details: `FILE has a wallet on each line; the first line may be \`wallet\`. The list counts if the sale's rules say so.
${LIST_DETAILS}`,
  options: { ...LIST_OPTIONS, remove: { type: "boolean", help: "take these wallets off the list instead" } },
  async run(input, context) {
    const [saleUuid = "", path = ""] = input.positionals;
    const remove = input.flag("remove");
    const { eligibility, signal } = context;
    const send = async (wallets: readonly string[], dryRun: boolean) => {
      const request = { saleUuid, wallets: [...wallets], remove, dryRun };
      const { changed, unchanged, problems } = await eligibility.changeDenyList(request, { signal });
      return { stored: changed, unchanged, problems };
    };
    await importList({ path, read: walletLines, send }, input, context);
  },
};

export const denyListList: Command = {
  name: "deny-list list",
  positionals: ["SALE-UUID"],
  summary: "list the wallets on the deny list of a sale, one on each line, as `deny-list import` reads them",
  options: {},
  async run({ positionals: [saleUuid = ""] }, context) {
    for await (const wallet of allDenied(saleUuid, context)) await write(context.output, `${wallet}\n`);
  },
};

export const denyListRemove: Command = {
  name: "deny-list remove",
  positionals: ["SALE-UUID", "WALLET"],
  summary: "take a wallet off the deny list of a sale",
  options: {},
  async run({ positionals: [saleUuid = "", wallet = ""] }, { eligibility, output, signal }) {
    const { changed, problems } = await eligibility.changeDenyList(
      { saleUuid, wallets: [wallet], remove: true },
      { signal },
    );
    const [problem] = problems;
    if (problem !== undefined) throw new CommandFailure(`WALLET: ${problem.message}`);
    await write(output, changed === 0 ? "the wallet wasn't on the list\n" : `${wallet} is off the list\n`);
  },
};

function allDenied(saleUuid: string, { eligibility, signal }: CliContext): AsyncGenerator<string> {
  return allPages(async (pageToken) => {
    const request = { saleUuid, pageSize: PAGE_SIZE, pageToken };
    const { wallets, nextPageToken } = await eligibility.listDenyList(request, { signal });
    return { items: wallets, nextPageToken };
  });
}

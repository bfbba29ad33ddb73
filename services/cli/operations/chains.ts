import { enumName } from "../../../common/platform/encoding/enum-name.ts";
import { ChainKindSchema } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import type { Command } from "../base/command.ts";
import { alignColumns } from "../output/align-columns.ts";
import { write } from "../output/write.ts";

export const chains: Command = {
  name: "chains",
  positionals: [],
  summary: "list the chains that the indexer is configured for",
  options: {},
  async run(_, { indexer, output, signal }) {
    const { chains } = await indexer.listChains({}, { signal });
    const rows = chains.map(({ name, kind, chainId }) => [
      name,
      enumName(ChainKindSchema, kind) ?? "",
      chainId === 0n ? "" : chainId.toString(),
    ]);
    await write(output, `${alignColumns([["NAME", "KIND", "CHAIN ID"], ...rows])}\n`);
  },
};

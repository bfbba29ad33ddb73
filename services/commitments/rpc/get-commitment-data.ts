import type { ServiceImpl } from "@connectrpc/connect";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { presentCommitmentData } from "../domain/commitment-data.ts";
import { readSaleSnapshot } from "../store/read-sale.ts";
import { commitmentDataMessage } from "./commitment-message.ts";
import type { Dependencies } from "./dependencies.ts";
import { generationNumber, generationText } from "./generation.ts";
import { saleSummaryMessage } from "./sale-message.ts";

export function getCommitmentData({
  database,
  extraDataParser,
}: Dependencies): ServiceImpl<typeof CommitmentService>["getCommitmentData"] {
  return async ({ saleUuid, generation, minimumRevision }) => {
    const minimum = { generation: generationText(generation), revision: minimumRevision };
    const { sale, state, snapshot } = await readSaleSnapshot(database, saleUuid.toLowerCase(), minimum);
    const parse = await extraDataParser(sale.definition.extraDataParameters);
    return {
      generation: generationNumber(state.generation),
      revision: state.revision,
      data: commitmentDataMessage(presentCommitmentData(sale.definition, snapshot, parse)),
      sale: saleSummaryMessage(sale, state),
    };
  };
}

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { SourceFault } from "../../../common/chains/base/source-fault.ts";
import type { SourceCheck } from "../../../common/contracts/chain-connection.ts";
import type { ChainConnections } from "../../../common/contracts/connecting/chain-connections.ts";
import { contractFamilyMessage } from "../../../common/sale/definition/contract-family.ts";
import { stageMessage } from "../../../common/sale/state/stage.ts";
import type {
  CheckSourceResponseSchema,
  IndexerService,
} from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { declaredFamily, requireChain, type SourceChecks } from "./source-checks.ts";

export function checkSource(
  connections: ChainConnections,
  checks: SourceChecks,
): ServiceImpl<typeof IndexerService>["checkSource"] {
  return async ({ chain, address, contractVersion, family }, { signal }) => {
    requireChain(connections, chain);
    try {
      const version = contractVersion === 0 ? {} : { contractVersion };
      const declared = { ...version, ...declaredFamily(family) };
      return checkMessage(await checks.check({ chain, address, ...declared }, signal));
    } catch (error) {
      if (error instanceof SourceFault) return { readable: false, problems: [error.message] };
      throw error;
    }
  };
}

function checkMessage(check: SourceCheck): MessageInitShape<typeof CheckSourceResponseSchema> {
  const { stageNumber, cancelledKeepsAmounts, maxWalletsPerEntity } = check;
  return {
    readable: check.readable,
    problems: [...check.problems],
    commitmentCount: check.commitmentCount,
    ...(stageNumber === undefined ? {} : { stage: stageNumber }),
    saleUuid: check.saleUuid ?? "",
    paymentTokens: [...check.paymentTokens],
    height: check.height,
    saleStage: stageMessage(check.stage),
    contractVersion: check.contractVersion ?? 0,
    family: contractFamilyMessage(check.contractFamily),
    ...(cancelledKeepsAmounts === undefined ? {} : { cancelledKeepsAmounts }),
    ...(maxWalletsPerEntity === undefined ? {} : { maxWalletsPerEntity }),
  };
}

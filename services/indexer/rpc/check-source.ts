import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import type { ScheduledBlock } from "../../../common/chains/base/scheduled-block.ts";
import { SourceFault } from "../../../common/chains/base/source-fault.ts";
import type { AuctionCheck, SourceCheck } from "../../../common/contracts/chain-connection.ts";
import type { ChainConnections } from "../../../common/contracts/connecting/chain-connections.ts";
import { contractFamilyMessage } from "../../../common/sale/definition/contract-family.ts";
import { definitionMessage } from "../../../common/sale/definition/definition-message.ts";
import { type ContractPlace, proposedDefinition } from "../../../common/sale/definition/proposed-definition.ts";
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
      return checkMessage(await checks.check({ chain, address, ...declared }, signal), { chain, contract: address });
    } catch (error) {
      if (error instanceof SourceFault) return { readable: false, problems: [error.message] };
      throw error;
    }
  };
}

function checkMessage(check: SourceCheck, place: ContractPlace): MessageInitShape<typeof CheckSourceResponseSchema> {
  const { stageNumber, cancelledKeepsAmounts, maxWalletsPerEntity, auction } = check;
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
    ...(auction === undefined ? {} : auctionFields(auction, place)),
  };
}

function auctionFields(
  { terms, currency, token, start, end, claim, hook }: AuctionCheck,
  place: ContractPlace,
): MessageInitShape<typeof CheckSourceResponseSchema> {
  const { version, tickSpacing } = terms;
  const auction = {
    ...{ version, offeredToken: terms.token, tickSpacing: `${tickSpacing}` },
    ...{ start: blockMessage(start), end: blockMessage(end), claim: blockMessage(claim) },
    ...{ offeredAmount: `${terms.totalSupply}`, floorTicks: `${terms.floorPrice}` },
    ...(hook === undefined ? {} : { validationHook: hook }),
    ...(token.decimals === undefined ? {} : { offeredTokenDecimals: token.decimals }),
  };
  const definition = proposedDefinition(place, { ...terms, currency, token });
  return definition === undefined ? { auction } : { auction, proposedDefinition: definitionMessage(definition) };
}

function blockMessage({ number, timeSeconds: seconds, isEstimated: estimated }: ScheduledBlock) {
  return { number, estimated, ...(seconds === undefined ? {} : { time: create(TimestampSchema, { seconds }) }) };
}

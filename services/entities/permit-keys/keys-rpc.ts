import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { formatWallet } from "../../../common/chains/wallet.ts";
import { WALLET_KINDS } from "../../../common/sale/definition/wallet-kind.ts";
import {
  ContractKnowledge,
  type PermitKeySchema,
  PermitKeyStatus,
  type PermitService,
} from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { recordChange, requireRecentOwner, requireRole } from "../authority/sale-access.ts";
import type { EntitiesContext } from "../base/context.ts";
import { readSaleFacts, type SaleFacts } from "../base/sale-facts.ts";
import { activateKey, createKey, type RecordKeyChange, retireKey } from "./change-keys.ts";
import { contractKnowledge, type ContractKnowledge as Knowledge } from "./contract-knowledge.ts";
import { activeKeyOf, type PermitKey } from "./permit-key.ts";
import { readKeys } from "./permit-keys-store.ts";

type Methods = Pick<
  ServiceImpl<typeof PermitService>,
  "createKey" | "activateKey" | "retireKey" | "listKeys" | "getSigner"
>;

const STATUSES = {
  next: PermitKeyStatus.NEXT,
  active: PermitKeyStatus.ACTIVE,
  retired: PermitKeyStatus.RETIRED,
} as const satisfies Readonly<Record<PermitKey["status"], PermitKeyStatus>>;

/** The methods of `PermitService` for keys. */
export function keyMethods(dependencies: EntitiesContext): Methods {
  const asOwner = async (context: HandlerContext, requested: string) => {
    const saleUuid = requested.toLowerCase();
    const principal = await requireRecentOwner(dependencies, context, saleUuid);
    const record: RecordKeyChange = (settings) =>
      recordChange(dependencies, principal, saleUuid, "permit key", settings);
    return { saleUuid, record };
  };
  const messageOf = async ({ key, sale }: { readonly key: PermitKey; readonly sale: SaleFacts }) =>
    keyMessage(key, await contractKnowledge(dependencies, sale, key));
  return {
    async createKey(request, context) {
      const { saleUuid, record } = await asOwner(context, request.saleUuid);
      return { key: await messageOf(await createKey(dependencies, saleUuid, record)) };
    },
    async activateKey(request, context) {
      const { saleUuid, record } = await asOwner(context, request.saleUuid);
      const activation = { saleUuid, keyUuid: request.keyUuid.toLowerCase(), override: request.override };
      return { key: await messageOf(await activateKey(dependencies, activation, record)) };
    },
    async retireKey(request, context) {
      const { saleUuid, record } = await asOwner(context, request.saleUuid);
      await retireKey(dependencies, { saleUuid, keyUuid: request.keyUuid.toLowerCase() }, record);
      return {};
    },
    async listKeys(request, context) {
      const saleUuid = request.saleUuid.toLowerCase();
      await requireRole(dependencies, context, saleUuid, "viewer");
      const sale = await readSaleFacts(dependencies, saleUuid);
      const keys = await dependencies.database.read((query) => readKeys(query, saleUuid));
      return { keys: await Promise.all(keys.map((key) => messageOf({ key, sale }))) };
    },
    async getSigner(request) {
      const saleUuid = request.saleUuid.toLowerCase();
      const { kind, chain } = await readSaleFacts(dependencies, saleUuid);
      if (kind === undefined || chain === undefined) return {};
      const keys = await dependencies.database.read((query) => readKeys(query, saleUuid));
      const key = activeKeyOf(keys, { kind, chain });
      return key === undefined ? {} : { address: formatWallet({ kind, bytes: key.address }) };
    },
  };
}

function keyMessage(key: PermitKey, { accepted, problem }: Knowledge): MessageInitShape<typeof PermitKeySchema> {
  const { uuid, status, kind, chain, address, remote, createdAtMs, activatedAtMs, retiredAtMs } = key;
  return {
    keyUuid: uuid,
    status: STATUSES[status],
    address: formatWallet({ kind, bytes: address }),
    kind: WALLET_KINDS[kind],
    chain,
    createdAt: timestampFromMs(Number(createdAtMs)),
    ...(activatedAtMs !== undefined && { activatedAt: timestampFromMs(Number(activatedAtMs)) }),
    ...(retiredAtMs !== undefined && { retiredAt: timestampFromMs(Number(retiredAtMs)) }),
    contract: knowledgeMessage(accepted),
    contractProblem: problem,
    remote,
  };
}

function knowledgeMessage(accepted: boolean | undefined): ContractKnowledge {
  if (accepted === undefined) return ContractKnowledge.UNSPECIFIED;
  return accepted ? ContractKnowledge.KNOWN : ContractKnowledge.UNKNOWN_KEY;
}

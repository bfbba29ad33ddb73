import { Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { CommitmentsProcess } from "../processes/commitments-process.ts";
import { paymentToken } from "./chain-sale.ts";
import type { SvmNode } from "./svm-node.ts";

const NAME = "On Solana";

export interface SvmSaleOptions {
  /** `solana` by default. */
  readonly chain?: string;
  /** The node's sale account by default. */
  readonly saleAccount?: string;
  /** The sale's own mint by default. */
  readonly tokens?: readonly string[];
  /** The sale's UUID; by default the one in the sale account. */
  readonly saleUuid?: string;
}

/** An entry of `CHAINS` for one or several nodes. */
export function svmChainSetting(nodes: readonly SvmNode[], options: Readonly<Record<string, unknown>> = {}) {
  const [first] = nodes;
  const urls = nodes.map(({ url }) => url);
  return { kind: "svm", program: first?.program, urls, pollInterval: "50ms", ...options };
}

/** Opens an auction that is read from a node's sale account, whatever the account is. @returns its UUID. */
export async function openSvmSale(
  { sales }: Pick<CommitmentsProcess, "sales">,
  node: SvmNode,
  options: SvmSaleOptions = {},
): Promise<string> {
  const { saleUuid, mint } = node.state;
  const { chain = "solana", saleAccount = node.saleAccount, tokens = [mint], saleUuid: uuid = saleUuid } = options;
  await sales.createSale({
    saleUuid: uuid,
    tenancy: Tenancy.TEST,
    definition: {
      name: NAME,
      paymentTokens: tokens.map(paymentToken),
      offeredTokenDecimals: 9,
      priceTick: { numerator: "1", denominator: "1000" },
      pricing: { case: "auction", value: { offeredAmount: "1000", floorTicks: "1", incrementTicks: "1" } },
      source: { case: "svm", value: { chain, saleAccount } },
    },
  });
  await sales.openSale({ saleUuid: uuid, overrideConfirmName: NAME });
  return uuid;
}

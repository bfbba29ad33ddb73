import type { SvmChain } from "../../../chains/base/chain.ts";
import { SourceFault } from "../../../chains/base/source-fault.ts";
import { isSvmAddress } from "../../../chains/svm/svm-address.ts";
import type { SvmRpc } from "../../../chains/svm/svm-rpc.ts";
import type { SourceCheck } from "../../chain-connection.ts";
import { stageOf, stageWarning } from "./check-sale.ts";
import { isSameSlot, SaleAccounts } from "./sale-accounts.ts";

/** Checks whether a sale can be read from the account at an address. Throws only the signal's reason. */
export async function checkSvmSource(
  chain: SvmChain,
  saleAccount: string,
  rpc: SvmRpc,
  signal: AbortSignal,
): Promise<SourceCheck> {
  if (!isSvmAddress(saleAccount)) return unreadable("the sale account must be base58 of 32 bytes");
  try {
    return await checkAccounts(new SaleAccounts(chain, saleAccount, rpc), signal);
  } catch (error) {
    if (error instanceof SourceFault) return unreadable(error.message);
    throw error;
  }
}

async function checkAccounts(accounts: SaleAccounts, signal: AbortSignal): Promise<SourceCheck> {
  const poll = await accounts.poll(0n, signal);
  const { slot, sale, entities } = poll;
  const stage = stageOf(sale);
  const problems = [stageWarning(sale)].filter((problem) => problem !== undefined);
  if (isSameSlot(poll) && entities.sum !== sale.totalCommitted) {
    problems.push(`the entities hold ${entities.sum}, the sale account says ${sale.totalCommitted}`);
  }
  return {
    readable: true,
    problems,
    commitmentCount: BigInt(entities.table.size),
    stageNumber: sale.stage,
    ...(stage === undefined ? {} : { stage }),
    saleUuid: sale.saleUuid,
    paymentTokens: [sale.paymentTokenMint],
    height: slot,
  };
}

function unreadable(problem: string): SourceCheck {
  return { readable: false, problems: [problem], commitmentCount: 0n, paymentTokens: [], height: 0n };
}

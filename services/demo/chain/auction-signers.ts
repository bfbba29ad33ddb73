import type { Address } from "viem";
import { type ChainClient, mined } from "./chain-client.ts";
import { AUCTION_CONTRACT, USUAL_GAS } from "./deploy-auction.ts";
import { permitSale } from "./permit-sale.ts";

/** keccak256("PURCHASE_PERMIT_SIGNER_ROLE") */
const SIGNER_ROLE = "0xb0162d5e61a8d5e2c26413420aa1072eaa0a79f8be9b289410cf8a1b65ce5386";

/** Makes the auction's contract accept permits of a signer. Does nothing if it does already. */
export async function grantSigner(client: ChainClient, owner: Address, signer: Address): Promise<void> {
  const contract = { address: AUCTION_CONTRACT, abi: permitSale.abi, args: [SIGNER_ROLE, signer] } as const;
  if (await client.readContract({ ...contract, functionName: "hasRole" })) return;
  const call = { ...contract, functionName: "grantRole", account: owner, chain: null, gas: USUAL_GAS } as const;
  await mined(client, await client.writeContract(call));
}

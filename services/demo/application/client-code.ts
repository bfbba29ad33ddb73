/** The application's steps as code with the client. A test runs each against a server that answers. */
export const CLIENT_CODE = {
  exchange: `import { exchangeCode, readCallback } from "tidemark-client";

const code = readCallback(application, addressOfCallback, attempt);
const tokens = await exchangeCode(application, code, attempt);`,
  refresh: `import { refreshTokens } from "tidemark-client";

tokens = await refreshTokens(application, tokens.refresh_token);`,
  revoke: `import { revokeToken } from "tidemark-client";

await revokeToken(application, tokens.refresh_token);`,
  entities: `import { UserCalls } from "tidemark-client";

const user = new UserCalls(server, () => tokens.access_token);
const { Entities } = await user.listAvailableEntities(SaleUUID);`,
  check: `const check = await user.prePurchaseCheck({ SaleUUID, EntityID, PurchasingWalletAddress: wallet });
if (!check.ReadyToPurchase) explain(check.FailureReason);`,
  permit: `const permit = await user.generatePurchasePermit({ SaleUUID, EntityID, PurchasingWalletAddress: wallet });`,
  limits: `const { MinCommitmentAmount, MaxCommitmentAmount } = await user.limits({ SaleUUID, WalletAddress: wallet });`,
  arrival: `import { follow } from "tidemark-client";

await follow(server, SaleUUID, {
  signal: leaving.signal,
  onData: ({ data }) => show(data),
});`,
  position: `import { readPosition } from "tidemark-client";

const { Commitments } = await readPosition(server, { SaleUUID, Wallet: wallet });
for (const { Counted, ClearingOutcome } of Commitments) show({ Counted, ClearingOutcome });`,
} as const;

/** The bid as code with viem. What `PermitJSON` names with a capital letter, the contract names without. */
export const BID_CODE = `import { writeContract } from "viem/actions";

const { PermitJSON, Signature } = permit;
const args = [token, { lockup, price, amount }, contractPermit(PermitJSON), Signature];
await writeContract(client, { address: saleContract, abi, functionName: "replaceBidWithApproval", args });`;

import { randomUUID } from "node:crypto";
import { COMMITMENTS_AUDIENCE } from "../../../common/platform/rpc/identity/audiences.ts";
import { SaleStage, Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { rulesMessage } from "../../../services/entities/rules/rules-message.ts";
import { sampleRules } from "../../../services/entities/testing/sample-rules.ts";
import type { SignedIn } from "../processes/auth-fixture.ts";
import type { EntitiesClients } from "../processes/entities-clients.ts";
import type { EntitiesFixture } from "../processes/entities-fixture.ts";
import { applyUnderLease, auction, type DefinitionInit, evmSource } from "./sale-messages.ts";

/** A draft, and RPC clients of entities for its owner. */
export interface OwnedSale extends EntitiesClients {
  readonly saleUuid: string;
  readonly owner: SignedIn;
}

/** Creates a draft that is read from an EVM contract, of a new owner. @param name begins the owner's address */
export async function ownedSale(
  fixture: EntitiesFixture,
  name: string,
  definition: DefinitionInit = auction({ source: evmSource() }),
): Promise<OwnedSale> {
  const session = await fixture.auth.signIn(`${name}-${randomUUID()}@example.com`);
  const actorToken = await fixture.auth.actorToken(session, COMMITMENTS_AUDIENCE);
  const { sales } = fixture.auth.commitments.as("gateway", actorToken);
  const saleUuid = randomUUID();
  await sales.createSale({ saleUuid, tenancy: Tenancy.TEST, definition });
  return { saleUuid, owner: session, ...(await fixture.asPerson(session)) };
}

/** Opens a sale whatever its contract says, whose contract then takes bids. */
export async function openForBids(fixture: EntitiesFixture, saleUuid: string): Promise<void> {
  await fixture.applicationOf(saleUuid);
  const { commitments } = fixture.auth;
  const { sale } = await commitments.sales.getSale({ saleUuid });
  await commitments.sales.openSale({ saleUuid, overrideConfirmName: sale?.definition?.name ?? "" });
  await applyUnderLease(commitments, saleUuid, { stage: SaleStage.COMMITMENT });
}

/** Rules by which everyone may take part, as a message. */
export function sampleRulesMessage(given: Parameters<typeof sampleRules>[0] = {}) {
  return rulesMessage(sampleRules(given));
}

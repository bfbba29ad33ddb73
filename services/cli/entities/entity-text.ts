import { enumName } from "../../../common/platform/encoding/enum-name.ts";
import { setupWord } from "../../../common/sale/words/setup-words.ts";
import {
  type DisputedWallet,
  DisputedWalletState,
  type Entity,
  EntityTypeSchema,
  IdentityProviderSchema,
  type LinkedWallet,
} from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { GetEntityResponse, Review } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { alignColumns } from "../output/align-columns.ts";
import type { Paint } from "../output/paint.ts";
import { terminalText } from "../output/terminal-text.ts";
import { timeText } from "../output/time-text.ts";

/** The details of an entity, one per line. */
export function entityText(
  entity: Entity,
  { wallets, disputedWallets }: Pick<GetEntityResponse, "wallets" | "disputedWallets">,
): string {
  return alignColumns([
    ["UUID", entity.uuid],
    ["Type", typeName(entity)],
    ["Label", terminalText(entity.label)],
    ["Country", entity.country || "none yet"],
    ["Set-up", setupWord(entity.setupState)],
    ...(entity.setupReason === "" ? [] : [["Reason", terminalText(entity.setupReason)]]),
    ...(entity.openQuestion === "" ? [] : [["Question", terminalText(entity.openQuestion)]]),
    ["Approved by", enumName(IdentityProviderSchema, entity.approvedBy) ?? "nobody"],
    ["Approval ends", timeText(entity.approvalExpiresAt)],
    ...wallets.map(walletRow),
    ...disputedWallets.map(disputeRow),
    ["Version", entity.version.toString()],
    ["Created", timeText(entity.createdAt)],
  ]);
}

function walletRow(wallet: LinkedWallet): readonly string[] {
  const { address, linkedAt, boundSaleUuids } = wallet;
  const bound = boundSaleUuids.length === 0 ? "" : `, bound in ${boundSaleUuids.join(", ")}`;
  return ["Wallet", `${address}, linked at ${timeText(linkedAt)}, ${chainsText(wallet)}${bound}`];
}

const DISPUTES: Readonly<Record<DisputedWalletState, string>> = {
  [DisputedWalletState.UNSPECIFIED]: "the contract can't be asked now whose it is",
  [DisputedWalletState.HELD]: "held by another entity's permit, free without a bid at the earliest from",
  [DisputedWalletState.FREE]: "free for its next permit, as another entity's has ended without a bid",
  [DisputedWalletState.DISPLACED]:
    "no further permit, as another entity has proved it, unless a bid comes by the last one",
  [DisputedWalletState.BID_OF_ANOTHER]: "another entity's by its bid in the contract",
  [DisputedWalletState.PROVED_BY_ANOTHER]: "another entity's, which has proved it first",
};

function disputeRow({ address, saleUuid, state, until }: DisputedWallet): readonly string[] {
  const time = until === undefined ? "" : ` ${timeText(until)}`;
  return ["Disputed", `${address} in ${saleUuid}: ${DISPUTES[state] ?? "unknown"}${time}`];
}

function chainsText({ countsEverywhere, chainIds }: LinkedWallet): string {
  if (countsEverywhere) return "counts on every chain";
  if (chainIds.length === 0) return "counts in no sale until it is linked once more";
  return `counts on the chain ${chainIds.join(" and ")} only`;
}

/** A table of the entities that wait for a reviewer. */
export function reviewTable(reviews: readonly Review[], paint: Paint): string {
  const rows = reviews.flatMap(({ entity, email, submittedAt }) =>
    entity === undefined
      ? []
      : [
          [
            entity.uuid,
            entity.version.toString(),
            timeText(submittedAt),
            typeName(entity),
            entity.country || "-",
            terminalText(email),
            terminalText(entity.label),
          ],
        ],
  );
  const header = ["UUID", "VERSION", "SUBMITTED", "TYPE", "COUNTRY", "E-MAIL", "LABEL"];
  return alignColumns([header.map((name) => paint("bold", name)), ...rows]);
}

function typeName({ type }: Entity): string {
  return enumName(EntityTypeSchema, type) ?? "unknown";
}

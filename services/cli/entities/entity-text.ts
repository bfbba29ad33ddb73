import { enumName } from "../../../common/platform/encoding/enum-name.ts";
import { setupWord } from "../../../common/sale/words/setup-words.ts";
import {
  type Entity,
  EntityTypeSchema,
  IdentityProviderSchema,
  type LinkedWallet,
} from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { Review } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { alignColumns } from "../output/align-columns.ts";
import type { Paint } from "../output/paint.ts";
import { terminalText } from "../output/terminal-text.ts";
import { timeText } from "../output/time-text.ts";

/** The details of an entity, one per line. */
export function entityText(entity: Entity, wallets: readonly LinkedWallet[]): string {
  return alignColumns([
    ["UUID", entity.uuid],
    ["Type", typeName(entity)],
    ["Label", terminalText(entity.label)],
    ["Country", entity.country || "none yet"],
    ["Set-up", setupWord(entity.setupState)],
    ...(entity.setupReason === "" ? [] : [["Reason", terminalText(entity.setupReason)]]),
    ["Approved by", enumName(IdentityProviderSchema, entity.approvedBy) ?? "nobody"],
    ["Approval ends", timeText(entity.approvalExpiresAt)],
    ...wallets.map(walletRow),
    ["Version", entity.version.toString()],
    ["Created", timeText(entity.createdAt)],
  ]);
}

function walletRow(wallet: LinkedWallet): readonly string[] {
  const { address, linkedAt, boundSaleUuids } = wallet;
  const bound = boundSaleUuids.length === 0 ? "" : `, bound in ${boundSaleUuids.join(", ")}`;
  return ["Wallet", `${address}, linked at ${timeText(linkedAt)}, ${chainsText(wallet)}${bound}`];
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

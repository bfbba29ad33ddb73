import type { GroupMember } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { csvRecord } from "../csv/csv-record.ts";
import { hexOfBytes } from "../encoding/hex.ts";
import { type NamedGroup, PARTICIPANT_COLUMNS } from "./participant-rows.ts";
import { spreadsheetField } from "./spreadsheet-field.ts";

/** The header record. */
export const PARTICIPANT_CSV_HEADER = csvRecord(PARTICIPANT_COLUMNS);
/** The header record of a deny list. */
export const WALLET_CSV_HEADER = csvRecord(["wallet"]);

/** Writes members as records that `participantRows` reads; a group by its name, or its UUID if the rules no longer have it. */
export function participantCsv(members: readonly GroupMember[], groups: readonly NamedGroup[]): string {
  const names = new Map(groups.map(({ uuid, name }) => [uuid, name]));
  return members.map((member) => recordOf(member, names)).join("");
}

/** Writes wallets as records that `walletRows` reads. */
export function walletCsv(wallets: readonly string[]): string {
  return wallets.map((wallet) => csvRecord([spreadsheetField(wallet)])).join("");
}

function recordOf({ key, groupUuid, minAmount, maxAmount }: GroupMember, names: ReadonlyMap<string, string>): string {
  const fields = [
    key.case === "email" ? key.value : "",
    key.case === "wallet" ? key.value : "",
    key.case === "saleSpecificEntityId" ? `0x${hexOfBytes(key.value)}` : "",
    names.get(groupUuid) ?? groupUuid,
    minAmount,
    maxAmount,
  ];
  return csvRecord(fields.map(spreadsheetField));
}

import { SourceFault } from "../base/source-fault.ts";
import { accountBytes } from "./account-answer.ts";

/** The account in which the cluster keeps its clock. */
export const CLOCK_ACCOUNT = "SysvarC1ock11111111111111111111111111111111";
const SYSVAR_OWNER = "Sysvar1111111111111111111111111111111111111";
/** Offset of `unix_timestamp`, an int64, behind `slot`, `epoch_start_timestamp`, `epoch` and `leader_schedule_epoch`. */
const UNIX_TIMESTAMP_OFFSET = 32;

/** The time of a clock account, in seconds since 1970; undefined if it isn't one. */
export function clockSeconds(account: unknown): bigint | undefined {
  const bytes = clockBytes(account);
  if (bytes === undefined || bytes.length < UNIX_TIMESTAMP_OFFSET + 8) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return view.getBigInt64(UNIX_TIMESTAMP_OFFSET, true);
}

function clockBytes(account: unknown): Uint8Array | undefined {
  try {
    return accountBytes(account, SYSVAR_OWNER);
  } catch (error) {
    if (error instanceof SourceFault) return undefined;
    throw error;
  }
}

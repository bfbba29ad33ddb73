import { isMessage } from "@bufbuild/protobuf";
import type { Validator } from "@bufbuild/protovalidate";
import type { CommitmentRecord, WalletTokenAmount } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { ApplyCommitmentsRequestSchema } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { AMOUNT_PATTERN, COMMITMENT_LIMITS } from "../../shared/commitment-record/commitment-limits.ts";

const LIMITS = COMMITMENT_LIMITS;

/**
 * Wraps a validator. The many records of an apply are checked here, in a tenth of the time. If one breaks a rule, the
 * standard validator checks them all and names the violations.
 */
export function withFastRecords(standard: Validator): Validator {
  return {
    validate(schema, message) {
      const areValid = isMessage(message, ApplyCommitmentsRequestSchema) && message.upserts.every(isValidRecord);
      return standard.validate(schema, areValid ? { ...message, upserts: [] } : message);
    },
  };
}

/** Checks the rules of `CommitmentRecord` in the contract. */
function isValidRecord(record: CommitmentRecord): boolean {
  return (
    record.commitmentId.length === LIMITS.commitmentIdBytes &&
    record.entityId.length === LIMITS.entityIdBytes &&
    record.createdAtSeconds <= LIMITS.lastCreatedAtSeconds &&
    record.extraData.length <= LIMITS.extraDataBytes &&
    (record.sourceIndex === undefined || record.sourceIndex <= LIMITS.sourceIndex) &&
    record.amounts.length <= LIMITS.amounts &&
    record.amounts.every(isValidAmount)
  );
}

/** Checks the rules of `WalletTokenAmount` in the contract. */
function isValidAmount({ wallet, token, amount }: WalletTokenAmount): boolean {
  return isShortText(wallet) && isShortText(token) && AMOUNT_PATTERN.test(amount);
}

/** Checks the length more strictly than the contract, which counts code points. */
function isShortText(text: string): boolean {
  return text.length > 0 && text.length <= LIMITS.addressCharacters;
}

import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  type EntityDecision,
  EntityDecisionSchema,
  ReviewEntryKind,
  type ReviewEntry as ReviewEntryMessage,
  ReviewEntrySchema,
} from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import type { KeptDecision } from "./audit-store.ts";
import type { ReviewEntry } from "./review-entries-store.ts";

const KINDS: Readonly<Record<ReviewEntry["kind"], ReviewEntryKind>> = {
  note: ReviewEntryKind.NOTE,
  question: ReviewEntryKind.QUESTION,
  answer: ReviewEntryKind.ANSWER,
};

/** Converts an entry of a review. @param by the author's e-mail address; empty where it isn't told */
export function entryMessage({ kind, content, atMs }: ReviewEntry, by = ""): ReviewEntryMessage {
  return create(ReviewEntrySchema, { kind: KINDS[kind], text: content, at: timestampFromMs(Number(atMs)), by });
}

/** Converts a decision. @param by the reviewer's e-mail address; empty where it isn't told */
export function decisionMessage(
  { entityUuid, atMs, approved, asked, approvalExpiresAtMs, final }: KeptDecision,
  by = "",
): EntityDecision {
  return create(EntityDecisionSchema, {
    entityUuid,
    decidedAt: timestampFromMs(Number(atMs)),
    approved,
    asked,
    final,
    by,
    ...(approvalExpiresAtMs !== undefined && { approvalExpiresAt: timestampFromMs(approvalExpiresAtMs) }),
  });
}

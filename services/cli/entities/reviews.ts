import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Entity } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import {
  type DecideReviewRequestSchema,
  ReviewSchema,
} from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { allPages, PAGE_SIZE } from "../base/all-pages.ts";
import type { CliContext } from "../base/cli-context.ts";
import type { Command, CommandInput } from "../base/command.ts";
import { required } from "../base/required.ts";
import { EXPECTED_VERSION_OPTION, expectedVersion } from "../input/expected-version.ts";
import { pointInTime } from "../input/point-in-time.ts";
import { requiredText } from "../input/required-text.ts";
import { messageJson } from "../output/message-json.ts";
import { paintFor } from "../output/paint.ts";
import { timeText } from "../output/time-text.ts";
import { write } from "../output/write.ts";
import { reviewTable } from "./entity-text.ts";

type Decision = Exclude<MessageInitShape<typeof DecideReviewRequestSchema>, { $typeName: string }>["decision"];

export const reviewList: Command = {
  name: "review list",
  positionals: [],
  summary: "list the entities that wait for a reviewer, the longest waiting first",
  options: { json: { type: "boolean", help: "as a JSON list for programs" } },
  async run(input, context) {
    const reviews = await Array.fromAsync(allReviews(context));
    const text = input.flag("json")
      ? JSON.stringify(
          reviews.map((review) => messageJson(ReviewSchema, review)),
          null,
          2,
        )
      : reviewTable(reviews, paintFor(context.output));
    await write(context.output, `${text}\n`);
  },
};

export const reviewApprove: Command = {
  name: "review approve",
  positionals: ["ENTITY-UUID"],
  summary: "approve an entity that waits for a reviewer, and mail the decision to the user",
  options: {
    reference: { type: "string", value: "TEXT", help: "the reference of the outside check; no other entity has it" },
    country: { type: "string", value: "CODE", help: "the country that the check found, such as DE" },
    expires: {
      type: "string",
      value: "TIME",
      help: "when the approval ends: a time such as 2026-01-31T12:00:00Z, or a duration from now such as 365d",
    },
    ...EXPECTED_VERSION_OPTION,
  },
  flags: {
    "approval.reference": ["reference"],
    "approval.country": ["country"],
    "approval.expires_at": ["expires"],
    expected_version: ["expected-version"],
  },
  async run(input, context) {
    const expires = input.text("expires");
    const endsAt = expires === undefined ? undefined : pointInTime("expires", expires, (after) => Date.now() + after);
    const approval = {
      reference: requiredText(input, "reference"),
      country: requiredText(input, "country").toUpperCase(),
      ...(endsAt !== undefined && { expiresAt: timestampFromMs(endsAt) }),
    };
    const entity = await decide(input, { case: "approval", value: approval }, context);
    const end = entity.approvalExpiresAt === undefined ? "" : ` until ${timeText(entity.approvalExpiresAt)}`;
    await write(context.output, `${entity.uuid} is approved${end}\n`);
  },
};

export const reviewRefuse: Command = {
  name: "review refuse",
  positionals: ["ENTITY-UUID"],
  summary: "refuse an entity that waits for a reviewer, and mail the reason to the user",
  options: {
    reason: { type: "string", value: "TEXT", help: "shown and mailed to the user" },
    final: { type: "boolean", help: "the user can't begin again" },
    ...EXPECTED_VERSION_OPTION,
  },
  flags: { "refusal.reason": ["reason"], expected_version: ["expected-version"] },
  async run(input, context) {
    const refusal = { reason: requiredText(input, "reason"), final: input.flag("final") };
    const { uuid } = await decide(input, { case: "refusal", value: refusal }, context);
    await write(context.output, `${uuid} is refused${refusal.final ? " for good" : ""}\n`);
  },
};

export const reviewAsk: Command = {
  name: "review ask",
  positionals: ["ENTITY-UUID"],
  summary: "ask the user of an entity that waits for a reviewer, by mail; it waits again once that is answered",
  options: {
    question: { type: "string", value: "TEXT", help: "shown and mailed to the user, who answers on the entity's page" },
    ...EXPECTED_VERSION_OPTION,
  },
  flags: { "question.text": ["question"], expected_version: ["expected-version"] },
  async run(input, context) {
    const question = { text: requiredText(input, "question") };
    const { uuid } = await decide(input, { case: "question", value: question }, context);
    await write(context.output, `the user of ${uuid} is asked\n`);
  },
};

async function decide(
  input: CommandInput,
  decision: NonNullable<Decision>,
  { entities, signal }: CliContext,
): Promise<Entity> {
  const [entityUuid = ""] = input.positionals;
  const given = expectedVersion(input);
  const version = given ?? required(await entities.getEntity({ entityUuid }, { signal }), "entity").version;
  return required(
    await entities.decideReview({ entityUuid, expectedVersion: version, decision }, { signal }),
    "entity",
  );
}

function allReviews({ entities, signal }: CliContext) {
  return allPages(async (pageToken) => {
    const { reviews, nextPageToken } = await entities.listReviews({ pageSize: PAGE_SIZE, pageToken }, { signal });
    return { items: reviews, nextPageToken };
  });
}

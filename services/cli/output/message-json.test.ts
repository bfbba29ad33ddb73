import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import { EntitySchema, EntityType, SetupState } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { ReviewSchema } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { ListPermitsResponseSchema } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { messageJson } from "./message-json.ts";

it("has the short names of enum values, also inside, and times as text", () => {
  const entity = create(EntitySchema, {
    type: EntityType.PERSON,
    setupState: SetupState.IN_REVIEW,
    createdAt: timestampFromMs(Date.UTC(2026, 0, 31)),
    version: 2n ** 60n,
  });
  expect(messageJson(ReviewSchema, create(ReviewSchema, { entity, email: "a@x.example" }))).toMatchObject({
    email: "a@x.example",
    entity: {
      type: "person",
      setupState: "in_review",
      approvedBy: "unspecified",
      createdAt: "2026-01-31T00:00:00Z",
      version: `${2n ** 60n}`,
    },
  });
});

it("has bytes as hex, also in lists", () => {
  const permits = [{ saleSpecificEntityId: new Uint8Array(16).fill(255) }];
  expect(messageJson(ListPermitsResponseSchema, create(ListPermitsResponseSchema, { permits }))).toMatchObject({
    permits: [{ saleSpecificEntityId: `0x${"ff".repeat(16)}` }],
  });
});

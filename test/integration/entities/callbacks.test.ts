import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { EntityType, IdentityProvider, SetupState } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { SignedIn } from "../../support/processes/auth-fixture.ts";
import { describeEntities } from "../../support/processes/entities-fixture.ts";
import { onlyCodeBlock } from "../../support/repository/markdown.ts";
import { readRepository } from "../../support/repository/repository.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const DOCUMENTED = JSON.parse(onlyCodeBlock(readRepository("docs/entities.md"), "json"));

const identity = {
  provider: "webhook",
  reviewers: new Set<string>(),
  approvalLifetimeMs: 0n,
  vendor: { protocol: "standard-webhooks", startUrl: "https://vendor.example/start", secrets: [SECRET] },
} as const;

describeEntities(
  "callbacks of a vendor",
  (service) => {
    async function begin(session: SignedIn) {
      const { entities } = await service().asPerson(session);
      const { entity } = await entities.createEntity({ type: EntityType.PERSON, label: "Me" });
      const entityUuid = entity?.uuid ?? "";
      const { startUrl } = await entities.beginSetup({ entityUuid });
      const read = async () => (await entities.getEntity({ entityUuid })).entity;
      return { handle: new URL(startUrl).searchParams.get("handle") ?? "", read };
    }

    function send(content: object, webhookId: string = randomUUID()): Promise<unknown> {
      const now = new Date(Number(service().auth.time.now()));
      const body = JSON.stringify({
        ...DOCUMENTED,
        occurredAt: now.toISOString(),
        approvalEndsAt: undefined,
        ...content,
      });
      const sentAt = new Date();
      return service()
        .as("gateway")
        .entities.reportSetup({
          webhookId,
          webhookTimestamp: String(Math.floor(sentAt.getTime() / 1_000)),
          webhookSignature: new Webhook(SECRET).sign(webhookId, sentAt, body),
          body: Buffer.from(body),
        });
    }

    it("approve an entity as docs/entities.md says", async () => {
      const { handle, read } = await begin(await service().auth.signIn("ann@example.com"));
      await send({ handle, reference: randomUUID() });
      expect(await read()).toMatchObject({
        setupState: SetupState.COMPLETE,
        approvedBy: IdentityProvider.WEBHOOK,
        country: DOCUMENTED.country,
      });
    });

    it("are each done once, when the same arrives many times at once", async () => {
      const { handle, read } = await begin(await service().auth.signIn("bea@example.com"));
      const webhookId = randomUUID();
      const content = { handle, reference: randomUUID() };
      await Promise.all(Array.from({ length: 8 }, () => send(content, webhookId)));
      expect(await read()).toMatchObject({ setupState: SetupState.COMPLETE, version: 3n });
    });

    it("give a reference to one of the entities that claim it at once", async () => {
      const begun = [];
      for (const name of ["cleo", "dora", "edda", "fay"]) {
        begun.push(await begin(await service().auth.signIn(`${name}@example.com`)));
      }
      const reference = randomUUID();
      await Promise.all(begun.map(({ handle }) => send({ handle, reference })));
      const states = await Promise.all(begun.map(async ({ read }) => (await read())?.setupState));
      expect(states.filter((state) => state === SetupState.COMPLETE)).toHaveLength(1);
      expect(states.filter((state) => state === SetupState.FAILURE)).toHaveLength(3);
    });
  },
  { identity },
);

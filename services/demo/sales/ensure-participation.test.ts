import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import {
  GetRulesResponseSchema,
  UpdateRulesResponseSchema,
} from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import type { ParticipationRules } from "../../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import {
  ActivateKeyResponseSchema,
  CreateKeyResponseSchema,
  ListKeysResponseSchema,
  type PermitKey,
  PermitKeySchema,
  PermitKeyStatus,
} from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { AUCTION } from "./demo-sales.ts";
import { ensureParticipation, type ParticipationClients } from "./ensure-participation.ts";

/** An entities service in memory, whose keys only become active if the contract accepts them. */
class Participation {
  version = 0n;
  rules: ParticipationRules | undefined;
  readonly keys: PermitKey[] = [];
  readonly granted = new Set<string>();

  addKey(status: PermitKeyStatus): PermitKey {
    const keyUuid = `key ${this.keys.length}`;
    const key = create(PermitKeySchema, { keyUuid, status, address: `address of ${keyUuid}` });
    this.keys.push(key);
    return key;
  }

  readonly clients: ParticipationClients = {
    eligibility: {
      getRules: async () => create(GetRulesResponseSchema, { version: this.version }),
      updateRules: async ({ rules, expectedVersion }) => {
        if (expectedVersion !== this.version) throw new Error("aborted");
        this.rules = rules as ParticipationRules;
        this.version += 1n;
        return create(UpdateRulesResponseSchema, {});
      },
    },
    permits: {
      listKeys: async () => create(ListKeysResponseSchema, { keys: this.keys }),
      createKey: async () => create(CreateKeyResponseSchema, { key: this.addKey(PermitKeyStatus.NEXT) }),
      activateKey: async ({ keyUuid }) => {
        const key = this.keys.find((each) => each.keyUuid === keyUuid);
        if (key === undefined || !this.granted.has(key.address)) throw new Error("the contract doesn't know the key");
        key.status = PermitKeyStatus.ACTIVE;
        return create(ActivateKeyResponseSchema, { key });
      },
    },
  };

  async ensure(): Promise<void> {
    await ensureParticipation(this.clients, AUCTION, async (signer) => void this.granted.add(signer));
  }
}

const statuses = ({ keys }: Participation) => keys.map(({ status }) => status);

describe("taking part in the demo's auction", () => {
  it("begins with an active key that the contract accepts, and rules for everybody", async () => {
    const participation = new Participation();
    await participation.ensure();
    expect(statuses(participation)).toEqual([PermitKeyStatus.ACTIVE]);
    const [group] = participation.rules?.groups ?? [];
    expect(participation.rules).toMatchObject({ enabled: true, defaultGroupUuid: group?.uuid });
    expect(group).toMatchObject({ minAmount: "10000000", maxAmount: "25000000000", minPriceTicks: 100n });
  });

  it("changes nothing at the next start, also where somebody has switched it off", async () => {
    const participation = new Participation();
    await participation.ensure();
    participation.version = 7n;
    participation.rules = undefined;
    await participation.ensure();
    expect(participation.rules).toBeUndefined();
    expect(statuses(participation)).toEqual([PermitKeyStatus.ACTIVE]);
  });

  it("activates a key that an earlier start has made", async () => {
    const participation = new Participation();
    participation.addKey(PermitKeyStatus.RETIRED);
    participation.addKey(PermitKeyStatus.NEXT);
    await participation.ensure();
    expect(statuses(participation)).toEqual([PermitKeyStatus.RETIRED, PermitKeyStatus.ACTIVE]);
  });

  it("makes a new chain's contract accept the keys that sign or will, and no retired one", async () => {
    const participation = new Participation();
    for (const status of [PermitKeyStatus.NEXT, PermitKeyStatus.ACTIVE, PermitKeyStatus.RETIRED]) {
      participation.addKey(status);
    }
    await participation.ensure();
    expect(participation.granted).toEqual(new Set(["address of key 0", "address of key 1"]));
    expect(participation.keys).toHaveLength(3);
  });
});

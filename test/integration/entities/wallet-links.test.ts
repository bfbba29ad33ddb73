import { create } from "@bufbuild/protobuf";
import { hexToBytes, toHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { expect, it } from "vitest";
import { EntityType, WalletKind } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import {
  CheckAccountSignatureResponseSchema,
  CheckSourceResponseSchema,
} from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { codeOf } from "../../../services/entities/testing/people-fixture.ts";
import type { EntitiesClients } from "../../support/processes/entities-clients.ts";
import { describeEntities } from "../../support/processes/entities-fixture.ts";

const account = (number: number) => privateKeyToAccount(toHex(number, { size: 32 }));

interface Text {
  readonly linkHandle: string;
  readonly signature: Uint8Array<ArrayBuffer>;
}

/** Asks for a text for a wallet and signs it. */
async function signedText({ wallets }: EntitiesClients, entityUuid: string, number: number): Promise<Text> {
  const { address, signMessage } = account(number);
  const asked = await wallets.beginWalletLink({ entityUuid, kind: WalletKind.EVM, address, chainId: 1n });
  const signature = new Uint8Array(hexToBytes(await signMessage({ message: asked.text })));
  return { linkHandle: asked.linkHandle, signature };
}

/** Nobody's wallet is a smart account. */
const indexer = {
  checkPermitSigner: () => Promise.reject(new Error("unused")),
  checkSource: async () => create(CheckSourceResponseSchema, { readable: true }),
  checkAccountSignature: async () => create(CheckAccountSignatureResponseSchema, { valid: false, hasCode: false }),
};

describeEntities(
  "links of wallets",
  (service) => {
    async function newPerson(email: string) {
      const session = await service().auth.signIn(email);
      const clients = await service().asPerson(session);
      const { entity } = await clients.entities.createEntity({ type: EntityType.PERSON, label: "Me" });
      return { session, clients, entityUuid: entity?.uuid ?? "" };
    }

    it("are made in the session for which the text was given out, and in no other", async () => {
      const { clients, entityUuid } = await newPerson("sessions@example.com");
      const elsewhere = await service().asPerson(await service().auth.signIn("sessions@example.com"));
      const stranger = (await newPerson("stranger@example.com")).clients;
      const text = await signedText(clients, entityUuid, 1);
      for (const { wallets } of [elsewhere, stranger]) {
        expect(await codeOf(wallets.completeWalletLink(text))).toBe("failed_precondition");
      }
      await clients.wallets.completeWalletLink(text);
      const { wallets } = await elsewhere.entities.getEntity({ entityUuid });
      expect(wallets.map(({ address }) => address)).toEqual([account(1).address]);
    });

    it("use a text once, however often it comes at once", async () => {
      const { clients, entityUuid } = await newPerson("twice@example.com");
      const text = await signedText(clients, entityUuid, 2);
      const codes = await Promise.all(
        Array.from({ length: 20 }, () => codeOf(clients.wallets.completeWalletLink(text))),
      );
      expect(codes.filter((code) => code === undefined)).toHaveLength(1);
      expect(new Set(codes)).toEqual(new Set([undefined, "failed_precondition"]));
    });

    it("never exceed the texts of an account, however many are asked for at once", async () => {
      const { clients, entityUuid } = await newPerson("many@example.com");
      const begin = (number: number) => codeOf(signedText(clients, entityUuid, number));
      const codes = await Promise.all(Array.from({ length: 40 }, (_, index) => begin(index + 1)));
      expect(codes.filter((code) => code === undefined)).toHaveLength(30);
      expect(codes.filter((code) => code === "resource_exhausted")).toHaveLength(10);
    });

    it("leave no address of a person in the log", async () => {
      const { clients, entityUuid } = await newPerson("log@example.com");
      const text = await signedText(clients, entityUuid, 3);
      await clients.wallets.completeWalletLink(text);
      const wrong = await signedText(clients, entityUuid, 4);
      expect(await codeOf(clients.wallets.completeWalletLink({ ...wrong, signature: text.signature }))).toBe(
        "invalid_argument",
      );
      const log = JSON.stringify(service().log).toLowerCase();
      for (const number of [3, 4]) expect(log).not.toContain(account(number).address.toLowerCase().slice(2));
      expect(log).not.toContain(text.linkHandle.toLowerCase());
    });
  },
  { indexer },
);

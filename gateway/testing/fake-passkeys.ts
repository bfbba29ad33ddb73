import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type ServiceImpl } from "@connectrpc/connect";
import {
  type AccountService,
  type Passkey,
  PasskeyResult,
  PasskeySchema,
} from "../../proto/gen/tidemark/auth/v1/account_service_pb.ts";

/** The answer of a passkey that is accepted. */
export const RIGHT_CREDENTIAL = `{"type":"public-key"}`;

type Methods = ServiceImpl<typeof AccountService>;

/** The passkeys of one account in memory: `RIGHT_CREDENTIAL` adds one and signs in, all else is answered by `refusal`. */
export class FakePasskeys {
  passkeys: Passkey[] = [];
  maxPasskeys = 20;
  /** Result for all other answers. */
  refusal: PasskeyResult = PasskeyResult.REFUSED;

  readonly methods: Pick<
    Methods,
    | "beginPasskeySignIn"
    | "beginPasskeyAddition"
    | "completePasskeyAddition"
    | "listPasskeys"
    | "renamePasskey"
    | "removePasskey"
  > = {
    beginPasskeySignIn: () => ({ optionsJson: `{"challenge":"c2lnbi1pbg"}` }),
    beginPasskeyAddition: () => ({ optionsJson: `{"challenge":"YWRk"}` }),
    completePasskeyAddition: ({ credentialJson, name }) => {
      if (name.includes("/")) throw new ConnectError("the name is not accepted", Code.InvalidArgument);
      if (credentialJson !== RIGHT_CREDENTIAL) return { result: this.refusal };
      return { result: PasskeyResult.ACCEPTED, passkey: this.add(name) };
    },
    listPasskeys: () => ({ passkeys: this.passkeys, maxPasskeys: this.maxPasskeys }),
    renamePasskey: ({ passkeyUuid, name }) => {
      if (name.includes("/")) throw new ConnectError("the name is not accepted", Code.InvalidArgument);
      this.#found(passkeyUuid).name = name;
      return {};
    },
    removePasskey: ({ passkeyUuid }) => {
      const found = this.#found(passkeyUuid);
      this.passkeys = this.passkeys.filter((each) => each !== found);
      return {};
    },
  };

  add(name: string, change: Omit<MessageInitShape<typeof PasskeySchema>, "$typeName"> = {}): Passkey {
    const uuid = `77777777-7777-4777-8777-${String(this.passkeys.length + 1).padStart(12, "7")}`;
    const createdAt = timestampFromMs(Date.UTC(2026, 8, 1));
    const passkey = create(PasskeySchema, { uuid, name, createdAt, ...change });
    this.passkeys.push(passkey);
    return passkey;
  }

  #found(uuid: string): Passkey {
    const passkey = this.passkeys.find((each) => each.uuid === uuid);
    if (passkey === undefined) throw new ConnectError("no such passkey", Code.NotFound);
    return passkey;
  }
}

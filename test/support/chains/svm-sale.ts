import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { base58 } from "@scure/base";
import { derivedAddress } from "../../../common/chains/svm/derived-address.ts";

/** A sale of the reference program, modelled independently of the code that reads it. */
export interface SvmSaleState {
  readonly slot: number;
  saleUuid: string;
  mint: string;
  stage: number;
  /** Added to the true total in the sale account, to make it wrong. */
  miscount: bigint;
  /** Added to the true total of accepted amounts; 0 if absent. */
  acceptedMiscount?: bigint;
  /** Whether the sale account is too short for accepted amounts, as in older versions. */
  isShort?: boolean;
  /** Entities by ID, 32 hex digits. */
  readonly entities: Map<string, SvmEntity>;
}

export interface SvmEntity {
  price: bigint;
  timestamp: bigint;
  lockup: boolean;
  refunded: boolean;
  /** Base58 wallet → amount. */
  readonly wallets: Map<string, bigint>;
  /** The accepted amounts by wallet. */
  accepted?: ReadonlyMap<string, bigint>;
}

/** The expected form of a commitment: amounts by wallet, without wallets that have none. */
export interface ExpectedRow {
  readonly commitmentId: string;
  readonly createdAtSeconds: bigint;
  readonly priceTicks: bigint;
  readonly lockup: boolean;
  readonly refunded: boolean;
  readonly amounts: Readonly<Record<string, bigint>>;
  readonly accepted: Readonly<Record<string, bigint>>;
}

const keys = new Map<string, Buffer>();
const addresses = new Map<string, string>();

/** Any 32 bytes as an address, always the same for a name. */
export function svmAddress(name: string): string {
  const known = addresses.get(name);
  if (known !== undefined) return known;
  const key = createHash("sha256").update(name).digest();
  const address = base58.encode(key);
  addresses.set(name, address);
  keys.set(address, key);
  return address;
}

const entityAddresses = new Map<string, string>();

/** The address that the program derives for an entity's account. */
export function svmEntityAddress(saleAccount: string, id: string): string {
  const key = `${saleAccount} ${id}`;
  const known = entityAddresses.get(key);
  if (known !== undefined) return known;
  const seeds = [Buffer.from("entity_state"), keyOf(saleAccount), Buffer.from(id, "hex")];
  const address = derivedAddress(svmAddress("program"), seeds) ?? "";
  entityAddresses.set(key, address);
  return address;
}

/** The address that the program derives for the account of a sale. */
export function svmSaleAddress(saleUuid: string): string {
  const seeds = [Buffer.from("settlement_sale"), Buffer.from(saleUuid.replaceAll("-", ""), "hex")];
  return derivedAddress(svmAddress("program"), seeds) ?? "";
}

/** The 32 bytes of an address, cached because base58 is slow. */
function keyOf(address: string): Uint8Array {
  return keys.get(address) ?? base58.decode(address);
}

export function expectedRows({ entities, stage, isShort = false }: SvmSaleState): readonly ExpectedRow[] {
  const saysAccepted = (stage === 3 || stage === 4) && !isShort;
  return [...entities]
    .map(([id, { price, timestamp, lockup, refunded, wallets, accepted = NOTHING }]) => ({
      commitmentId: id.padEnd(64, "0"),
      createdAtSeconds: timestamp,
      priceTicks: price,
      lockup,
      refunded,
      amounts: withoutZeros(wallets),
      accepted: saysAccepted ? withoutZeros(accepted) : {},
    }))
    .sort((a, b) => (a.commitmentId < b.commitmentId ? -1 : 1));
}

const NOTHING: ReadonlyMap<string, bigint> = new Map();

function withoutZeros(amounts: ReadonlyMap<string, bigint>): Readonly<Record<string, bigint>> {
  return Object.fromEntries([...amounts].filter(([, amount]) => amount > 0n));
}

/** The accounts of the program by address, in their byte layout. */
export function saleAccounts(saleAccount: string, state: SvmSaleState): Map<string, Buffer> {
  const accounts = new Map([[saleAccount, saleBytes(state)]]);
  for (const [id, entity] of state.entities) {
    accounts.set(svmEntityAddress(saleAccount, id), entityBytes(saleAccount, id, entity));
    for (const [wallet, amount] of entity.wallets) {
      const accepted = entity.accepted?.get(wallet) ?? 0n;
      const binding = bindingBytes(saleAccount, id, wallet, { contributed: amount, accepted });
      accounts.set(svmAddress(`binding ${id} ${wallet}`), binding);
    }
  }
  return accounts;
}

function saleBytes({
  saleUuid,
  mint,
  stage,
  entities,
  miscount,
  acceptedMiscount = 0n,
  isShort,
}: SvmSaleState): Buffer {
  const data = Buffer.alloc(isShort ? 200 : 320, 0xee);
  data.set([38, 117, 82, 234, 79, 111, 15, 74]);
  data.write(saleUuid.replaceAll("-", ""), 8, "hex");
  data.set(keyOf(svmAddress("permit signer")), 24);
  data.set(keyOf(mint), 56);
  data.writeUInt8(stage, 184);
  const total = [...entities.values()].reduce((sum, entity) => sum + amountOf(entity), 0n);
  data.writeBigUInt64LE(total + miscount, 191);
  const accepted = [...entities.values()].reduce((sum, entity) => sum + acceptedOf(entity), 0n);
  if (!isShort) data.writeBigUInt64LE(accepted + acceptedMiscount, 207);
  return data;
}

function entityBytes(saleAccount: string, id: string, entity: SvmEntity): Buffer {
  const data = Buffer.alloc(101, 0xee);
  data.set([92, 218, 188, 5, 237, 215, 13, 253]);
  data.write(id, 9, "hex");
  data.set(keyOf(saleAccount), 25);
  data.writeBigUInt64LE(amountOf(entity), 57);
  data.writeBigUInt64LE(acceptedOf(entity), 65);
  data.writeBigUInt64LE(entity.price, 73);
  data.writeUInt8(Number(entity.lockup), 81);
  data.writeUInt8(Number(entity.refunded), 82);
  data.writeUInt8(entity.wallets.size % 256, 91);
  data.writeBigInt64LE(entity.timestamp, 92);
  return data;
}

function bindingBytes(
  saleAccount: string,
  id: string,
  wallet: string,
  { contributed, accepted }: { readonly contributed: bigint; readonly accepted: bigint },
): Buffer {
  const data = Buffer.alloc(115, 0xee);
  data.set([51, 211, 204, 185, 168, 68, 52, 176]);
  data.set(keyOf(saleAccount), 8);
  data.write(id, 40, "hex");
  data.set(keyOf(wallet), 56);
  data.writeBigUInt64LE(contributed, 88);
  data.writeBigUInt64LE(accepted, 104);
  return data;
}

function acceptedOf({ accepted = NOTHING }: SvmEntity): bigint {
  return [...accepted.values()].reduce((sum, amount) => sum + amount, 0n);
}

function amountOf({ wallets }: SvmEntity): bigint {
  return [...wallets.values()].reduce((sum, amount) => sum + amount, 0n);
}

import { randomBytes } from "node:crypto";
import type { CommitmentRecord } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import type {
  ExportCommitmentsResponse,
  GetCommitmentDataResponse,
  ListedCommitment,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { Random } from "../../../services/demo/bidders/random.ts";
import type { CommitmentsClients } from "../processes/commitments-fixture.ts";

/** A number from 0 (inclusive) to `bound` (exclusive). */
export type Draw = (bound: number) => number;

/** Numbers that are the same in each run. */
export function seeded(seed: number): Draw {
  const random = new Random(seed);
  return (bound) => random.integer(0, bound - 1);
}

type RowTampering = (listed: ListedCommitment, record: CommitmentRecord, random: Draw) => void;

/** Changes of one field of a commitment, each to a value that it didn't have. */
const OF_ROWS: Readonly<Record<string, RowTampering>> = {
  commitmentId: (_, record, random) => flipBit(record.commitmentId, random),
  entityId: (_, record, random) => flipBit(record.entityId, random),
  createdAt: (_, record, random) => {
    record.createdAtSeconds += BigInt(1 + random(1_000));
  },
  priceTicks: (_, record, random) => {
    record.priceTicks = String(BigInt(record.priceTicks) ^ (1n << BigInt(random(160))));
  },
  lockup: (_, record) => {
    record.lockup = !record.lockup;
  },
  refunded: (_, record) => {
    record.refunded = !record.refunded;
  },
  amount: (_, record, random) => {
    const amount = pick(record.amounts, random);
    amount.amount = (BigInt(amount.amount) ^ (1n << BigInt(random(96)))).toString();
  },
  wallet: (_, record, random) => {
    const amount = pick(record.amounts, random);
    amount.wallet = withOtherDigit(amount.wallet, random);
  },
  token: (_, record, random) => {
    const amount = pick(record.amounts, random);
    amount.token = withOtherDigit(amount.token, random);
  },
  amountLeftOut: (_, record, random) => {
    record.amounts.splice(random(record.amounts.length), 1);
  },
  extraData: (_, record, random) => {
    if (record.extraData.length === 0) record.extraData = new Uint8Array([random(256)]);
    else flipBit(record.extraData, random);
  },
  sourceIndex: (_, record, random) => {
    record.sourceIndex = (record.sourceIndex ?? 0n) + BigInt(1 + random(9));
  },
  active: (listed) => {
    listed.active = !listed.active;
  },
  normalisedAmount: (listed, _, random) => {
    listed.amount = (BigInt(listed.amount) + BigInt(1 + random(1_000))).toString();
  },
};

/** Changes of what is accepted, which only a sale that is being settled has. */
const OF_ACCEPTED: Readonly<Record<string, (record: CommitmentRecord) => void>> = {
  accepted: ({ accepted: [first] }) => {
    if (first) first.amount = (BigInt(first.amount) + 1n).toString();
  },
  acceptedLeftOut: ({ accepted }) => {
    accepted.splice(0);
  },
};

type FigureTampering = (response: GetCommitmentDataResponse, random: Draw) => void;

/** Changes of one field of the figures. */
const OF_FIGURES: Readonly<Record<string, FigureTampering>> = {
  total: ({ data }, random) => {
    if (data) data.totalAmount = (BigInt(data.totalAmount) + BigInt(1 + random(1_000))).toString();
  },
  count: ({ data }) => {
    if (data) data.commitmentCount += 1n;
  },
  clearing: ({ data }) => {
    const price = data?.clearingPrice?.price;
    if (price) price.numerator = (BigInt(price.numerator) + 1n).toString();
  },
  listedPrice: ({ data }, random) => {
    const { price } = pick(data?.commitments ?? [], random);
    if (price) price.numerator = (BigInt(price.numerator) + 1n).toString();
  },
  listedAmount: ({ data }, random) => {
    const amount = pick(pick(data?.commitments ?? [], random).amounts, random);
    amount.amount = (BigInt(amount.amount) + 1n).toString();
  },
  listedWallet: ({ data }, random) => {
    const amount = pick(pick(data?.commitments ?? [], random).amounts, random);
    amount.wallet = withOtherDigit(amount.wallet, random);
  },
  listedTime: ({ data }, random) => {
    pick(data?.commitments ?? [], random).createdAtSeconds += 1n;
  },
  listedEntity: ({ data }, random) => flipBit(pick(data?.commitments ?? [], random).entityId, random),
  listLeftOut: ({ data }, random) => {
    data?.commitments.splice(random(data.commitments.length), 1);
  },
};

/** The names of all kinds of tampering with one commitment. */
export const ROW_TAMPERINGS = [...Object.keys(OF_ROWS), "rowLeftOut", "rowAdded", "rowTwice"];
/** The names of all kinds of tampering with what is accepted of one commitment. */
export const ACCEPTED_TAMPERINGS = Object.keys(OF_ACCEPTED);
/** The names of all kinds of tampering with the figures. */
export const FIGURE_TAMPERINGS = Object.keys(OF_FIGURES);

/** Clients whose answers are tampered with in one field. */
export function tamperedClients(honest: CommitmentsClients, kind: string, random: Draw): CommitmentsClients {
  const { commitments } = honest;
  const ofFigures = OF_FIGURES[kind];
  const dishonest: CommitmentsClients["commitments"] = {
    ...commitments,
    exportCommitments: (request, options) =>
      tamperedExport(commitments.exportCommitments(request, options), kind, random),
    getCommitmentData: async (request, options) => {
      const response = await commitments.getCommitmentData(request, options);
      ofFigures?.(response, random);
      return response;
    },
  };
  return { ...honest, commitments: dishonest };
}

async function* tamperedExport(
  parts: AsyncIterable<ExportCommitmentsResponse>,
  kind: string,
  random: Draw,
): AsyncGenerator<ExportCommitmentsResponse> {
  const all = await Array.fromAsync(parts);
  const rows = all.flatMap(({ part }) => (part.case === "commitments" ? part.value.commitments : []));
  const ofAccepted = OF_ACCEPTED[kind];
  if (ofAccepted === undefined) tamperWithRows(rows, kind, random);
  else {
    const settled = rows.flatMap(({ record }) => (record !== undefined && record.accepted.length > 0 ? [record] : []));
    ofAccepted(pick(settled, random));
  }
  for (const { $typeName, part } of all) {
    if (part.case === "header") {
      const value = { ...part.value, commitmentCount: BigInt(rows.length) };
      yield { $typeName, part: { case: "header", value } };
    }
  }
  const value = { $typeName: "tidemark.commitments.v1.ExportedCommitments" as const, commitments: rows };
  yield { $typeName: "tidemark.commitments.v1.ExportCommitmentsResponse", part: { case: "commitments", value } };
}

function tamperWithRows(rows: ListedCommitment[], kind: string, random: Draw): void {
  const at = random(rows.length);
  const listed = rows[at];
  if (listed?.record === undefined) throw new Error("the export has no commitment");
  if (kind === "rowLeftOut") rows.splice(at, 1);
  else if (kind === "rowTwice") rows.push(listed);
  else if (kind === "rowAdded") {
    const record = { ...listed.record, commitmentId: new Uint8Array(randomBytes(32)) };
    rows.push({ ...listed, record });
  } else OF_ROWS[kind]?.(listed, listed.record, random);
}

function flipBit(bytes: Uint8Array, random: Draw): void {
  const at = random(bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8));
}

function withOtherDigit(address: string, random: Draw): string {
  const at = 2 + random(address.length - 2);
  const digit = ((Number.parseInt(address[at] ?? "0", 16) + 1 + random(15)) % 16).toString(16);
  return `${address.slice(0, at)}${digit}${address.slice(at + 1)}`;
}

function pick<Item>(items: readonly Item[], random: Draw): Item {
  const item = items[random(items.length)];
  if (item === undefined) throw new Error("there is nothing to tamper with");
  return item;
}

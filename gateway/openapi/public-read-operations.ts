import { publicPaths } from "../public-read/public-paths.ts";
import {
  AUCTION_EXAMPLE,
  DEMAND_EXAMPLE,
  EXAMPLE_SALE,
  EXAMPLE_WALLET,
  FIXED_PRICE_EXAMPLE,
  HISTORY_EXAMPLE,
  POSITION_EXAMPLES,
  SALE_EXAMPLES,
  STREAM_EXAMPLE,
} from "./examples.ts";
import { jsonExamples, jsonResponse, publicErrors } from "./responses.ts";
import { type Json, ref } from "./schema-parts.ts";

const TAG = "Public read";

const SALE_PARAMETER: Json = {
  name: "SaleUUID",
  in: "path",
  required: true,
  description: "The sale, in upper or lower case.",
  schema: { type: "string", format: "uuid" },
  example: EXAMPLE_SALE,
};
const IF_NONE_MATCH: Json = {
  name: "If-None-Match",
  in: "header",
  description: "The `ETag` of the answer that the client has: it gets a `304` as long as nothing has changed.",
  schema: { type: "string" },
};
const LAST_EVENT_ID: Json = {
  name: "Last-Event-ID",
  in: "header",
  description:
    "The ID of the last event that the client got, where the connection broke; `EventSource` sends it by itself.",
  schema: { type: "string" },
};

const AGE: Json = {
  description: "Only on an answer that couldn't be confirmed lately: seconds since it was known to be current.",
  schema: { type: "integer", minimum: 0 },
};
const ETAG: Json = { description: "Of this state of the sale.", schema: { type: "string" } };
const CACHED = { ETag: ETAG, Age: AGE };
const CHANGED_BLOCK: Json = {
  description:
    'The block or slot at which the commitments last changed, as a structured field (RFC 9651) such as `19000000;hash="0x4f7a…"`; a slot has no hash. Absent where the last change has no block.',
  schema: { type: "string" },
};

const NOT_MODIFIED: Json = {
  description: "Nothing has changed since the answer of that `ETag`.",
  headers: { ETag: ETAG },
};
const BODY_EXAMPLES: Json = {
  auction: { summary: "An auction", value: AUCTION_EXAMPLE },
  fixedPrice: { summary: "A sale at a fixed price", value: FIXED_PRICE_EXAMPLE },
};

function bodyResponse(headers: Json): Json {
  const content = { "application/json": { schema: ref("CommitmentData"), examples: BODY_EXAMPLES } };
  return { description: "The sale's figures, all of one moment.", headers, content };
}

/** Returns the paths of the public read. @param prefix first segment of the paths */
export function publicReadOperations(prefix: string): Json {
  const { read, readSale, readPosition, sale, commitmentData, stream, history, demand } = publicPaths(prefix);
  return {
    [read]: { post: READ },
    [commitmentData]: { parameters: [SALE_PARAMETER], get: GET },
    [readSale]: { post: READ_SALE },
    [readPosition]: { post: READ_POSITION },
    [sale]: { parameters: [SALE_PARAMETER], get: GET_SALE },
    [stream]: { parameters: [SALE_PARAMETER], get: STREAM },
    [history]: { parameters: [SALE_PARAMETER], get: HISTORY },
    [demand]: { parameters: [SALE_PARAMETER], get: DEMAND },
  };
}

const READ: Json = {
  operationId: "POST:sales.ReadCommitmentDataV2",
  tags: [TAG],
  summary: "Read a sale's commitment data",
  description:
    "The 100 latest commitments, the total and the number of all of them, and the clearing price of an auction. Needs no sign-in and can be called from any web page.",
  security: [],
  requestBody: {
    required: true,
    description: "JSON in UTF-8, 16 KiB at most, not compressed.",
    content: {
      "application/json": { schema: ref("ReadCommitmentDataRequest"), example: { SaleUUID: EXAMPLE_SALE } },
    },
  },
  responses: {
    200: bodyResponse({ Age: AGE, "Tidemark-Changed-Block": CHANGED_BLOCK }),
    ...publicErrors("badRequest", "notFound", "tooLarge", "unsupported", "internal", "unavailable", "timeout"),
  },
};

const GET: Json = {
  operationId: "GET:sales.CommitmentData",
  tags: [TAG],
  summary: "Read a sale's commitment data, for polling",
  description:
    "The same data as `POST:sales.ReadCommitmentDataV2`, which is the main operation. With an `ETag`, so that a browser asks again without loading anew. `HEAD` answers the same without a body. An answer is about a second old at most; for more, use the stream.",
  security: [],
  parameters: [IF_NONE_MATCH],
  responses: {
    200: bodyResponse({ ...CACHED, "Tidemark-Changed-Block": CHANGED_BLOCK }),
    304: NOT_MODIFIED,
    ...publicErrors("badRequest", "notFound", "internal", "unavailable", "timeout"),
  },
};

const READ_SALE: Json = {
  operationId: "POST:sales.ReadSale",
  tags: [TAG],
  summary: "Read what a sale is",
  description:
    "Its name, stage, tokens, prices, times, contract and links, and how current its figures are. Needs no sign-in and can be called from any web page.",
  security: [],
  requestBody: {
    required: true,
    description: "JSON in UTF-8, 16 KiB at most, not compressed.",
    content: { "application/json": { schema: ref("ReadSaleRequest"), example: { SaleUUID: EXAMPLE_SALE } } },
  },
  responses: {
    200: jsonExamples("What the sale is.", "Sale", SALE_EXAMPLES, { Age: AGE }),
    ...publicErrors("badRequest", "notFound", "tooLarge", "unsupported", "internal", "unavailable", "timeout"),
  },
};

const GET_SALE: Json = {
  operationId: "GET:sales.Sale",
  tags: [TAG],
  summary: "Read what a sale is, for polling",
  description:
    "The same data as `POST:sales.ReadSale`, which is the main operation. With an `ETag` of all fields but `AsOf` and `BehindSeconds`, which change with every block: a `304` says nothing about these two. `HEAD` answers the same without a body.",
  security: [],
  parameters: [IF_NONE_MATCH],
  responses: {
    200: jsonExamples("What the sale is.", "Sale", SALE_EXAMPLES, CACHED),
    304: NOT_MODIFIED,
    ...publicErrors("badRequest", "notFound", "internal", "unavailable", "timeout"),
  },
};

const READ_POSITION: Json = {
  operationId: "POST:sales.ReadPosition",
  tags: [TAG],
  summary: "Read what a wallet has committed",
  description:
    "Its commitments, whether each counts and why not, and what the clearing price means for it. Needs no sign-in and can be called from any web page. It is a `POST` so that no log has the wallet; with `If-None-Match` it answers a `304` all the same.",
  security: [],
  parameters: [IF_NONE_MATCH],
  requestBody: {
    required: true,
    description: "JSON in UTF-8, 16 KiB at most, not compressed.",
    content: {
      "application/json": {
        schema: ref("ReadPositionRequest"),
        example: { SaleUUID: EXAMPLE_SALE, Wallet: EXAMPLE_WALLET },
      },
    },
  },
  responses: {
    200: jsonExamples("The wallet's commitments.", "Position", POSITION_EXAMPLES, { ETag: ETAG }),
    304: NOT_MODIFIED,
    ...publicErrors(
      "badRequest",
      "notFound",
      "tooLarge",
      "unsupported",
      "tooManyReads",
      "internal",
      "unavailable",
      "timeout",
    ),
  },
};

const STREAM: Json = {
  operationId: "GET:sales.CommitmentDataStream",
  tags: [TAG],
  summary: "Follow a sale's commitment data",
  description:
    "Server-sent events, at most four a second, a moment after each change. A `body` event has all of `CommitmentData`; a `difference` event has a `CommitmentDataDifference`, which makes the next body of the one before. A `state` event at the start, and when the figures begin or cease to stand still, and a `heartbeat` event every 10 seconds say how current the figures are: `FeedState`. A `sale` event, at the start and when the sale is another one, says what it is: `SaleEvent`. A stream that is silent for 30 seconds is broken. Each stream needs a connection of its own, and may end at any time: `EventSource` connects again by itself.",
  security: [],
  parameters: [LAST_EVENT_ID],
  responses: {
    200: {
      description: "The stream. It ends with its connection.",
      content: { "text/event-stream": { schema: { type: "string" }, example: STREAM_EXAMPLE } },
    },
    ...publicErrors("badRequest", "notFound", "tooMany", "internal", "unavailable", "timeout"),
  },
};

const HISTORY: Json = {
  operationId: "GET:sales.History",
  tags: [TAG],
  summary: "A sale's figures over time",
  description:
    "Seconds of the last minutes, minutes of the last hours, and before that hours, or more at a time where the sale is older. `HEAD` answers the same without a body.",
  security: [],
  parameters: [IF_NONE_MATCH],
  responses: {
    200: jsonResponse("The history.", "History", HISTORY_EXAMPLE, CACHED),
    304: NOT_MODIFIED,
    ...publicErrors("badRequest", "notFound", "internal", "unavailable", "timeout"),
  },
};

const DEMAND: Json = {
  operationId: "GET:sales.Demand",
  tags: [TAG],
  summary: "An auction's demand by price",
  description:
    "From the highest price down; for a sale that is no auction it is `not_found`. `HEAD` answers the same without a body.",
  security: [],
  parameters: [IF_NONE_MATCH],
  responses: {
    200: jsonResponse("The demand.", "Demand", DEMAND_EXAMPLE, CACHED),
    304: NOT_MODIFIED,
    ...publicErrors("badRequest", "notFound", "internal", "unavailable", "timeout"),
  },
};

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import type { CallerCredentials } from "../../../common/platform/rpc/identity/caller-keys.ts";
import type { CommitmentRecord } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import {
  ApplyCommitmentsRequestSchema,
  ApplyCommitmentsResponseSchema,
  CommitmentService,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { bearer } from "../../support/processes/raw-call.ts";

const METHOD = `/${CommitmentService.typeName}/${CommitmentService.method.applyCommitments.name}`;
const END_OF_HEAD = "\r\n\r\n";

/**
 * Calls `ApplyCommitments` by the Connect protocol over HTTP/1.1, with a single write for each call. The client must cost little
 * CPU time, because it runs on the machine that is measured.
 */
export class ApplyCaller {
  readonly #address: { readonly host: string; readonly port: number };
  readonly #head: string;
  readonly #sockets = new Set<Socket>();
  readonly #idle: Socket[] = [];

  private constructor({ hostname, port, host }: URL, authorization: string) {
    this.#address = { host: hostname, port: Number(port) };
    const headers = [
      `POST ${METHOD} HTTP/1.1`,
      `Host: ${host}`,
      `Authorization: ${authorization}`,
      "Content-Type: application/proto",
      "Connect-Protocol-Version: 1",
    ];
    this.#head = headers.join("\r\n");
  }

  /** Creates a caller that works until its token expires, which takes some minutes. */
  static async of(url: string, credentials: CallerCredentials): Promise<ApplyCaller> {
    return new ApplyCaller(new URL(url), await bearer(credentials));
  }

  /** Applies one bid. @returns the sale's revision after it */
  async apply(saleUuid: string, requestId: string, bid: CommitmentRecord): Promise<bigint> {
    const message = create(ApplyCommitmentsRequestSchema, { saleUuid, requestId, upserts: [bid] });
    const body = toBinary(ApplyCommitmentsRequestSchema, message);
    const socket = this.#takeIdle() ?? (await this.#connect());
    const head = `${this.#head}\r\nContent-Length: ${body.length}${END_OF_HEAD}`;
    socket.write(Buffer.concat([Buffer.from(head, "latin1"), body]));
    const answer = await answerOn(socket);
    this.#idle.push(socket);
    return fromBinary(ApplyCommitmentsResponseSchema, answer).revision;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** An idle connection that the service hasn't closed, which it does after a minute. */
  #takeIdle(): Socket | undefined {
    let socket = this.#idle.pop();
    while (socket?.destroyed === true) socket = this.#idle.pop();
    return socket;
  }

  async #connect(): Promise<Socket> {
    const socket = connect(this.#address);
    socket.setNoDelay();
    await once(socket, "connect");
    // The service may reset a connection that is idle; then it counts as destroyed.
    socket.on("error", () => {});
    this.#sockets.add(socket);
    return socket;
  }
}

/** Waits for the next response and returns its body. */
function answerOn(socket: Socket): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  let received: Buffer = Buffer.alloc(0);
  const onData = (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const headLength = received.indexOf(END_OF_HEAD);
    if (headLength === -1) return;
    const head = received.toString("latin1", 0, headLength);
    const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1]);
    const body = received.subarray(headLength + END_OF_HEAD.length);
    if (!(body.length >= length)) return;
    socket.off("data", onData).off("close", onClose);
    if (head.startsWith("HTTP/1.1 200")) resolve(body);
    else reject(new Error(`${head}\n${body}`));
  };
  const onClose = () => reject(new Error("the connection was closed"));
  socket.on("data", onData).once("close", onClose);
  return promise;
}

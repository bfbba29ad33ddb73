import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** An answer as received. */
export interface RawAnswer {
  readonly status: number;
  /** Headers by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Sends bytes as they are and reads all answers until the server closes the connection. */
export async function exchange(port: number, request: string | Buffer): Promise<readonly RawAnswer[]> {
  const socket = await openConnection(port);
  socket.write(request);
  return await readAnswers(socket);
}

export async function openConnection(port: number): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port });
  await once(socket, "connect");
  return socket;
}

/** Reads answers of declared length until the server closes the connection. */
export async function readAnswers(socket: Socket): Promise<readonly RawAnswer[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return parseAnswers(Buffer.concat(chunks).toString("latin1"));
}

function parseAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = text;
  while (rest !== "") {
    const head = rest.slice(0, rest.indexOf("\r\n\r\n"));
    const [statusLine = "", ...lines] = head.split("\r\n");
    const headers = new Map(lines.map((line) => splitHeader(line)));
    const start = head.length + 4;
    const end = start + Number(headers.get("content-length") ?? 0);
    answers.push({ status: Number(statusLine.split(" ")[1]), headers, body: rest.slice(start, end) });
    rest = rest.slice(end);
  }
  return answers;
}

function splitHeader(line: string): [name: string, value: string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

// The baseline for the public read: the least that a server on node:http does to answer the same POST with the same bytes.
// BODY_FILE names the file with these bytes, SALE_UUID the sale.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const bodies = new Map([[process.env["SALE_UUID"], readFileSync(process.env["BODY_FILE"] ?? "")]]);

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const { SaleUUID } = JSON.parse(Buffer.concat(chunks).toString());
    const body = bodies.get(SaleUUID);
    if (body === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.length });
    response.end(body);
  });
});

server.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ msg: "bare server listens", port: (server.address() as AddressInfo).port }));
});

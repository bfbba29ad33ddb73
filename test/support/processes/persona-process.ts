import { createServer } from "node:http";
import process from "node:process";
import { personaBody, personaSignature } from "../../../services/entities/testing/persona.ts";

/**
 * Plays Persona as a process: its hosted flow approves or declines, as the parameter `decision` says, whoever opens it, and sends the
 * events of that, each twice and the last one first.
 */
const { CALLBACK_URL = "", SECRETS = "", PORT } = process.env;

async function deliver(body: string): Promise<void> {
  const sets = SECRETS.split(",").map((secret) => personaSignature(body, Date.now(), secret));
  const headers = { "content-type": "application/json", "Persona-Signature": sets.join(" ") };
  const { status } = await fetch(CALLBACK_URL, { method: "POST", headers, body });
  process.stdout.write(`${JSON.parse(body).data.attributes.name} ${status}\n`);
}

const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? "", "http://localhost");
  const handle = searchParams.get("reference-id");
  const now = Date.now();
  const names = ["inquiry.created", "inquiry.started", "inquiry.completed", `inquiry.${searchParams.get("decision")}`];
  const events = names.map((name, index) => personaBody({ name, handle, createdAtMs: now - names.length + index }));
  const deliveries = [...events.toReversed(), ...events];
  deliveries
    .reduce((before, event) => before.then(() => deliver(event)), Promise.resolve())
    .then(() => response.end("done"))
    .catch((error: unknown) => response.writeHead(500).end(String(error)));
});
server.listen(Number(PORT), () => process.stdout.write("vendor listens\n"));

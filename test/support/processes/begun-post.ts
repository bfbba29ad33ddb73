import { once } from "node:events";
import { type ClientRequest, request as httpRequest } from "node:http";

/** Begins to post JSON and waits until the server has asked for the body (RFC 9110, section 10.1.1), which `end` sends. */
export async function beginPost(url: string): Promise<ClientRequest> {
  const headers = { "content-type": "application/json", expect: "100-continue" };
  const request = httpRequest(url, { method: "POST", headers });
  request.flushHeaders();
  await once(request, "continue");
  return request;
}

import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { uploadForm } from "./upload-form.ts";

const BOUNDARY = "----formdata-0123456789abcdef0123";

function fields(count: number): string {
  const parts = Array.from(
    { length: count },
    (_, number) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="f${number}"\r\n\r\n${number}\r\n`,
  );
  return `${parts.join("")}--${BOUNDARY}--\r\n`;
}

function sent(body: string, contentType = `multipart/form-data; boundary=${BOUNDARY}`) {
  const headers = { "content-length": String(body.length) };
  const incoming = Object.assign(Readable.from([Buffer.from(body, "latin1")]), { headers });
  const req = { header: (name: string) => (name === "content-type" ? contentType : undefined) };
  return uploadForm({ req, env: { incoming } } as unknown as AuthContext);
}

describe("uploadForm", () => {
  it.each([`boundary=${BOUNDARY}`, `boundary="${BOUNDARY}"`, `charset=utf-8; boundary=${BOUNDARY};`])(
    "reads a form of eight parts by %s",
    async (parameter) => {
      const form = await sent(fields(8), `multipart/form-data; ${parameter}`);
      expect(form.text("f0")).toBe("0");
      expect(form.text("f7")).toBe("7");
    },
  );

  it.each([9, 3_000])("refuses one of %i parts", async (count) => {
    await expect(sent(fields(count))).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("more than 8 parts"),
    });
  });

  it("counts the parts that are read, whatever else the header names", async () => {
    const contentType = `multipart/form-data; boundary=another; boundary=${BOUNDARY}`;
    await expect(sent(fields(9), contentType)).rejects.toMatchObject({ status: 400 });
  });

  it("refuses a form that says no boundary", async () => {
    await expect(sent(fields(1), "multipart/form-data")).rejects.toMatchObject({ status: 400 });
  });
});

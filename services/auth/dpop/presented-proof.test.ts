import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { testProver } from "../../../common/platform/testing/test-prover.ts";
import { DpopProofSchema } from "../../../proto/gen/tidemark/auth/v1/parameter_pb.ts";
import type { SingleUseJwt } from "../base/used-jwt-ids.ts";
import { DpopNonces } from "./nonces.ts";
import { presentedProof, useProof } from "./presented-proof.ts";

const MINUTE_MS = 60_000n;
const HOUR_S = 3_600;
const NOW_MS = 1_000_000n * MINUTE_MS;
const REQUEST = { method: "POST", uri: "https://auth.example/oauth/token", requestId: "one" };

const { prove } = await testProver();

function noncesAt(state: { readonly nowMs: bigint }): DpopNonces {
  return new DpopNonces({ derivedKeys: { dpopNonce: Buffer.alloc(32, 1) }, clock: () => state.nowMs });
}

// The nonce of the next minute comes from a process whose clock is ahead: it is accepted for longest.
it.each([
  [-HOUR_S, 0n],
  [HOUR_S, 0n],
  [-HOUR_S, MINUTE_MS],
  [HOUR_S, MINUTE_MS],
])(
  "keeps a proof as used while its nonce is accepted, with a clock %i seconds and a nonce %i ms ahead",
  async (iatAhead, nonceAhead) => {
    const state = { nowMs: NOW_MS };
    const dpopNonces = noncesAt(state);
    const nonce = noncesAt({ nowMs: NOW_MS + nonceAhead }).present();
    const iat = Number(NOW_MS / 1_000n) + iatAhead;
    const claims = { htm: REQUEST.method, htu: REQUEST.uri, iat, jti: "one", nonce };
    const dpop = create(DpopProofSchema, { ...REQUEST, proof: await prove(claims) });
    const used: SingleUseJwt[] = [];
    const usedJwtIds = { use: async (jwt: SingleUseJwt) => used.push(jwt) > 0 };
    const proof = presentedProof({ dpopNonces }, dpop);
    await useProof({ clock: () => state.nowMs, usedJwtIds }, proof);
    expect(used).toMatchObject([{ purpose: "dpop_proof", owner: proof.keyThumbprint, jwtId: "one" }]);
    state.nowMs = used[0]?.expiresAtMs ?? 0n;
    expect(() => presentedProof({ dpopNonces }, dpop)).toThrow(expect.objectContaining({ error: "use_dpop_nonce" }));
  },
);

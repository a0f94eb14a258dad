// Requests that change the session, over HTTP because they change the cookie; and what people type for them.

import { t } from "../catalogue/index.js";
import { Refusal } from "../refusal.js";
import { cleanHandle } from "./handles.js";
import { usePasskey } from "./passkeys.js";

/**
 * Send a request over HTTP, and return the reply.
 * @param {string} path @param {object} [body] @param {typeof fetch} [send]
 */
export async function post(path, body = {}, send = fetch) {
  let answer;
  try {
    answer = await send(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  } catch {
    throw new Refusal({ code: "no_connection", sentence: t("account.no_connection") });
  }
  const reply = await answer.json().catch(() => ({}));
  if (answer.ok) return reply;
  throw new Refusal(reply.code ? reply : { code: "failed", sentence: t("account.failed") });
}

/** Sign in with a passkey. @param {Parameters<typeof usePasskey>[1]} [how] */
export async function signInWithPasskey(how) {
  const { options } = await post("/api/session/passkey/begin");
  const credential = await usePasskey(options, how);
  return post("/api/session/passkey", { credential });
}

/** Sign in with a handle and a recovery code. @param {string} handle @param {string} code */
export function signInWithCode(handle, code) {
  return post("/api/session/recovery", { handle: cleanHandle(handle), code: cleanCode(code) });
}

/** Return a recovery code in its groups, however it was typed. @param {string} typed */
export function cleanCode(typed) {
  const letters = typed.toUpperCase().replace(/[^A-Z0-9]/g, "");
  return letters.match(/.{1,4}/g)?.join("-") ?? "";
}

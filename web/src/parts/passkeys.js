// Passkeys in the browser (WebAuthn): making one, and signing in with one. Browsers without the conversions from and to
// JSON get our own. What went wrong becomes one sentence; nothing else of a browser's error is shown.

import { t } from "../catalogue/index.js";

/** What went wrong, as a sentence. The code `cancelled` means that the person closed the browser's dialog. */
export class PasskeyTrouble extends Error {
  /** @param {string} code */
  constructor(code) {
    super(t(`passkey.trouble.${code}`));
    this.code = code;
  }
}

/** Return bytes as base64url without padding. @param {ArrayBuffer} bytes */
export function toBase64url(bytes) {
  const text = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Return the bytes of a text in base64url. @param {string} text */
export function fromBase64url(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

/** Return whether this browser can make passkeys on this page. */
export function canUsePasskeys() {
  return globalThis.isSecureContext !== false && typeof globalThis.PublicKeyCredential === "function" && Boolean(globalThis.navigator?.credentials?.create);
}

/** @param {{id: string}[] | undefined} descriptors */
function descriptorsOf(descriptors) {
  return descriptors?.map((each) => ({ ...each, id: fromBase64url(each.id) }));
}

/** Return the options of `navigator.credentials.create` from their JSON. @param {any} options @returns {any} */
export function creationOptions(options) {
  const parse = globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON;
  if (parse) return parse.call(globalThis.PublicKeyCredential, options);
  return {
    ...options,
    challenge: fromBase64url(options.challenge),
    user: { ...options.user, id: fromBase64url(options.user.id) },
    excludeCredentials: descriptorsOf(options.excludeCredentials),
  };
}

/** Return the options of `navigator.credentials.get` from their JSON. @param {any} options @returns {any} */
export function requestOptions(options) {
  const parse = globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON;
  if (parse) return parse.call(globalThis.PublicKeyCredential, options);
  return { ...options, challenge: fromBase64url(options.challenge), allowCredentials: descriptorsOf(options.allowCredentials) };
}

/** The binary fields of both kinds of responses. */
const BINARY = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"];

/** Return a credential as JSON. @param {any} credential */
export function credentialJson(credential) {
  if (typeof credential.toJSON === "function") return credential.toJSON();
  const { response } = credential;
  const fields = BINARY.filter((name) => response[name]).map((name) => [name, toBase64url(response[name])]);
  const transports = response.getTransports?.();
  return {
    id: credential.id,
    rawId: toBase64url(credential.rawId),
    type: credential.type,
    response: { ...Object.fromEntries(fields), ...(transports ? { transports } : {}) },
    clientExtensionResults: credential.getClientExtensionResults?.() ?? {},
    ...(credential.authenticatorAttachment ? { authenticatorAttachment: credential.authenticatorAttachment } : {}),
  };
}

/** Codes of the errors that browsers throw. Everything else has failed. @type {Record<string, string>} */
const TROUBLES = {
  NotAllowedError: "cancelled",
  AbortError: "cancelled",
  InvalidStateError: "known",
  NotSupportedError: "unsupported",
  ConstraintError: "unsupported",
  SecurityError: "address",
};

/** Return the code of an error of the browser. @param {unknown} error */
export function troubleOf(error) {
  return TROUBLES[/** @type {{name?: string}} */ (error)?.name ?? ""] ?? "failed";
}

/** @param {() => Promise<Credential | null>} ask */
async function asked(ask) {
  if (!canUsePasskeys()) throw new PasskeyTrouble("unsupported");
  let credential;
  try {
    credential = await ask();
  } catch (error) {
    throw new PasskeyTrouble(troubleOf(error));
  }
  if (!credential) throw new PasskeyTrouble("failed");
  return credentialJson(credential);
}

/** Let the browser make a passkey, and return it as JSON. @param {any} options JSON of the server */
export function makePasskey(options) {
  return asked(() => navigator.credentials.create({ publicKey: creationOptions(options) }));
}

/**
 * Let the browser sign with a passkey, and return the signature as JSON.
 * @param {any} options JSON of the server
 * @param {{signal?: AbortSignal, isOffered?: boolean}} [how] `isOffered`: the browser offers passkeys in the list of a
 *   text field, and opens no dialog
 */
export function usePasskey(options, { signal, isOffered = false } = {}) {
  const mediation = /** @type {{mediation?: CredentialMediationRequirement}} */ (isOffered ? { mediation: "conditional" } : {});
  return asked(() => navigator.credentials.get({ publicKey: requestOptions(options), signal, ...mediation }));
}

/** Return whether the browser can offer passkeys in the list of a text field. */
export async function canOfferPasskeys() {
  try {
    return canUsePasskeys() && Boolean(await globalThis.PublicKeyCredential.isConditionalMediationAvailable?.());
  } catch {
    return false;
  }
}

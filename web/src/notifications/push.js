// The push subscription of this browser: messages that reach it while the page is closed. The server encrypts them for
// this browser; the service worker shows them.

import { signal } from "@preact/signals";
import { deviceName } from "../parts/device-name.js";
import { zoneHere } from "../parts/figures.js";
import { notifications, permission } from "../parts/your-move.js";
import { deviceStorage } from "../storage.js";

/** The user for whom this browser is subscribed. */
const SUBSCRIBED = "push";

/** Whether the browser can get messages while the page is closed. On phones of Apple only an installed page can. */
export const canPush = () => Boolean(globalThis.PushManager && globalThis.Notification && navigator.serviceWorker);

/** The id of this browser's contact at the server; null if there is none. @type {import("@preact/signals").Signal<string | null>} */
export const ownContact = signal(null);

/** Return what an endpoint is called at the server. @param {string} endpoint */
export async function contactId(endpoint) {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
  const hex = [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `push-${hex.slice(0, 16)}`;
}

/** Return a binary value as base64url. @param {ArrayBuffer | null} value */
function base64url(value) {
  const bytes = String.fromCharCode(...new Uint8Array(value ?? new ArrayBuffer(0)));
  return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Return the bytes of a base64url text. @param {string} text */
function bytesOf(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}

async function currentSubscription() {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager?.getSubscription()) ?? null;
}

/** Find out whether this browser is subscribed. */
export async function readSubscription() {
  if (!canPush()) return;
  const subscription = await currentSubscription().catch(() => null);
  ownContact.value = subscription && (await contactId(subscription.endpoint));
}

/** Tell the server where this browser gets messages. @param {import("../socket.js").Socket} socket @param {PushSubscription} subscription @param {string} user */
async function register(socket, subscription, user) {
  const { contact } = await socket.request({
    type: "add_push",
    endpoint: subscription.endpoint,
    key: base64url(subscription.getKey("p256dh")),
    secret: base64url(subscription.getKey("auth")),
    name: deviceName(),
    zone: zoneHere(),
  });
  deviceStorage.set(SUBSCRIBED, `${user} ${subscription.endpoint}`);
  ownContact.value = contact;
}

/**
 * Subscribe this browser, after a click that said why. Returns whether the visitor and the browser allow it.
 * @param {import("../socket.js").Socket} socket @param {string} key of the server @param {string} user
 */
export async function subscribe(socket, key, user) {
  permission.value = await Notification.requestPermission();
  if (permission.value !== "granted") return false;
  const { pushManager } = await navigator.serviceWorker.ready;
  const applicationServerKey = bytesOf(key);
  // A subscription with the key of another server, which was here before, is in the way.
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }).catch(async (reason) => {
    if (reason.name !== "InvalidStateError") throw reason;
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  });
  await register(socket, subscription, user);
  // A page that is open, but hidden, need not wait for the server.
  notifications.value = "on";
  return true;
}

/** End the subscription of this browser. */
export async function unsubscribe() {
  deviceStorage.remove(SUBSCRIBED);
  await (await currentSubscription().catch(() => null))?.unsubscribe();
  ownContact.value = null;
}

/** Return whether this browser may be subscribed, for whomever. */
export const mayBeSubscribed = () => deviceStorage.get(SUBSCRIBED) !== null;

/**
 * Keep the subscription right when the page opens: browsers renew it now and then, and it must not outlast its user.
 * @param {import("../socket.js").Socket} socket @param {string} user
 */
export async function keepSubscription(socket, user) {
  const [owner, endpoint] = (deviceStorage.get(SUBSCRIBED) ?? "").split(" ");
  if (!owner) return;
  if (owner !== user) return unsubscribe();
  const subscription = await currentSubscription();
  if (subscription && subscription.endpoint !== endpoint) await register(socket, subscription, user);
}

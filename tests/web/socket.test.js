import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { decode, encode } from "@msgpack/msgpack";
import { reconnectDelay, closeReaction, Refusal, Socket } from "../../web/src/socket.js";

/** A websocket that only remembers. */
class Wire {
  readyState = 1;
  sent = [];
  send(bytes) {
    this.sent.push(decode(bytes));
  }
  close() {
    this.readyState = 3;
  }
  /** Let the server say something. */
  say(message) {
    this.onmessage({ data: encode(message) });
  }
  /** Let the connection end. */
  end(code) {
    this.readyState = 3;
    this.onclose({ code });
  }
}

/** A socket with the wires it opened, the states it went through and the messages it passed on. */
async function connected() {
  const wires = [];
  const states = [];
  const heard = [];
  const slow = [];
  const socket = new Socket({
    url: async () => "ws://nowhere/socket",
    onMessage: (message) => heard.push(message.type),
    onState: (state) => states.push(state),
    onSlow: (isSlow) => slow.push(isSlow),
    open: () => wires[wires.push(new Wire()) - 1],
  });
  await socket.connect();
  wires[0].say({ type: "welcome" });
  return { socket, wires, states, heard, slow };
}

test("reconnectDelay grows to eight seconds and is spread", () => {
  assert.deepEqual([0, 1, 2, 3, 4, 5, 20].map((attempts) => reconnectDelay(attempts, 1)), [500, 1000, 2000, 4000, 8000, 8000, 8000]);
  assert.equal(reconnectDelay(0, 0), 250);
});

test("how a connection ended says what to do", () => {
  const reactions = { 4426: "reload", 4001: "stop", 4003: "stop", 1001: "again", 1012: "again", 4008: "again", 1006: "later" };
  for (const [code, reaction] of Object.entries(reactions)) assert.equal(closeReaction(Number(code)), reaction, code);
});

test("an answer keeps the promise of its request, and only of that", async () => {
  const { socket, wires, heard } = await connected();
  const [first, second] = [socket.request({ type: "ping" }), socket.request({ type: "start", table: "abcd" })];
  const [ping, start] = wires[0].sent;
  assert.notEqual(ping.id, start.id);
  wires[0].say({ type: "refused", id: start.id, code: "not_ready", sentence: "Somebody is not ready." });
  wires[0].say({ type: "done", id: ping.id, result: { pong: true } });
  assert.deepEqual(await first, { pong: true });
  await assert.rejects(second, (refusal) => refusal instanceof Refusal && refusal.code === "not_ready");
  assert.deepEqual(heard, ["welcome"]);
});

test("what is asked because of a welcome is sent once, and before what was not answered", async () => {
  const { socket, wires } = await connected();
  socket.request({ type: "start", table: "abcd" });
  socket.onMessage = () => socket.request({ type: "watch", table: "abcd" });
  await socket.connect();
  wires[1].say({ type: "welcome" });
  assert.deepEqual(wires[1].sent.map(({ type }) => type), ["watch", "start"]);
});

test("a server that keeps us waiting is noticed, until the last answer is there", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { socket, wires, slow } = await connected();
  const promises = [socket.request({ type: "start", table: "abcd" }), socket.request({ type: "ping" })];
  mock.timers.tick(2000);
  assert.deepEqual(slow, []);
  mock.timers.tick(1000);
  mock.timers.reset();
  assert.deepEqual(slow, [true, true]);
  for (const { id } of wires[0].sent) wires[0].say({ type: "done", id, result: null });
  await Promise.all(promises);
  assert.deepEqual(slow, [true, true, false]);
});

test("what was not answered is sent again with the same id after the connection is back", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { socket, wires, states } = await connected();
  const promise = socket.request({ type: "ping" });
  wires[0].end(1006);
  const unsent = socket.request({ type: "start", table: "abcd" });
  mock.timers.tick(8000);
  mock.timers.reset();
  await new Promise(setImmediate);
  wires[1].say({ type: "welcome" });
  assert.deepEqual(states, ["connecting", "open", "lost", "connecting", "open"]);
  assert.deepEqual(wires[1].sent.map(({ type }) => type), ["ping", "start"]);
  assert.equal(wires[1].sent[0].id, wires[0].sent[0].id);
  for (const { id } of wires[1].sent) wires[1].say({ type: "done", id, result: null });
  assert.deepEqual(await Promise.all([promise, unsent]), [null, null]);
});

test("a session that was ended elsewhere does not come back", async () => {
  const { socket, wires, states } = await connected();
  wires[0].end(4001);
  socket.reconnectNow();
  assert.equal(states.at(-1), "stopped");
  assert.equal(wires.length, 1);
});

test("a connection that has gone silent is left", async () => {
  const { socket, wires, states } = await connected();
  socket.lastReceivedAt = Date.now() - 5000;
  socket.checkHeartbeat();
  assert.equal(wires[0].sent.at(-1).type, "ping");
  socket.lastReceivedAt = Date.now() - 11000;
  socket.checkHeartbeat();
  assert.equal(states.at(-1), "lost");
  clearTimeout(socket.timer);
});

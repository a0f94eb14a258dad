import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { decode, encode } from "@msgpack/msgpack";
import { Refusal } from "../../web/src/refusal.js";
import { closeReaction, pingAfterRest, reconnectDelay, Socket } from "../../web/src/socket.js";

/** A WebSocket that records what is sent. */
class FakeWebSocket {
  readyState = 1;
  sent = [];
  send(bytes) {
    this.sent.push(decode(bytes));
  }
  close() {
    this.readyState = 3;
  }
  /** Deliver a message from the server. */
  deliver(message) {
    this.onmessage({ data: encode(message) });
  }
  /** Close the connection. */
  closeWith(code) {
    this.readyState = 3;
    this.onclose({ code });
  }
}

/** Return a connected socket with its WebSockets, its states, and the messages it passed on. */
async function connectedSocket({ isUrgent = () => false } = {}) {
  const sockets = [];
  const states = [];
  const received = [];
  const slow = [];
  const socket = new Socket({
    url: async () => "ws://nowhere/socket",
    onMessage: (message) => received.push(message.type),
    onState: (state) => states.push(state),
    onSlow: (isSlow) => slow.push(isSlow),
    isUrgent,
    open: () => sockets[sockets.push(new FakeWebSocket()) - 1],
  });
  await socket.connect();
  sockets[0].deliver({ type: "welcome" });
  return { socket, sockets, states, received, slow };
}

test("the reconnect delay grows to eight seconds, with jitter", () => {
  assert.deepEqual([0, 1, 2, 3, 4, 7, 20].map((attempts) => reconnectDelay(attempts, 1)), [500, 750, 1125, 1687.5, 2531.25, 8000, 8000]);
  assert.equal(reconnectDelay(0, 0), 250);
});

test("a page that was waiting during an outage is back after half of it again, or eight seconds", () => {
  for (const outage of [1000, 2000, 3600, 5000, 10000, 60000]) {
    for (const chance of [0, 0.3, 0.7, 1]) {
      let now = 0;
      for (let attempts = 0; now < outage; attempts += 1) now += reconnectDelay(attempts, chance);
      assert.ok(now - outage <= Math.min(8000, Math.max(750, outage / 2 + 500)), `${outage} ${chance} ${now}`);
    }
  }
});

test("a refused session request is repeated until it succeeds, at least every eight seconds", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    let asked = 0;
    const opened = [];
    const socket = new Socket({
      // As when the address has created too many guests: status 429.
      url: async () => {
        asked += 1;
        if (asked <= 20) throw new Error("no session");
        return "ws://nowhere/socket";
      },
      onMessage: () => {},
      onState: () => {},
      open: (url) => opened[opened.push(Object.assign(new FakeWebSocket(), { url })) - 1],
    });
    await socket.connect();
    for (let expected = 2; expected <= 21; expected += 1) {
      mock.timers.tick(8000);
      await new Promise(setImmediate);
      assert.equal(asked, expected);
    }
    assert.equal(opened.length, 1);
  } finally {
    mock.timers.reset();
  }
});

test("the close code determines the reaction", () => {
  const reactions = { 4426: "reload", 4001: "stop", 4003: "stop", 1001: "again", 1012: "again", 4008: "again", 1006: "later" };
  for (const [code, reaction] of Object.entries(reactions)) assert.equal(closeReaction(Number(code)), reaction, code);
});

test("a reply settles the promise of its own request only", async () => {
  const { socket, sockets, received } = await connectedSocket();
  const [first, second] = [socket.request({ type: "ping" }), socket.request({ type: "start", table: "abcd" })];
  const [ping, start] = sockets[0].sent;
  assert.notEqual(ping.id, start.id);
  sockets[0].deliver({ type: "refused", id: start.id, code: "not_ready", sentence: "Somebody is not ready." });
  sockets[0].deliver({ type: "done", id: ping.id, result: { pong: true } });
  assert.deepEqual(await first, { pong: true });
  await assert.rejects(second, (refusal) => refusal instanceof Refusal && refusal.code === "not_ready");
  assert.deepEqual(received, ["welcome"]);
});

test("a request made during the welcome is sent once, before unanswered ones", async () => {
  const { socket, sockets } = await connectedSocket();
  socket.request({ type: "start", table: "abcd" });
  socket.onMessage = () => socket.request({ type: "watch", table: "abcd" });
  await socket.connect();
  sockets[1].deliver({ type: "welcome" });
  assert.deepEqual(sockets[1].sent.map(({ type }) => type), ["watch", "start"]);
});

test("overdue replies are reported until the last one arrives", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { socket, sockets, slow } = await connectedSocket();
  const promises = [socket.request({ type: "start", table: "abcd" }), socket.request({ type: "ping" })];
  mock.timers.tick(2000);
  assert.deepEqual(slow, []);
  mock.timers.tick(1000);
  mock.timers.reset();
  assert.deepEqual(slow, [true, true]);
  for (const { id } of sockets[0].sent) sockets[0].deliver({ type: "done", id, result: null });
  await Promise.all(promises);
  assert.deepEqual(slow, [true, true, false]);
});

test("unanswered requests are resent with the same id after a reconnect", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { socket, sockets, states } = await connectedSocket();
  const promise = socket.request({ type: "ping" });
  sockets[0].closeWith(1006);
  const unsent = socket.request({ type: "start", table: "abcd" });
  mock.timers.tick(8000);
  mock.timers.reset();
  await new Promise(setImmediate);
  sockets[1].deliver({ type: "welcome" });
  assert.deepEqual(states, ["connecting", "open", "lost", "connecting", "open"]);
  assert.deepEqual(sockets[1].sent.map(({ type }) => type), ["ping", "start"]);
  assert.equal(sockets[1].sent[0].id, sockets[0].sent[0].id);
  for (const { id } of sockets[1].sent) sockets[1].deliver({ type: "done", id, result: null });
  assert.deepEqual(await Promise.all([promise, unsent]), [null, null]);
});

test("a session that was ended elsewhere does not reconnect", async () => {
  const { socket, sockets, states } = await connectedSocket();
  sockets[0].closeWith(4001);
  socket.reconnectNow();
  assert.equal(states.at(-1), "stopped");
  assert.equal(sockets.length, 1);
});

/** Run a connected socket for some milliseconds of a fake clock, with its heartbeat checked as in a page. */
async function withHeartbeat(options, run) {
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"] });
  try {
    const connected = await connectedSocket(options);
    setInterval(() => connected.socket.checkHeartbeat(), 250);
    const pings = () => connected.sockets.flatMap(({ sent }) => sent).filter(({ type }) => type === "ping");
    const pass = (milliseconds) => {
      for (let passed = 0; passed < milliseconds; passed += 250) mock.timers.tick(250);
    };
    await run({ ...connected, pings, pass });
  } finally {
    mock.timers.reset();
  }
}

test("a silent connection is noticed within three seconds after an act, and abandoned much later", () =>
  withHeartbeat({}, ({ socket, states, pings, pass }) => {
    pass(5000);
    assert.equal(pings().length, 0);
    socket.noteAct();
    pass(1500);
    assert.equal(pings().length, 1);
    assert.equal(states.at(-1), "open");
    pass(1250);
    assert.equal(states.at(-1), "silent");
    pass(7000);
    assert.equal(states.at(-1), "silent");
    pass(2000);
    assert.ok(states.includes("lost"));
    assert.equal(pings().length, 1);
  }));

test("a request without a reply is an act", () =>
  withHeartbeat({}, ({ socket, states, pings, pass }) => {
    socket.request({ type: "start", table: "abcd" });
    pass(1500);
    assert.equal(pings().length, 1);
    pass(1250);
    assert.equal(states.at(-1), "silent");
  }));

test("whoever keeps typing has the connection checked from the first key on", () =>
  withHeartbeat({}, ({ socket, pings, pass }) => {
    for (let keys = 0; keys < 6; keys += 1) {
      socket.noteAct();
      pass(250);
    }
    assert.equal(pings().length, 1);
  }));

test("an act that something followed needs no ping", () =>
  withHeartbeat({}, ({ socket, sockets, pings, pass }) => {
    for (let move = 0; move < 20; move += 1) {
      socket.noteAct();
      pass(1250);
      sockets[0].deliver({ type: "update" });
      pass(1250);
    }
    assert.equal(pings().length, 0);
  }));

test("while a clock runs out, pings are frequent", () =>
  withHeartbeat({ isUrgent: () => true }, ({ sockets, pings, pass }) => {
    for (let ping = 1; ping <= 5; ping += 1) {
      pass(1750);
      assert.equal(pings().length, ping);
      sockets[0].deliver({ type: "done", id: pings().at(-1).id, result: null });
    }
  }));

test("an answer ends the silence, and a slow network is given time", () =>
  withHeartbeat({}, ({ socket, sockets, states, pings, pass }) => {
    socket.noteAct();
    pass(3000);
    assert.equal(states.at(-1), "silent");
    sockets[0].deliver({ type: "done", id: pings()[0].id, result: null });
    assert.equal(states.at(-1), "open");
    // That ping took 1.5 s, so the next may take 3 s.
    socket.noteAct();
    pass(1500);
    assert.equal(pings().length, 2);
    pass(2750);
    assert.equal(states.at(-1), "open");
    pass(500);
    assert.equal(states.at(-1), "silent");
  }));

test("messages of the server are as good as answers", () =>
  withHeartbeat({}, ({ sockets, states, pings, pass }) => {
    for (let message = 0; message < 10; message += 1) {
      pass(21000);
      sockets[0].deliver({ type: "alive" });
    }
    assert.equal(pings().length, 0);
    assert.deepEqual(states, ["connecting", "open"]);
  }));

test("a page at rest that hears nothing pings rarely, and not at the same moment as others", () =>
  withHeartbeat({}, ({ sockets, pings, pass }) => {
    assert.deepEqual([0, 0.5, 1].map(pingAfterRest), [25000, 30000, 35000]);
    for (let ping = 1; ping <= 20; ping += 1) {
      pass(24750);
      assert.equal(pings().length, ping - 1);
      for (let passed = 24750; passed <= 35000 && pings().length < ping; passed += 250) pass(250);
      assert.equal(pings().length, ping);
      sockets[0].deliver({ type: "done", id: pings().at(-1).id, result: null });
    }
  }));

test("the loss of the browser's network shows at once, and a page that is online again checks at once", () =>
  withHeartbeat({}, ({ socket, sockets, states, pings }) => {
    socket.noteOffline();
    assert.equal(states.at(-1), "silent");
    socket.reconnectNow();
    assert.equal(pings().length, 1);
    sockets[0].deliver({ type: "done", id: pings()[0].id, result: null });
    assert.equal(states.at(-1), "open");
  }));

test("a device that slept gives the connection another chance", () =>
  withHeartbeat({}, ({ socket, states, pings, pass }) => {
    socket.noteAct();
    pass(1500);
    assert.equal(pings().length, 1);
    mock.timers.setTime(Date.now() + 3600_000);
    pass(1000);
    assert.equal(states.at(-1), "open");
    pass(500);
    assert.equal(states.at(-1), "silent");
  }));

test("a device that slept has its connection checked at once", () =>
  withHeartbeat({}, ({ pings, pass }) => {
    mock.timers.setTime(Date.now() + 8000);
    pass(250);
    assert.equal(pings().length, 1);
  }));

test("a ping is not repeated on the next connection", () =>
  withHeartbeat({}, async ({ socket, sockets, pass }) => {
    socket.noteAct();
    pass(1500);
    assert.equal(sockets[0].sent.length, 1);
    sockets[0].closeWith(1006);
    await socket.connect();
    sockets[1].deliver({ type: "welcome" });
    assert.deepEqual(sockets[1].sent, []);
  }));

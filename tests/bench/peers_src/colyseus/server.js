// Colyseus: a room for each table, whose updates are broadcast as messages, not as patches of a schema every 50 ms.

const { Server, Room } = require("@colyseus/core");
const { WebSocketTransport } = require("@colyseus/ws-transport");
const { Marks } = require("./marks.js");

const PADDING = ".".repeat(120);
const EMPTY_MILLISECONDS = 5000;

class Table extends Room {
  onCreate() {
    this.maxClients = 10000;
    this.autoDispose = false;
    this.setPatchRate(null); // there is no schema whose changes would have to be looked for
    this.game = new Marks();
    this.onMessage("move", (client, message) => {
      const told = this.game.move(client.userData.seat, message.place);
      if (told === null) return client.leave(4000);
      this.broadcast("update", { ...told, padding: PADDING });
    });
  }

  onJoin(client, options) {
    client.userData = { seat: options.seat };
    client.send("view", this.game.view());
  }

  // A table outlives a hiccup of the network, though not for long.
  onLeave() {
    if (this.clients.length > 0) return;
    setTimeout(() => this.clients.length > 0 || this.disconnect(), EMPTY_MILLISECONDS);
  }
}

const server = new Server({ greet: false, transport: new WebSocketTransport({ pingInterval: 20000 }) });
server.define("table", Table);
server.listen(0, "127.0.0.1", 4096).then(() => {
  console.log(`http://127.0.0.1:${server.transport.server.address().port}`);
});

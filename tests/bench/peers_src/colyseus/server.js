// Colyseus: a room for each table, whose updates are broadcast as messages, not as patches of a schema every 50 ms.

const { Server, Room, matchMaker } = require("@colyseus/core");
const { WebSocketTransport } = require("@colyseus/ws-transport");
const { Marks } = require("./marks.js");

const PADDING = ".".repeat(120);

class Table extends Room {
  onCreate() {
    this.maxClients = 10000;
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
}

const server = new Server({ greet: false, transport: new WebSocketTransport({ pingInterval: 20000 }) });
server.define("table", Table);
server.listen(0, "127.0.0.1", 4096).then(() => {
  console.log(`http://127.0.0.1:${server.transport.server.address().port}`);
});

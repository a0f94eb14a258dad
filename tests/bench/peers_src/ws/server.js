// Plain `ws`: the path says who sits where, and each message is encoded once and sent to every viewer.

const { WebSocketServer } = require("ws");
const { Marks } = require("./marks.js");

const PADDING = ".".repeat(90);
const tables = new Map();

function tableNamed(name) {
  let table = tables.get(name);
  if (table === undefined) {
    table = { game: new Marks(), viewers: new Set() };
    tables.set(name, table);
  }
  return table;
}

const server = new WebSocketServer({ host: "127.0.0.1", port: 0, backlog: 4096, perMessageDeflate: false });

server.on("connection", (socket, request) => {
  const [, name, seat] = request.url.split("/");
  const table = tableNamed(name);
  table.viewers.add(socket);
  socket.on("close", () => table.viewers.delete(socket));
  socket.on("message", (data) => {
    const told = table.game.move(Number(seat), JSON.parse(data).place);
    if (told === null) return socket.close(1008);
    const update = Buffer.from(`update${JSON.stringify({ ...told, padding: PADDING })}`);
    for (const viewer of table.viewers) viewer.send(update);
  });
  socket.send(Buffer.from(`view${JSON.stringify(table.game.view())}`));
});

server.on("listening", () => console.log(`http://127.0.0.1:${server.address().port}`));

// boardgame.io: its own server, transport and storage in memory, with the smallest game that it can be given.

const { Server } = require("boardgame.io/server");

const PLACES = 8;

const game = {
  name: "marks",
  disableUndo: true,
  minPlayers: 4,
  maxPlayers: 4,
  setup: () => ({ places: new Array(PLACES).fill(0) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    putMark: ({ G }, place) => {
      if (!Number.isInteger(place) || place < 0 || place >= PLACES) return "INVALID_MOVE";
      G.places[place] += 1;
    },
  },
};

const server = Server({ games: [game], origins: [/127\.0\.0\.1/] });
server.run({ port: 0, callback: () => {} }).then(({ appServer }) => {
  console.log(`http://127.0.0.1:${appServer.address().port}`);
});

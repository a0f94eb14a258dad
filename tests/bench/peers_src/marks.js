// The trivial game of tests/bench/trivial_game.py, for servers that bring no rules of their own: seats put a mark on one
// of a few places by turns. What happened and how it stands is an update of about 220 bytes.

const SEATS = 4;
const PLACES = 8;

class Marks {
  constructor() {
    this.places = new Array(PLACES).fill(0);
    this.turn = 0;
    this.number = 0;
  }

  // Gives what all viewers are told of the move, or null if it is not legal.
  move(seat, place) {
    if (seat !== this.turn || !Number.isInteger(place) || place < 0 || place >= PLACES) return null;
    this.places[place] += 1;
    this.turn = (this.turn + 1) % SEATS;
    this.number += 1;
    return {
      number: this.number,
      events: [{ event: "mark_put", seat, place, marks: this.places[place] }],
      places: this.places,
      turn: this.turn,
    };
  }

  view() {
    return { number: this.number, places: this.places, turn: this.turn };
  }
}

module.exports = { Marks };

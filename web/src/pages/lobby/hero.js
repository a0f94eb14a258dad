// The top of the lobby: start a game against bots, or with other people who are waiting.

import { t } from "../../catalogue/index.js";
import { Icon, Symbol } from "../../parts/art.js";
import { preferredStrength, StrengthChoice, strengthsOf } from "../../parts/bots.js";
import { useRequest } from "../../parts/use-request.js";
import { strength as preferred } from "../../parts/preferences.js";

/** @typedef {import("../../main.js").PageProps} PageProps */
/** @typedef {import("../../socket.js").Socket} Socket */

/**
 * Create a table, fill it with bots, start the game, and return the table's id.
 * @param {Socket} socket @param {any} game @returns {Promise<string>}
 */
async function playNow(socket, game) {
  const seats = game.seats.includes(4) ? 4 : game.seats.at(-1);
  const { table } = await socket.request({
    type: "create_table",
    settings: { game: game.name, seats, private: true, absence_seconds: null },
  });
  const strength = preferredStrength(game);
  await socket.request({ type: "fill_with_bots", table, ...(strength ? { strength } : {}) });
  await socket.request({ type: "start", table });
  return table;
}

/** @param {PageProps & {game: string, setGame: (game: string) => void}} props */
export function Hero({ store, socket, navigate, game, setGame }) {
  const [run, { isBusy, refusal }] = useRequest();
  const chosen = store.games.value.find((each) => each.name === game) ?? store.games.value[0];
  return (
    <section class="hero card" aria-labelledby="hero-title">
      <div class="hero-text">
        <h1 id="hero-title">{t("lobby.title")}</h1>
        <p class="muted">{t("lobby.subtitle")}</p>
        <GameChoice games={store.games.value} game={game} setGame={setGame} />
        <div class="hero-actions">
          <button
            class="primary big"
            disabled={isBusy || !chosen}
            onClick={() => run(async () => navigate(`/t/${await playNow(socket, chosen)}`))}
          >
            <Icon name="play" />
            {t(isBusy ? "lobby.setting_up" : "lobby.play_now")}
          </button>
          <button
            class="big"
            disabled={isBusy || !chosen}
            onClick={() =>
              run(async () => navigate(`/t/${(await socket.request({ type: "quick_match", game: chosen.name })).table}`))
            }
          >
            <Icon name="bolt" />
            {t("lobby.quick_match")}
          </button>
        </div>
        <StrengthChoice
          strengths={strengthsOf(chosen)}
          value={preferredStrength(chosen)}
          onChange={(strength) => (preferred.value = strength)}
          label={t("bot.play")}
        />
        {refusal && (
          <p class="error" role="alert">
            {refusal}
          </p>
        )}
      </div>
      <Skyline />
    </section>
  );
}

/** The houses of the skyline from west to east: symbol, x and size. @type {[string, number, number][]} */
const HOUSES = [
  ["office-ruin", 446, 64],
  ["villa-built", 514, 66],
  ["hall-built", 582, 106],
  ["office-built", 690, 78],
  ["leisure-ruin", 768, 62],
];

function Skyline() {
  return (
    <svg class="skyline" viewBox="0 0 832 254" preserveAspectRatio="xMaxYMax slice" aria-hidden="true">
      <circle cx="752" cy="76" r="40" class="sun" />
      <path class="hill hill-far" d="M420 240C500 140 600 130 680 160S780 150 832 152V254H420z" />
      <path class="hill" d="M330 240C400 190 470 206 560 198S760 186 832 204V254H330z" />
      <g class="skyline-houses">
        {HOUSES.map(([name, x, size]) => (
          <PlacedSymbol key={name} name={name} x={x} y={239 - size} size={size} />
        ))}
      </g>
      <path class="sea" d="M0 240c140-8 280 6 420 0s280-6 412 0v14H0z" />
      <path class="waves" d="M420 247c8-4 8 4 16 0s8 4 12 0M520 249c8-4 8 4 16 0s8 4 12 0M640 247c8-4 8 4 16 0s8 4 12 0" />
    </svg>
  );
}

/** @param {{name: string, x: number, y: number, size: number}} props */
function PlacedSymbol({ name, x, y, size }) {
  return (
    <svg x={x} y={y} width={size} height={size}>
      <Symbol name={name} width={size} />
    </svg>
  );
}

/** @param {{games: any[], game: string, setGame: (game: string) => void}} props */
function GameChoice({ games, game, setGame }) {
  return (
    <div class="segmented" role="group" aria-label={t("lobby.game")}>
      {games.map(({ name }) => (
        <button key={name} type="button" aria-pressed={name === game} onClick={() => setGame(name)}>
          {t(`game.${name}`)}
        </button>
      ))}
    </div>
  );
}

// Beside a ranking: the first three on houses, where the visitor stands, and how ratings work.

import { t } from "../../catalogue/index.js";
import { Bold } from "../../parts/bold.js";
import { Face } from "../../parts/face.js";
import { changeText, numberText, ordinalText } from "../../parts/figures.js";
import { PersonName } from "../../parts/person-name.js";
import { useAnswer } from "../../parts/use-answer.js";
import "../../style/hills.css";

/** @typedef {import("./ranking-table.js").RankedPerson} RankedPerson */

/** The houses from left to right: the place that stands on it, its left edge, its roof, and the colours of wall and roof. */
const HOUSES = [
  { place: 2, x: 36, roof: 122, wall: "var(--b-bank)", edge: "#8FA79C" },
  { place: 1, x: 151, roof: 82, wall: "var(--b-hall)", edge: "#C9962A" },
  { place: 3, x: 266, roof: 148, wall: "var(--b-factory)", edge: "#C58A70" },
];
const GROUND = 232;
const HOUSE = 104;

/** @param {{x: number, roof: number, wall: string, edge: string, rank: number | null}} props */
function House({ x, roof, wall, edge, rank }) {
  const rows = Math.floor((GROUND - roof - 52) / 27);
  return (
    <g>
      <rect x={x} y={roof + 6} width={HOUSE} height={GROUND - roof - 6} fill={wall} />
      <rect x={x + HOUSE * 0.68} y={roof + 6} width={HOUSE * 0.32} height={GROUND - roof - 6} fill="#1E2A36" opacity=".1" />
      <rect x={x - 4} y={roof} width={HOUSE + 8} height="10" rx="2" fill={edge} />
      {Array.from({ length: rows * 3 }, (_, index) => (
        <rect
          key={index}
          class="podium-window"
          x={x + 16 + (index % 3) * 26}
          y={roof + 52 + Math.floor(index / 3) * 27}
          width="12"
          height="16"
          rx="2"
        />
      ))}
      <circle cx={x + HOUSE / 2} cy={roof + 30} r="13" fill="#FBF8F1" stroke={edge} stroke-width="1.600" />
      <text x={x + HOUSE / 2} y={roof + 36} text-anchor="middle">
        {rank}
      </text>
    </g>
  );
}

/** @param {{rows: RankedPerson[], period: string}} props the first three; two of them may have the same rank */
export function Podium({ rows, period }) {
  return (
    <section class="card podium" aria-label={t("rankings.podium")}>
      <div class="podium-scene" aria-hidden="true">
        <svg viewBox="0 0 406 254">
          <circle cx="64" cy="52" r="24" class="podium-sun" />
          <path d="M0 254V160c60-34 120-20 180-10s120-40 226-8v112z" class="hill-far" />
          <path d="M0 254V196c80-20 180-4 240-10s100-14 166-2v70z" class="hill-near" />
          {HOUSES.map(({ place, ...house }) => (
            <House key={place} {...house} rank={rows[place - 1].rank} />
          ))}
          <path d={`M0 ${GROUND}h406v22H0z`} class="podium-street" />
        </svg>
        {HOUSES.map(({ place, x, roof }) => (
          <span key={place} class="podium-face" style={{ left: `${(100 * (x + HOUSE / 2)) / 406}%`, top: `${(100 * (roof - 32)) / 254}%` }}>
            <Face user={rows[place - 1].user} name={rows[place - 1].name} size={56} />
          </span>
        ))}
      </div>
      <ol class="podium-names">
        {rows.map((row, index) => (
          <li key={row.user} class={`podium-${index + 1}`}>
            <PersonName person={row} class="cut" />
            <span class="small muted">{period === "week" && row.change !== null ? changeText(row.change) : numberText(row.rating)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/**
 * The own rank, and how far it is to the next one.
 * @param {{socket: import("../../socket.js").Socket, game: string, period: string, reply: {rows: RankedPerson[], own: RankedPerson, total: number}}} props
 */
export function WhereYouStand({ socket, game, period, reply }) {
  const { own, rows, total } = reply;
  const rank = /** @type {number} */ (own.rank);
  const shown = rows.filter((row) => row.rank !== null && row.rank < rank).at(-1);
  const index = rows.findIndex(({ user }) => user === own.user);
  // The person ahead is asked for if the shown page ends before or begins with the own row.
  const isKnown = rank === 1 || (index > 0 && shown !== undefined);
  const { reply: near } = useAnswer(socket, isKnown ? null : { type: "get_rankings", game, period, limit: 1, ...(rank > 2 ? { after: rank - 2 } : {}) });
  const ahead = isKnown ? shown : near?.rows.find((/** @type {RankedPerson} */ row) => row.rank !== null && row.rank < rank);
  const gap = !ahead ? 0 : period === "week" ? (ahead.change ?? 0) - (own.change ?? 0) : ahead.rating - own.rating;
  return (
    <section class="card rankings-note" aria-labelledby="stand-title">
      <header>
        <h2 id="stand-title">{t("rankings.stand")}</h2>
        <span class="small muted">{t("rankings.stand.rank", { rank: ordinalText(rank), total: numberText(total) })}</span>
      </header>
      <p>
        {rank === 1 && t("rankings.stand.first")}
        {gap > 0 && <Bold text={t("rankings.stand.ahead", { rank: ordinalText(ahead.rank), name: ahead.name, count: gap })} />}
      </p>
      <Standing rank={rank} total={total} />
    </section>
  );
}

/** The own place between the last and the first. @param {{rank: number, total: number}} props */
function Standing({ rank, total }) {
  if (total < 2) return null;
  const share = (total - rank) / (total - 1);
  return (
    <div class="standing" aria-hidden="true">
      <span class="standing-line">
        <span style={{ left: `${100 * share}%` }} />
      </span>
      <span class="small muted">{ordinalText(total)}</span>
      <span class="small muted">{ordinalText(1)}</span>
    </div>
  );
}

export function HowRatingsWork() {
  return (
    <section class="card rankings-note" aria-labelledby="how-title">
      <h2 id="how-title">{t("rankings.how")}</h2>
      <p class="muted">{t("rankings.how.text")}</p>
    </section>
  );
}

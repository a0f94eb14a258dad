// A finished game as a row of a list: the city in small, who played, who came where with how many points, when, how long,
// and how it ended. The row as a whole leads to the replay.

import { t } from "../catalogue/index.js";
import { Icon } from "./art.js";
import { sitterText } from "./bots.js";
import { CityThumbnail } from "./city-thumbnail.js";
import { SeatFace } from "./face.js";
import { changeClass, changeText, dayText, lengthText, momentText, perPoint } from "./figures.js";
import { Link } from "./link.js";
import { formatList } from "./names.js";
import { narrow } from "./narrow.js";
import { PersonName } from "./person-name.js";
import { pointsText } from "./points-text.js";
import { Laurel, RatedBadge } from "./rated.js";
import "../style/finished-game.css";

/** @typedef {{user: string | null, name: string | null, handle?: string | null, bot: string | null, place: number | null, points: number | null, resigned: boolean, stood_in: boolean, former?: boolean, rating?: any}} SeatResult */

/** Return the name of who sat on a seat. @param {SeatResult} seat @param {string | null} [me] the visitor, who is called "you" */
export function sitterName(seat, me = null) {
  if (seat.former) return t("person.former");
  if (seat.user && seat.user === me) return t("seat.you");
  return sitterText(seat);
}

/** Return the seats from the first place to the last; in an abandoned game, as they sat. @param {SeatResult[]} seats */
export function byPlace(seats) {
  return [...seats].sort((one, other) => (one.place ?? 9) - (other.place ?? 9));
}

/** "with Ada and Bo"; null if the person played alone. @param {SeatResult[]} seats @param {string | null} subject whose games these are */
export function companyText(seats, subject) {
  const others = seats.filter(({ user }) => !user || user !== subject);
  return others.length ? t("played.with", { names: formatList(others.map((seat) => sitterName(seat))) }) : null;
}

/** Return how a game went: for the person whose games these are, or for all. @param {any} game @param {SeatResult | null} own */
export function outcomeText(game, own) {
  if (own?.resigned) return t("played.resigned");
  if (game.end === "abandoned") return t("played.abandoned");
  const isShared = (/** @type {number | null} */ place) => game.seats.filter((/** @type {SeatResult} */ seat) => seat.place === place).length > 1;
  if (own?.place) {
    if (own.place === 1) return t(isShared(1) ? "played.shared" : "played.won");
    return t("played.place", { place: t(`place.${own.place}`), seats: game.seats.length });
  }
  const winners = game.seats.filter((/** @type {SeatResult} */ { place }) => place === 1);
  return winners.length ? t("played.winner", { names: formatList(winners.map((/** @type {SeatResult} */ seat) => sitterName(seat))), count: winners.length }) : "";
}

/** The standings: each name with its points, the first place first; on a phone, names are too small for links. @param {{game: any, me: string | null}} props */
function Standings({ game, me }) {
  return (
    <ol class="played-standings small">
      {byPlace(game.seats).map((seat, index) => (
        <li key={index}>
          {seat.place !== null && <span class="played-rank">{seat.place}</span>}
          {narrow.value || seat.user === me ? <span>{sitterName(seat, me)}</span> : <PersonName person={seat}>{sitterName(seat)}</PersonName>}
          {seat.points !== null && <b>{pointsText(seat.points, perPoint(game.game))}</b>}
          {seat.resigned ? <span class="muted">{t("played.left")}</span> : seat.stood_in && <span class="muted">{t("played.stood_in")}</span>}
        </li>
      ))}
    </ol>
  );
}

/**
 * @param {object} props
 * @param {any} props.game a row of `list_games`
 * @param {string | null} props.subject the user whose games are listed; null for those of everybody
 * @param {string | null} props.me
 * @param {boolean} [props.isShort] without the standings
 */
export function FinishedGame({ game, subject, me, isShort = false }) {
  const seat = game.seats.findIndex((/** @type {SeatResult} */ { user }) => user && user === subject);
  const own = seat < 0 ? null : game.seats[seat];
  const others = game.seats.filter((/** @type {SeatResult} */ each) => each !== own);
  const title = game.title ?? t(`game.${game.game}`);
  const winner = byPlace(game.seats)[0];
  const shown = own ?? (game.end === "finished" ? winner : null);
  const isWon = own?.place === 1 && game.end === "finished";
  return (
    <li class={`played ${isShort ? "played-short" : ""}`}>
      <CityThumbnail game={game.game} city={game.city} seat={Math.max(0, own ? seat : game.seats.indexOf(winner))} />
      <div class="played-text">
        <Link to={`/g/${game.table}`} class="played-title cut" title={title}>
          {title}
        </Link>
        <span class="small muted played-facts">
          {game.title && <span>{t(`game.${game.game}`)}</span>}
          <time dateTime={new Date(game.ended).toISOString()} title={momentText(game.ended)}>
            {dayText(game.ended)}
          </time>
          {!isShort && <span>{lengthText(game.ended - game.started)}</span>}
          {game.rated && <RatedBadge />}
          {game.private && (
            <span class="played-private" title={t("played.private_why")}>
              <Icon name="lock" size={14} />
              {t("played.private")}
            </span>
          )}
          {game.origin && <span>{t(game.origin === "file" ? "played.imported" : "played.sandbox")}</span>}
        </span>
        {!isShort && <Standings game={game} me={me} />}
      </div>
      <span class="played-faces face-row" role="img" aria-label={companyText(game.seats, subject) ?? ""} title={companyText(game.seats, subject) ?? ""}>
        {others.slice(0, 4).map((/** @type {SeatResult} */ each, /** @type {number} */ index) => (
          <SeatFace key={index} seat={each.former ? { user: "former" } : each} size={28} />
        ))}
      </span>
      <span class={`played-outcome ${isWon ? "played-won" : ""}`}>
        {isWon && <Laurel />}
        {outcomeText(game, own)}
      </span>
      <span class="played-points">
        {shown && shown.points !== null && <b class="serif">{pointsText(shown.points, perPoint(game.game))}</b>}
        {own?.rating && <span class={`small ${changeClass(own.rating.change)}`}>{changeText(own.rating.change)}</span>}
      </span>
    </li>
  );
}

// One game on a profile: the rating with its history, and the results by number of seats, as bars by place.

import { t } from "../../catalogue/index.js";
import { averageText, changeText, ordinalText, perPoint, ratingText } from "../../parts/figures.js";
import { Link } from "../../parts/link.js";
import { PlaceBar, PlaceLegend, sumPlaces } from "../../parts/place-bar.js";
import { pointsText } from "../../parts/points-text.js";
import { RatingChart } from "../../parts/rating-chart.js";
import { GameBadge } from "../../parts/site-art.js";

/** @typedef {import("../../parts/rating-chart.js").Point} Point */

const THIRTY_DAYS = 30 * 86_400_000;
/** The rating before the first game. */
const FIRST_RATING = 1500;

/** Return by how much a rating changed in the last 30 days; null if no game was played then. @param {Point[]} history @param {number} [now] */
export function recentChange(history, now = Date.now()) {
  const since = now - THIRTY_DAYS;
  if (!history.length || history[history.length - 1][0] < since) return null;
  const before = history.findLast(([ended]) => ended < since);
  return history[history.length - 1][1] - (before ? before[1] : FIRST_RATING);
}

/** @param {{game: string, rating: any, results: any[]}} props */
export function GameResults({ game, rating, results }) {
  const played = results.reduce((sum, each) => sum + each.played, 0);
  const name = t(`game.${game}`);
  return (
    <article class="card profile-game">
      <header>
        <GameBadge game={game} size={36} />
        <h2>{name}</h2>
        <span class="small muted">{played ? t("profile.games", { count: played }) : t("profile.no_games")}</span>
      </header>
      {rating ? <RatingOf game={name} rating={rating} /> : played > 0 && <p class="small muted profile-unrated">{t("profile.unrated")}</p>}
      {played > 0 && <Results game={game} results={results} />}
    </article>
  );
}

/** @param {{game: string, rating: any}} props */
function RatingOf({ game, rating }) {
  const change = recentChange(rating.history);
  return (
    <div class="profile-rating">
      <div class="profile-figures">
        <p class={`serif profile-number ${rating.provisional ? "muted" : ""}`}>
          {ratingText(rating)}
        </p>
        <p class="small muted">{t("rating.uncertainty", { uncertainty: rating.uncertainty })}</p>
        {change !== null && !rating.provisional && (
          <p class="small">
            <span class={change > 0 ? "change-up" : ""}>{t("profile.in_30_days", { change: changeText(change) })}</span>
          </p>
        )}
        <p class="small muted">
          {rating.provisional
            ? t("profile.provisional", { count: rating.games })
            : rating.rank
              ? t("profile.rank", { rank: ordinalText(rating.rank) })
              : t("profile.unranked")}
        </p>
      </div>
      {rating.history.length > 0 && <RatingChart history={rating.history} isProvisional={rating.provisional} label={t("chart.label", { game })} />}
    </div>
  );
}

/** @param {{game: string, results: any[]}} props */
function Results({ game, results }) {
  const places = sumPlaces(results);
  const sorted = [...results].sort((one, other) => one.seats - other.seats);
  return (
    <div class="profile-results">
      <PlaceBar places={places} />
      <PlaceLegend places={places} />
      <table class="small">
        <thead>
          <tr>
            <th scope="col">{t("profile.seats_head")}</th>
            <th scope="col" class="wide">
              {t("profile.places_head")}
            </th>
            <th scope="col">{t("profile.played_head")}</th>
            <th scope="col">{t("profile.average")}</th>
            <th scope="col">{t("profile.best")}</th>
          </tr>
        </thead>
        <tbody>
          {sorted.map(({ seats, played, places: taken, average, best }) => (
            <tr key={seats}>
              <th scope="row">{seats}</th>
              <td class="wide">
                <PlaceBar places={taken} class="place-bar-small" />
              </td>
              <td>{played}</td>
              <td>{average === null || average === undefined ? "–" : averageText(game, average)}</td>
              <td>
                {best ? (
                  <Link to={`/g/${best.table}`} aria-label={t("profile.best_link", { points: pointsText(best.points, perPoint(game)) })}>
                    {pointsText(best.points, perPoint(game))}
                  </Link>
                ) : (
                  "–"
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

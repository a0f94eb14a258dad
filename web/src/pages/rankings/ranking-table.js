// The table of a ranking, and the visitor's own row below it if it is not among the shown ones.

import { hasText, t } from "../../catalogue/index.js";
import { Face } from "../../parts/face.js";
import { changeClass, changeText, dayText, numberText, ratingText } from "../../parts/figures.js";
import { Link } from "../../parts/link.js";
import { PersonName } from "../../parts/person-name.js";
import { Laurel } from "../../parts/rated.js";

/** @typedef {{rank: number | null, user: string, name: string, handle: string | null, rating: number, uncertainty: number, provisional?: boolean, change: number | null, games: number, last: number | null, reason?: string | null}} RankedPerson */

/** Rated games after which a rating is no longer provisional and has a rank. */
const RANKED_FROM = 10;

/** Return why somebody is not ranked, in a sentence. @param {RankedPerson | null} own @param {boolean} hasAccount @param {string} game */
export function reasonText(own, hasAccount, game) {
  if (!hasAccount || own?.reason === "account") return t("rankings.reason.account");
  if (!own || !own.games) return t("rankings.reason.none", { game });
  if (own.reason === "games") return t("rankings.reason.games", { count: Math.max(1, RANKED_FROM - own.games) });
  return own.reason && hasText(`rankings.reason.${own.reason}`) ? t(`rankings.reason.${own.reason}`) : "";
}

/** @param {{rows: RankedPerson[], me: string | null}} props */
export function RankingTable({ rows, me }) {
  return (
    <table class="ranking">
      <thead>
        <tr>
          <th scope="col" class="rank">
            {t("rankings.rank")}
          </th>
          <th scope="col" class="who">
            {t("rankings.player")}
          </th>
          <th scope="col" class="last">
            {t("rankings.last")}
          </th>
          <th scope="col" class="moved">
            {t("rankings.change")}
          </th>
          <th scope="col" class="number">
            {t("rankings.rating")}
          </th>
          <th scope="col" class="games">
            {t("rankings.played")}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.user} row={row} isMine={row.user === me} />
        ))}
      </tbody>
    </table>
  );
}

/** @param {{row: RankedPerson, isMine: boolean}} props */
function Row({ row, isMine }) {
  return (
    <tr class={isMine ? "mine" : ""}>
      <td class="rank serif">
        <span>
          {row.rank ? numberText(row.rank) : "–"}
          {row.rank !== null && row.rank <= 3 && <Laurel size={16} />}
        </span>
      </td>
      <th scope="row" class="who">
        <span>
          <Face user={row.user} name={row.name} size={32} />
          <PersonName person={row} class="cut" />
          {isMine && <span class="muted small">{t("rankings.you")}</span>}
        </span>
      </th>
      <td class="last small muted">{row.last ? dayText(row.last) : ""}</td>
      <td class="moved small">{row.change !== null && row.change !== undefined && <span class={changeClass(row.change)}>{changeText(row.change)}</span>}</td>
      <td class="number">
        <span class={`serif ${row.provisional ? "muted" : ""}`}>{ratingText(row)}</span> <span class="small muted">±{row.uncertainty}</span>
      </td>
      <td class="games muted">{numberText(row.games)}</td>
    </tr>
  );
}

/**
 * @param {object} props
 * @param {{rows: RankedPerson[], own: RankedPerson | null, total: number}} props.reply
 * @param {string} props.game its name
 * @param {{id: string, handle?: string | null} | null} props.me
 * @param {(rank: number) => void} props.onOwnPage
 */
export function OwnRow({ reply, game, me, onOwnPage }) {
  const { rows, own } = reply;
  if (!me || rows.some(({ user }) => user === me.id)) return null;
  const hasAccount = own ? own.reason !== "account" : Boolean(me.handle);
  if (!own || own.rank === null || own.reason) {
    return (
      <div class="own-row own-reason">
        <Face user={me.id} size={32} />
        <p>
          {own && own.games > 0 && <b class="serif muted own-rating">{ratingText({ ...own, provisional: own.games < RANKED_FROM })}</b>}
          {reasonText(own, hasAccount, game)}
        </p>
        {!hasAccount && (
          <Link to="/you" class="button">
            {t("rankings.keep_name")}
          </Link>
        )}
      </div>
    );
  }
  const last = rows.at(-1);
  const between = last?.rank ? own.rank - last.rank - 1 : 0;
  return (
    <>
      <p class="small muted own-between">
        {between > 0 && last && <span>{t("rankings.between", { count: between, name: last.name })}</span>}
        <button class="quiet" onClick={() => onOwnPage(/** @type {number} */ (own.rank))}>
          {t("rankings.own_page")}
        </button>
      </p>
      <div class="own-row">
        <table class="ranking" aria-label={t("rankings.own")}>
          <tbody>
            <Row row={own} isMine />
          </tbody>
        </table>
      </div>
    </>
  );
}

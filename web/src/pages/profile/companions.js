// The people whom somebody has played with most often.

import { t } from "../../catalogue/index.js";
import { Face } from "../../parts/face.js";
import { PersonName } from "../../parts/person-name.js";

/** @param {{companions: {id: string, name: string, handle: string | null, games: number}[]}} props */
export function Companions({ companions }) {
  const most = Math.max(1, ...companions.map(({ games }) => games));
  return (
    <section class="card profile-companions" aria-labelledby="companions-title">
      <h2 id="companions-title">{t("profile.companions")}</h2>
      {companions.length ? (
        <ul class="companions">
          {companions.map((person) => (
            <li key={person.id}>
              <Face user={person.id} name={person.name} size={32} />
              <PersonName person={person} class="cut" />
              <span class="companion-bar" aria-hidden="true">
                <span style={{ width: `${(100 * person.games) / most}%` }} />
              </span>
              <span class="companion-count" title={t("profile.together", { count: person.games })}>
                <span aria-hidden="true">{person.games}</span>
                <span class="hidden-visually">{t("profile.together", { count: person.games })}</span>
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <p class="muted profile-empty">{t("profile.companions_none")}</p>
      )}
    </section>
  );
}

// The head of a profile: face, name, handle, what the person says about themselves, and what the visitor can do.

import { t } from "../../catalogue/index.js";
import { Face } from "../../parts/face.js";
import { monthText } from "../../parts/figures.js";
import { Link } from "../../parts/link.js";
import { Icon } from "../../parts/art.js";
import { formatList } from "../../parts/names.js";
import { TABLE_LANGUAGES } from "../../parts/table-texts.js";
import { WatchPerson } from "../../parts/watch-person.js";
import { RelationButtons } from "./relation-buttons.js";
import "../../style/hills.css";

/** Hills behind the head, as on the home page. */
function Hills() {
  return (
    <svg class="profile-hills" viewBox="0 0 1272 134" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
      <path class="hill-far" d="M0 134V112c160-6 300-34 470-28s260 34 420 22 240-42 382-28v56z" />
      <path class="hill-near" d="M0 134v-16c220-14 420 10 640 2s380-24 632-8v22z" />
    </svg>
  );
}

/** "Here since March 2026 · speaks English and Deutsch · 265 games" @param {any} person @param {number} played */
function factsOf(person, played) {
  const languages = (person.languages ?? []).map((/** @type {string} */ code) => TABLE_LANGUAGES[code] ?? code);
  return [
    ...(person.since ? [t("profile.since", { month: monthText(person.since) })] : []),
    ...(languages.length ? [t("profile.speaks", { languages: formatList(languages) })] : []),
    t("profile.games", { count: played }),
  ];
}

/** @param {import("../../main.js").PageProps & {person: any, played: number, onChange: () => void}} props */
export function Head(props) {
  const { person, played } = props;
  return (
    <header class="card profile-head">
      <Hills />
      <span class="profile-face">
        <Face user={person.id} name={person.name} size={104} />
      </span>
      <div class="profile-about">
        <div class="profile-name">
          <h1>{person.name}</h1>
          <span class="profile-handle">@{person.handle}</span>
          {person.online && <span class="pill profile-online live live-open">{t("profile.online")}</span>}
        </div>
        <p>{factsOf(person, played).join(" · ")}</p>
        {person.motto && <p class="serif profile-motto">{t("profile.motto", { motto: person.motto })}</p>}
        {person.is_you && <PrivacyNote privacy={person.privacy} />}
      </div>
      <div class="profile-actions">
        {person.is_you ? (
          <Link to="/you" class="button">
            <Icon name="pencil" />
            {t("profile.settings")}
          </Link>
        ) : (
          <>
            <WatchPerson person={person} me={props.store.me.value?.id ?? null} />
            <RelationButtons {...props} />
          </>
        )}
      </div>
    </header>
  );
}

/** Who sees the own page. @param {{privacy?: string | null}} props */
function PrivacyNote({ privacy }) {
  return (
    <p class="small profile-privacy">
      <Icon name={privacy === "nobody" ? "hidden" : "eye"} size={16} />
      <span>
        {privacy && `${t(`profile.privacy.${privacy}`)} `}
        {t("profile.private_games")}
      </span>
    </p>
  );
}

// The log as a file, and the menu of a replay: a log file to look at, the keys, theme and language, and other pages.

import { signal } from "@preact/signals";
import { language, languageNames, setLanguage, t } from "../../catalogue/index.js";
import { Icon } from "../../parts/art.js";
import { MenuButton } from "../../parts/controls.js";
import { tabsOf } from "../../parts/game-tabs.js";
import { useLogImport } from "../../parts/import-log.js";
import { layout } from "../../parts/layout.js";
import { switchTheme, theme } from "../../parts/preferences.js";
import { logFile } from "../../replay-source.js";

/** @typedef {import("../../replay-model.js").ReplayModel} ReplayModel */

/** Return a signal of whether a media query matches. @param {string} media */
function matching(media) {
  const query = globalThis.matchMedia?.(media);
  const found = signal(query?.matches ?? false);
  query?.addEventListener("change", () => (found.value = query.matches));
  return found;
}

const roomForTabs = matching("(min-width: 1280px) and (min-height: 520px)");
const roomForAll = matching("(min-width: 1600px)");

/** Return whether the bar has room for the tabs of the game; elsewhere the menu has its pages. */
export function hasTabs() {
  return roomForTabs.value;
}

/** Return whether the bar has room for the link to the log; elsewhere it is in the menu. */
export function hasDownload() {
  return layout.value === "wide" && (roomForAll.value || !roomForTabs.value);
}

/** A link to the log of the game. @param {{model: ReplayModel}} props */
export function Download({ model }) {
  return (
    <a class="button replay-tool" href={logFile(model.id, model.key)} download title={t("replay.download.note")}>
      <Icon name="download" />
      {t("replay.download")}
    </a>
  );
}

/** @param {{model: ReplayModel, navigate: (path: string) => void, onHelp: () => void}} props */
export function MoreMenu({ model, navigate, onHelp }) {
  const log = useLogImport(navigate);
  const download = () => {
    const link = document.createElement("a");
    link.href = logFile(model.id, model.key);
    link.download = "";
    link.click();
  };
  const isDark = theme.value === "dark";
  const otherLanguages = Object.entries(languageNames).filter(([code]) => code !== language.value);
  const pages = tabsOf(model.id, model.key, model.me.value !== null);
  const toPage = (/** @type {import("../../parts/game-tabs.js").Tab} */ tab) => navigate(/** @type {[any, string]} */ (pages.find(([name]) => name === tab))[1]);
  const items = [
    { label: t("end.analyse"), note: t("end.analyse.note"), icon: "bulb", onSelect: () => toPage("coach") },
    ...(hasTabs() ? [] : [{ label: t("after.result"), icon: "podium", onSelect: () => toPage("result") }]),
    ...(hasDownload() ? [] : [{ label: t("replay.download"), note: t("replay.download.note"), icon: "download", onSelect: download }]),
    { label: t("replay.import"), note: t("replay.import.note"), icon: "upload", onSelect: log.choose },
    ...(layout.value === "phone" ? [] : [{ label: t("replay.keys"), icon: "keyboard", onSelect: onHelp }]),
    { label: t(isDark ? "replay.day" : "replay.night"), icon: isDark ? "sun" : "moon", onSelect: switchTheme },
    ...otherLanguages.map(([code, label]) => ({ label, icon: "globe", onSelect: () => setLanguage(code) })),
    { label: t("replay.all_games"), icon: "book", onSelect: () => navigate("/games") },
    { label: t("table.to_lobby"), icon: "leave", onSelect: () => navigate("/") },
  ];
  return (
    <>
      <MenuButton label={t("replay.more")} align="end" buttonClass="tool" button={<Icon name="more" />} items={items} />
      {log.input}
      {log.isBusy && (
        <p class="banner" role="status">
          {t("replay.import.busy")}
        </p>
      )}
      {log.refusal && (
        <p class="banner" role="alert">
          {log.refusal}
          <button onClick={log.dismiss}>{t("menu.close")}</button>
        </p>
      )}
    </>
  );
}

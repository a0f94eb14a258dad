// The controls in the header of every page: language, theme and sound.

import { language, languageNames, setLanguage, t } from "../catalogue/index.js";
import { Icon } from "./art.js";
import { sound, switchSound, switchTheme, theme } from "./preferences.js";

export function LanguageChoice() {
  return (
    <label class="language">
      <Icon name="globe" />
      <span class="hidden-visually">{t("chrome.language")}</span>
      <select value={language.value} onChange={(event) => setLanguage(event.currentTarget.value)}>
        {Object.entries(languageNames).map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

export function ThemeSwitch() {
  const isDark = theme.value === "dark";
  return (
    <button class="tool" onClick={switchTheme} aria-pressed={isDark}>
      <Icon name={isDark ? "sun" : "moon"} />
      {t(isDark ? "chrome.day" : "chrome.night")}
    </button>
  );
}

/** The buttons for sound and theme. */
export function PreferenceButtons() {
  return (
    <>
      <button class="tool" onClick={switchSound} aria-pressed={sound.value === "on"}>
        <Icon name={sound.value === "on" ? "sound" : "mute"} />
        <span class="tool-label">{t("table.sound")}</span>
      </button>
      <ThemeSwitch />
    </>
  );
}

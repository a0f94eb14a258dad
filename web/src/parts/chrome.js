// The controls in the header of every page: language, theme and sound.

import { language, languageNames, setLanguage, t } from "../catalogue/index.js";
import { Icon } from "./art.js";
import { Select } from "./controls.js";
import { sound, switchSound, switchTheme, theme } from "./preferences.js";

export function LanguageChoice() {
  return (
    <Select
      class="tool language"
      label={t("chrome.language")}
      icon="globe"
      value={language.value}
      options={Object.entries(languageNames).map(([value, label]) => ({ value, label }))}
      onChange={setLanguage}
      align="end"
    />
  );
}

export function ThemeSwitch() {
  const isDark = theme.value === "dark";
  return (
    <button class="tool" onClick={switchTheme} aria-pressed={isDark}>
      <Icon name={isDark ? "sun" : "moon"} />
      <span class="tool-label">{t(isDark ? "chrome.day" : "chrome.night")}</span>
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

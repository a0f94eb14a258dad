/** German texts of the pages outside the tables. */
export const deHome = {
  "nav.label": "Seiten",
  "nav.home": "Spielen",
  "nav.watch": "Zusehen",
  "nav.rules": "So spielt man",
  "nav.you": "Du",
  "nav.online": "{count} online",
  "nav.waiting": "{count} wartet auf dich|{count} warten auf dich",

  "loading.failed": "Dieser Teil der Seite konnte nicht geladen werden.",
  "loading.again": "Neu laden",
};

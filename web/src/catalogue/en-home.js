/** English texts of the pages outside the tables. */
export const enHome = {
  "nav.label": "Pages",
  "nav.home": "Play",
  "nav.watch": "Watch",
  "nav.rules": "How to play",
  "nav.you": "You",
  "nav.online": "{count} online",
  "nav.waiting": "{count} waiting for you",

  "loading.failed": "This part of the page could not be loaded.",
  "loading.again": "Load it again",
};

// The bundler turns an imported SVG file into its URL.
declare module "*.svg" {
  const address: string;
  export default address;
}
declare module "*.css";
// web/rules.mjs makes a module of each text of rules.
declare module "rules:*" {
  const rules: import("./rules/texts.js").Rules;
  export default rules;
}
// The files of the build, which web/build.mjs writes into the service worker.
declare const BUILD: {
  version: string;
  /** The files without which no page opens. */
  needed: string[];
  /** All others, except those of a language. */
  common: string[];
  languages: Record<string, string[]>;
};

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

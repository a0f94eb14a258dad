// The bundler turns an imported SVG file into its URL.
declare module "*.svg" {
  const address: string;
  export default address;
}
declare module "*.css";

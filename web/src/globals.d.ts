// What the bundler makes of files that are not scripts: the address of the file.
declare module "*.svg" {
  const address: string;
  export default address;
}
declare module "*.css";

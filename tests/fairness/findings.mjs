// Print what web/src/fairness/verify.js finds, for tests: read lines of JSON, each with a transcript and the own
// evidence, from the file of the first argument, and print a line of JSON for each.

import { readFileSync } from "node:fs";
import { verify } from "../../web/src/fairness/verify.js";

for (const line of readFileSync(process.argv[2], "utf-8").split("\n").filter(Boolean)) {
  const { transcript, own } = JSON.parse(line);
  console.log(JSON.stringify(await verify(transcript, own)));
}

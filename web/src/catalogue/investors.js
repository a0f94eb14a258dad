// The words of Investors, in every language.

import { deInvestors } from "./de-investors.js";
import { enInvestors } from "./en-investors.js";
import { learn } from "./index.js";

learn({ en: enInvestors, de: deInvestors });

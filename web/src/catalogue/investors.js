// Register the texts of Investors in every language.

import { deInvestors } from "./de-investors.js";
import { enInvestors } from "./en-investors.js";
import { addTexts } from "./index.js";

addTexts({ en: enInvestors, de: deInvestors });

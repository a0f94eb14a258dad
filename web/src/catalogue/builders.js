// Register the texts of Builders in every language.

import { deBuilders } from "./de-builders.js";
import { enBuilders } from "./en-builders.js";
import { addTexts } from "./index.js";

addTexts({ en: enBuilders, de: deBuilders });

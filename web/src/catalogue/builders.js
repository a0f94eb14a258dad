// The words of Builders, in every language.

import { deBuilders } from "./de-builders.js";
import { enBuilders } from "./en-builders.js";
import { learn } from "./index.js";

learn({ en: enBuilders, de: deBuilders });

// Register the texts of Planners in every language.

import { dePlanners } from "./de-planners.js";
import { enPlanners } from "./en-planners.js";
import { addTexts } from "./index.js";

addTexts({ en: enPlanners, de: dePlanners });

// The words of Planners, in every language.

import { dePlanners } from "./de-planners.js";
import { enPlanners } from "./en-planners.js";
import { learn } from "./index.js";

learn({ en: enPlanners, de: dePlanners });

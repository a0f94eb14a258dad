// Register the texts of the waiting room in every language; they load with the waiting room.

import { deWaiting } from "./de-waiting.js";
import { enWaiting } from "./en-waiting.js";
import { addTexts } from "./index.js";

addTexts({ en: enWaiting, de: deWaiting });

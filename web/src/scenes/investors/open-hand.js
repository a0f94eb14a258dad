// What only a seat knew at a moment of a finished game: its cheques, and what it sealed.

import { hasText, t } from "../../catalogue/index.js";
import { Symbol } from "../../parts/art.js";
import { total } from "../../parts/prompt.js";
import { OptionDrawing } from "./hand.js";
import { money, targetText, thousands } from "./labels.js";

/** @param {{open: {game: any, answer: any}}} props */
export function OpenHand({ open }) {
  const hand = open.game.hand ?? [];
  const { answer } = open;
  const sealed = answer && sealedText(answer);
  return (
    <>
      <p class="open-line">
        <Symbol name="n-cheque" width={16} />
        <span>
          <span class="hidden-visually">{t("replay.open.cheques")}: </span>
          {hand.length ? `${hand.join(" · ")} = ${thousands(total(hand))}` : t("replay.open.no_cheques")}
        </span>
      </p>
      {sealed && (
        <p class="open-line open-sealed">
          <Symbol name="seal" width={18} />
          <b>{sealed}</b>
          {answer.card !== undefined && <Symbol name={`influence-${answer.card}`} width={26} />}
          {answer.option !== undefined && <OptionDrawing option={answer.option} width={36} />}
        </p>
      )}
    </>
  );
}

/** Return what a seat sealed, in two or three words; null for a command that is not sealed. @param {any} answer */
function sealedText(answer) {
  const key = `replay.sealed.${answer.do}`;
  if (!hasText(key)) return null;
  const amount = money(answer.cheque ?? total(answer.cheques ?? []));
  return t(key, { card: answer.card ?? "", amount, option: answer.option ? targetText(answer.option) : "" });
}

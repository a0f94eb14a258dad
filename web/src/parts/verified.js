// What the page has found in the record of a finished game: one word, one sentence, and the details for those who ask.

import { useEffect, useMemo } from "preact/hooks";
import { hasText, t } from "../catalogue/index.js";
import { GameCheck, transcriptPath } from "../fairness/check.js";
import { Icon } from "./art.js";
import { Disclosure } from "./controls.js";
import { formatNames, nameInSentence } from "./names.js";
import { FairnessLink } from "./fairness-card.js";
import "../style/fairness.css";

/** @typedef {import("../fairness/check.js").Check} Check */
/** @typedef {import("../fairness/verify.js").Finding} Finding */

/** Return whether what the device has kept is part of a check. @param {Finding[]} findings */
function hasOwn(findings) {
  return findings.some(({ key }) => key === "head_ok");
}

/** Return in two or three sentences what was checked. @param {Finding[]} findings */
export function summaryOf(findings) {
  const found = (/** @type {string} */ key) => findings.find((each) => each.key === key)?.values;
  const [seeds, answers] = [found("seeds_ok"), found("answers_ok")];
  return [
    seeds ? t("fair.sum.shuffle", { count: seeds.seats.length }) : t("fair.sum.alone"),
    ...(answers ? [t("fair.sum.answers", { count: answers.answers })] : []),
    t(hasOwn(findings) ? "fair.sum.seen" : "fair.sum.record"),
  ].join(" ");
}

/** Return the values of a finding as its sentence shows them: names instead of seats. @param {Finding} finding @param {any} view */
function valuesOf({ values }, view) {
  const isSeat = (/** @type {unknown} */ seat) => Number.isInteger(seat) && view.seats[/** @type {number} */ (seat)] !== undefined;
  return {
    ...values,
    names: Array.isArray(values.seats) ? formatNames(view, values.seats.filter(isSeat)) : "",
    name: isSeat(values.seat) ? nameInSentence(view, values.seat) : "",
  };
}

/**
 * Return the sentences of what was right, and of the notes. The many heads that a device was shown become one.
 * @param {Finding[]} findings @param {any} view
 */
export function detailsOf(findings, view) {
  const shown = findings.filter(({ ok, key }, place) => ok !== false && hasText(`fair.found.${key}`) && findings.findIndex((each) => each.key === key) === place);
  return shown.map((finding) => {
    const count = finding.values.count ?? findings.filter(({ key }) => key === finding.key).length;
    return { key: finding.key, isNote: finding.ok === null, text: t(`fair.found.${finding.key}`, { ...valuesOf(finding, view), count }) };
  });
}

/** Return the sentences of what is wrong, one for each check that failed, with what exactly for those who look into it. @param {Finding[]} findings */
export function faultsOf(findings) {
  const wrong = findings.filter(({ ok }) => ok === false);
  const firsts = wrong.filter(({ check }, place) => wrong.findIndex((each) => each.check === check) === place);
  return firsts.map(({ check, key, values }) => ({
    check,
    text: t(hasText(`fair.wrong.${check}`) ? `fair.wrong.${check}` : "fair.wrong.form"),
    exact: [key, ...Object.entries(values).map(([name, value]) => `${name} ${value}`)].join(", "),
  }));
}

/**
 * The check of a finished game. It runs by itself, or, where the page has other work, when it is asked for.
 * @param {object} props
 * @param {string} props.id
 * @param {string | null} props.accessKey the key by which the game may be seen
 * @param {any} props.view
 * @param {() => any} [props.evidence] returns what this device has kept
 */
export function Verified({ id, accessKey, view, evidence }) {
  const game = useMemo(() => new GameCheck(id, accessKey, evidence), [id, accessKey]);
  useEffect(() => void game.run(), [game]);
  const check = game.check.value;
  return (
    <section class={`verified verified-${check?.state ?? "fetching"}`} aria-label={t("fair.details")}>
      <div role={check?.state === "wrong" ? "alert" : "status"} class="verified-result">
        <Result check={check} />
      </div>
      {check?.state === "failed" && (
        <button type="button" class="quiet" onClick={() => game.run()}>
          {t("log.again")}
        </button>
      )}
      {check && ["verified", "wrong"].includes(check.state) && (
        <Disclosure summary={t("fair.details")} class="verified-more">
          <Details id={id} accessKey={accessKey} view={view} findings={check.findings} />
        </Disclosure>
      )}
    </section>
  );
}

/** @param {{check: Check | null}} props */
function Result({ check }) {
  if (!check || check.state === "fetching") return <p class="muted verified-word">{t("fair.checking")} …</p>;
  const { state, findings } = check;
  if (state === "failed") return <p>{t("fair.failed")}</p>;
  if (state === "unable") return <p>{t("fair.unable")}</p>;
  if (state === "not_verifiable") {
    const why = findings.find(({ key }) => key === "not_verifiable")?.values.why_not;
    return (
      <>
        <p class="verified-word">
          <Icon name="unlocked" />
          <b>{t("fair.unverifiable")}</b>
        </p>
        <p class="small">{t(hasText(`fair.not.${why}`) ? `fair.not.${why}` : "fair.not.old")}</p>
      </>
    );
  }
  if (state === "wrong") {
    return (
      <>
        <p class="verified-word">
          <Icon name="warning" />
          <b>{t("fair.wrong")}</b>
        </p>
        {faultsOf(findings).map(({ check: name, text }) => (
          <p key={name}>{text}</p>
        ))}
        <p class="small">{t("fair.wrong.do")}</p>
      </>
    );
  }
  return (
    <>
      <p class="verified-word">
        <Icon name="verified" />
        <b>{t("fair.verified")}</b>
      </p>
      <p class="small">{summaryOf(findings)}</p>
    </>
  );
}

/** @param {{id: string, accessKey: string | null, view: any, findings: Finding[]}} props */
function Details({ id, accessKey, view, findings }) {
  return (
    <>
      <ul class="small verified-list">
        {faultsOf(findings).map(({ check, text, exact }) => (
          <li key={check} class="is-wrong">
            <Icon name="warning" size={16} />
            <span>
              {text} <code>{exact}</code>
            </span>
          </li>
        ))}
        {detailsOf(findings, view).map(({ key, text, isNote }) => (
          <li key={key} class={isNote ? "is-note" : ""}>
            {isNote ? <span aria-hidden="true">·</span> : <Icon name="check" size={16} />}
            <span>{text}</span>
          </li>
        ))}
      </ul>
      <p class="small">
        {t("fair.command")} <code>sanfrancisco verify {id}.json</code>
      </p>
      <p class="verified-links">
        <a class="button" href={transcriptPath(id, accessKey)} download={`${id}.json`}>
          <Icon name="download" />
          {t("fair.download")}
        </a>
        <FairnessLink />
      </p>
    </>
  );
}

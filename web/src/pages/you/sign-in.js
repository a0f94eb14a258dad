// Signing in: with a passkey, with a handle and a recovery code, or with the one-time code of another device.

import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { post, signInWithCode, signInWithPasskey } from "../../parts/account-requests.js";
import { Icon } from "../../parts/art.js";
import { Disclosure } from "../../parts/controls.js";
import { canOfferPasskeys, canUsePasskeys } from "../../parts/passkeys.js";
import { RefusalLine, useWork } from "../../parts/use-work.js";

/** Begin again as the person who signed in. Everything in this page belongs to the guest from before. */
function beginAgain() {
  location.replace("/you");
}

/** @param {{store: import("../../store.js").Store, route: import("../../routes.js").Route}} props */
export function SignIn({ store, route }) {
  const work = useWork();
  /** The offer of passkeys in the list of the field: a browser has one such request at a time. @type {import("preact").RefObject<AbortController>} */
  const offer = useRef(null);
  /** @type {import("preact").RefObject<HTMLHeadingElement>} */
  const title = useRef(null);
  useEffect(() => () => offer.current?.abort(), []);
  // The link in the bar leads here, from this page too.
  useEffect(() => {
    if (location.hash !== "#sign-in") return;
    title.current?.scrollIntoView({ block: "start" });
    title.current?.focus();
  }, [route]);
  const withPasskey = () =>
    work.run(async () => {
      offer.current?.abort();
      await signInWithPasskey();
      beginAgain();
    });
  const offerPasskeys = async () => {
    if (offer.current || !(await canOfferPasskeys())) return;
    offer.current = new AbortController();
    // Nobody has asked for it, so nobody hears of its failure; the button is still there.
    signInWithPasskey({ signal: offer.current.signal, isOffered: true }).then(beginAgain, () => {});
  };
  const games = store.yourTables.value.filter(({ phase }) => phase !== "over").length;
  return (
    <section class="card you-card sign-in" aria-labelledby="sign-in-title" id="sign-in">
      <h2 id="sign-in-title" ref={title} tabIndex={-1}>
        {t("sign_in.title")}
      </h2>
      <p class="small muted">{t("sign_in.why")}</p>
      {games > 0 && <p class="small you-warning">{t("sign_in.games", { count: games })}</p>}
      {canUsePasskeys() ? (
        <button type="button" class="sign-in-passkey" aria-disabled={work.isBusy} onClick={withPasskey}>
          <Icon name="lock" />
          {t("sign_in.passkey")}
        </button>
      ) : (
        <p class="small">{t("sign_in.unsupported")}</p>
      )}
      <RefusalLine work={work} />
      <Disclosure summary={t("sign_in.with_code")}>
        <RecoveryForm onOffer={offerPasskeys} />
      </Disclosure>
      <Disclosure summary={t("you.have_code")}>
        <OneTimeCodeForm />
      </Disclosure>
    </section>
  );
}

/** @param {{onOffer: () => void}} props */
function RecoveryForm({ onOffer }) {
  const [handle, setHandle] = useState("");
  const [code, setCode] = useState("");
  const work = useWork();
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!handle.trim() || !code.trim()) return;
    work.run(async () => {
      await signInWithCode(handle, code);
      beginAgain();
    });
  };
  return (
    <form onSubmit={send} class="recovery-form">
      <label>
        {t("sign_in.handle")}
        <input
          value={handle}
          autoCapitalize="none"
          autoComplete="username webauthn"
          spellcheck={false}
          onFocus={onOffer}
          onInput={(event) => setHandle(event.currentTarget.value)}
        />
      </label>
      <label>
        {t("sign_in.code")}
        <input
          class="code-input"
          value={code}
          autoCapitalize="characters"
          autoComplete="off"
          spellcheck={false}
          placeholder="XXXX-XXXX-XXXX-XXXX"
          onInput={(event) => setCode(event.currentTarget.value)}
        />
      </label>
      <button class="bay" aria-disabled={work.isBusy}>
        {t("sign_in.button")}
      </button>
      <RefusalLine work={work} />
    </form>
  );
}

function OneTimeCodeForm() {
  const [code, setCode] = useState("");
  const work = useWork();
  const redeem = (/** @type {Event} */ event) => {
    event.preventDefault();
    work.run(async () => {
      try {
        await post("/api/session/code", { code: code.trim() });
      } catch (refusal) {
        const sentences = { too_fast: "you.code_wait", wrong_code: "you.bad_code", malformed: "you.bad_code" };
        const key = sentences[/** @type {keyof typeof sentences} */ (/** @type {{code?: string}} */ (refusal).code)];
        throw key ? new Error(t(key)) : refusal;
      }
      location.reload();
    });
  };
  return (
    <form onSubmit={redeem}>
      <div class="you-name-row">
        <input aria-label={t("you.code_field")} value={code} onInput={(event) => setCode(event.currentTarget.value)} />
        <button aria-disabled={work.isBusy}>{t("you.use_code")}</button>
      </div>
      <RefusalLine work={work} />
    </form>
  );
}

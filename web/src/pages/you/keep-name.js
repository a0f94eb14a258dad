// A guest keeps the name: a handle first, then a way to sign in. Either way makes the handle the guest's own.

import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { Icon } from "../../parts/art.js";
import { proposedHandle } from "../../parts/handles.js";
import { deviceName } from "../../parts/device-name.js";
import { canUsePasskeys, makePasskey } from "../../parts/passkeys.js";
import { HandleField } from "./handle-field.js";
import { RefusalLine, useWork } from "../../parts/use-work.js";

/** @typedef {import("../../socket.js").Socket} Socket */

/**
 * Make a passkey and add it to the account.
 * @param {Socket} socket @param {string} name what the person calls the device
 * @returns {Promise<{handle: string}>}
 */
export async function addPasskey(socket, name) {
  const { options } = await socket.request({ type: "begin_passkey" });
  const credential = await makePasskey(options);
  return socket.request({ type: "add_passkey", credential, name });
}

/**
 * @param {object} props
 * @param {Socket} props.socket
 * @param {any} props.account
 * @param {string} props.name
 * @param {(handle: string, codes?: string[]) => void} props.onKept
 */
export function KeepName({ socket, account, name, onKept }) {
  const [handle, setHandle] = useState(/** @type {string | null} */ (account.reserved?.handle ?? null));
  /** Whether the handle was chosen now, and not on an earlier visit. */
  const [isChosen, setChosen] = useState(false);
  const work = useWork();
  const reserve = (/** @type {string} */ wanted) =>
    work.run(async () => {
      const { handle } = await socket.request({ type: "keep_name", handle: wanted });
      setChosen(true);
      setHandle(handle);
    });
  return (
    <section class="card you-card keep-name" aria-labelledby="keep-title" id="keep-name">
      <h2 id="keep-title">{t("keep.title")}</h2>
      {handle === null ? (
        <>
          <p>{t("keep.why")}</p>
          <ul class="you-reasons">
            {["rated", "devices", "people"].map((reason) => (
              <li key={reason}>
                <Icon name="check" size={16} />
                {t(`keep.why.${reason}`)}
              </li>
            ))}
          </ul>
          <HandleField label={t("keep.handle")} button={t("keep.check")} first={proposedHandle(name)} work={work} onSend={reserve} />
        </>
      ) : (
        <WayIn socket={socket} handle={handle} isChosen={isChosen} onKept={onKept} onBack={() => setHandle(null)} />
      )}
    </section>
  );
}

/** @param {{socket: Socket, handle: string, isChosen: boolean, onKept: (handle: string, codes?: string[]) => void, onBack: () => void}} props */
function WayIn({ socket, handle, isChosen, onKept, onBack }) {
  const work = useWork();
  const canPasskey = canUsePasskeys();
  /** @type {import("preact").RefObject<HTMLParagraphElement>} */
  const lead = useRef(null);
  useEffect(() => {
    if (isChosen) lead.current?.focus();
  }, []);
  const withPasskey = () => work.run(async () => onKept((await addPasskey(socket, deviceName())).handle));
  const withCodes = () =>
    work.run(async () => {
      const made = await socket.request({ type: "make_recovery_codes" });
      onKept(made.handle, made.codes);
    });
  // A handle is reserved for a quarter of an hour only; somebody who waits longer chooses again.
  const isExpired = work.refusal?.code === "no_account";
  return (
    <>
      <p ref={lead} tabIndex={-1} role="status" class="keep-free">
        {t("keep.free", { handle })}
      </p>
      <div class="ways-in">
        <div class="way-in">
          <h3>{t("keep.passkey")}</h3>
          <p class="small muted">{t(canPasskey ? "keep.passkey.why" : "passkey.trouble.unsupported")}</p>
          <button type="button" class="bay" aria-disabled={!canPasskey || work.isBusy} onClick={() => canPasskey && withPasskey()}>
            <Icon name="lock" />
            {t("keep.passkey.make")}
          </button>
        </div>
        <div class="way-in">
          <h3>{t("keep.codes")}</h3>
          <p class="small muted">{t("keep.codes.why")}</p>
          <button type="button" class={canPasskey ? "" : "bay"} aria-disabled={work.isBusy} onClick={withCodes}>
            <Icon name="copy" />
            {t("keep.codes.make")}
          </button>
        </div>
      </div>
      <RefusalLine work={work} />
      {work.refusal?.code === "cancelled" && <p class="small muted">{t("keep.cancelled_next")}</p>}
      <button type="button" class="quiet keep-back" onClick={onBack}>
        {t(isExpired ? "keep.again" : "keep.other")}
      </button>
    </>
  );
}

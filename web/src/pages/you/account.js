// The account on the visitor's page: for a guest the ways to one, and for everybody else what belongs to it.

import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { NotificationCard } from "../../notifications/card.js";
import { useAnswer } from "../../parts/use-answer.js";
import { CodesCard, newCodes } from "./codes-card.js";
import { HolidayCard, HoursCard } from "./hours.js";
import { KeepName } from "./keep-name.js";
import { People } from "./people.js";
import { ProfileSettings } from "./profile-settings.js";
import { SignIn } from "./sign-in.js";
import { StoredData } from "./stored-data.js";
import { Devices, HandleCard, Passkeys, RecoveryCodes, SignOutHere } from "./ways-in.js";

/**
 * @typedef {object} AccountProps
 * @property {import("../../socket.js").Socket} socket
 * @property {any} account the reply to `get_account`
 * @property {string} name the visitor's name, which may have changed since that reply
 * @property {() => void} again reads the account again
 * @property {(handle: string) => void} onHandle the handle is another one now
 * @property {(codes: string[]) => void} onCodes new recovery codes must be shown
 */

/** @param {import("../../main.js").PageProps & {children: any}} props `children`: what comes first on the page */
export function AccountParts({ store, socket, route, children }) {
  const { reply, refusal, again } = useAnswer(socket, { type: "get_account" });
  const [news, setNews] = useState("");
  /** @type {import("preact").RefObject<HTMLParagraphElement>} */
  const newsLine = useRef(null);
  // The form that had the focus is gone by then.
  useEffect(() => {
    if (news) newsLine.current?.focus();
  }, [news]);
  const account = reply?.account;
  const handle = store.me.value?.handle ?? null;
  // The handle may become the visitor's own after this part was mounted again, in another language for example.
  useEffect(() => {
    if (account && account.handle !== handle) again();
  }, [handle]);
  const onHandle = (/** @type {string} */ handle) => {
    const me = store.me.value;
    if (me) store.me.value = { ...me, handle };
    setNews(t("account.yours", { handle }));
    again();
  };
  const onCodes = (/** @type {string[]} */ made) => {
    newCodes.value = made;
    again();
  };
  const onKept = (/** @type {string} */ handle, /** @type {string[] | undefined} */ made) => {
    onHandle(handle);
    if (made) newCodes.value = made;
  };
  const name = store.me.value?.name ?? account?.user.name;
  const props = { socket, account, name, again, onHandle, onCodes };
  return (
    <>
      <p class="you-news" role="status" ref={newsLine} tabIndex={-1}>
        {news}
      </p>
      {newCodes.value && account?.handle && <CodesCard codes={newCodes.value} handle={account.handle} />}
      {refusal && !account && (
        <p class="error" role="alert">
          {refusal.message}
        </p>
      )}
      <div class="you-columns">
        <div class="you-column">
          {children}
          {account && (account.handle ? <AccountLeft {...props} /> : <KeepName socket={socket} account={account} name={name} onKept={onKept} />)}
          {account && <HoursCard {...props} />}
          {account && <HolidayCard store={store} socket={socket} />}
          {account && <NotificationCard socket={socket} user={store.me.value?.id ?? null} hasAccount={Boolean(account.handle)} />}
          {account && <People store={store} socket={socket} />}
        </div>
        <div class="you-column">
          {account && (account.handle ? <AccountRight {...props} /> : <SignIn store={store} route={route} />)}
          {account && <Devices {...props} />}
          {account && <StoredData {...props} />}
          {account?.handle && <SignOutHere account={account} />}
        </div>
      </div>
    </>
  );
}

/** @param {AccountProps} props */
function AccountLeft(props) {
  return (
    <>
      <HandleCard {...props} />
      <ProfileSettings {...props} />
    </>
  );
}

/** @param {AccountProps} props */
function AccountRight(props) {
  return (
    <>
      <Passkeys {...props} />
      <RecoveryCodes {...props} />
    </>
  );
}

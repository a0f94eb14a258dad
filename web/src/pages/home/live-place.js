// Where the big table stands on the home page. What draws it is fetched when the visitor sees the place, and not at all
// by devices that save data.

import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { Icon } from "../../parts/art.js";
import { Link } from "../../parts/link.js";

/** Pixels around the window within which the place counts as seen. */
const AROUND = "80px";

/** Return whether the device asks pages to save data. */
export function savesData() {
  return /** @type {any} */ (globalThis.navigator)?.connection?.saveData === true;
}

/** Return whether the visitor sees an element. @param {import("preact").RefObject<Element>} place */
function useSeen(place) {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    let isNear = false;
    const note = () => setSeen(isNear && !document.hidden);
    const observer = new IntersectionObserver(
      (entries) => {
        isNear = entries.some(({ isIntersecting }) => isIntersecting);
        note();
      },
      { rootMargin: AROUND },
    );
    observer.observe(element);
    document.addEventListener("visibilitychange", note);
    return () => {
      observer.disconnect();
      document.removeEventListener("visibilitychange", note);
    };
  }, []);
  return isSeen;
}

/** @param {import("../../main.js").PageProps} props */
export function LivePlace({ store, socket }) {
  /** @type {import("preact").RefObject<HTMLElement>} */
  const place = useRef(null);
  const isSeen = useSeen(place);
  const isSaving = savesData();
  const isWanted = isSeen && !isSaving;
  useEffect(() => {
    if (isWanted) store.wantsBigTable.value = true;
  }, [isWanted]);
  const module = isSaving ? null : store.bigTable.value;
  return (
    <section ref={place} class="live-table card" aria-labelledby="live-title">
      {module ? (
        <module.BigTable store={store} socket={socket} isSeen={isSeen} />
      ) : (
        <>
          <header>
            <h2 id="live-title">{t("home.live")}</h2>
          </header>
          {isSaving && (
            <p class="empty">
              <Link to="/watch" class="button">
                <Icon name="eye" />
                {t("watch.title")}
              </Link>
            </p>
          )}
        </>
      )}
    </section>
  );
}

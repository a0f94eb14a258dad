// A finished game, step by step: `/g/ID`, a moment of it `/g/ID?step=57&eyes=2`, or embedded in another site `/g/ID?embed`.

import { useEffect, useMemo, useRef } from "preact/hooks";
import { useSignalEffect } from "@preact/signals";
import { t } from "../catalogue/index.js";
import { Symbol } from "../parts/art.js";
import { ConnectionBanner } from "../parts/banner.js";
import { lazy, Loading } from "../parts/lazy.js";
import { AddressFollower, momentPath, parseMoment } from "../replay-address.js";
import { ReplayModel } from "../replay-model.js";
import { httpSource, socketSource } from "../replay-source.js";
import { Embedded, EmbeddedRefusal } from "./replay/embedded.js";
import { ReplayFrame } from "./replay/frame.js";
import { AgainButton, RefusedGame, refusalText } from "./refused-game.js";
import { SCENES } from "./scenes.js";
import "../style/table.css";
import "../style/panels.css";
import "../style/replay.css";

/** @param {import("../main.js").PageProps} props */
export function Page(props) {
  // With another key, the same address is another page: a game that was refused may be shown.
  return <Replay key={props.route.key} {...props} />;
}

/** @param {import("../main.js").PageProps} props */
function Replay({ store, socket, navigate, route }) {
  const { id, key } = /** @type {{id: string, key: string | null}} */ (route);
  const model = useMemo(() => {
    const moment = parseMoment(location.search);
    return new ReplayModel(id, key, moment.isEmbedded ? httpSource(id, key) : socketSource(socket, id, key), moment, socket);
  }, []);
  const { isEmbedded } = model.moment;
  const user = store.me.value?.id;
  const canLoad = isEmbedded || user !== undefined;
  model.user.value = user;
  useEffect(() => {
    if (canLoad) model.load();
  }, [model, canLoad]);
  useEffect(() => () => model.close(), [model]);
  useAddress(model, route);
  const error = model.error.value;
  if (error) {
    const again = () => model.load();
    if (!isEmbedded) return <RefusedGame store={store} game={model} error={error} onAgain={again} />;
    return (
      <EmbeddedRefusal sentence={refusalText(error)}>
        <AgainButton error={error} onAgain={again} />
      </EmbeddedRefusal>
    );
  }
  const view = model.view.value;
  const scene = view && lazy(SCENES[view.table.game])?.scene;
  if (!scene) {
    return (
      <main class="loading" aria-busy="true">
        {!isEmbedded && <ConnectionBanner store={store} />}
        <Symbol name="hall-ruin" width={72} />
        {view ? <Loading /> : <p class="muted">{t("replay.loading")}</p>}
      </main>
    );
  }
  if (isEmbedded) return <Embedded model={model} scene={scene} />;
  return <ReplayFrame store={store} navigate={navigate} model={model} scene={scene} />;
}

/** Keep the address in step with the moment, and follow it when the visitor goes back. @param {ReplayModel} model @param {any} route */
function useAddress(model, route) {
  const follower = useMemo(() => new AddressFollower(), [model]);
  useEffect(() => () => follower.stop(), [follower]);
  useSignalEffect(() => {
    if (!model.isReady.value) return;
    const moment = { step: model.steps.target.value, eyes: model.steps.eyes.value, isEmbedded: model.moment.isEmbedded };
    if (moment.step < model.steps.last.value) model.beyond.value = null;
    follower.follow(momentPath(model.id, moment, model.key));
  });
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current && model.isReady.value) model.goToMoment(parseMoment(location.search));
    isFirst.current = false;
  }, [route]);
}

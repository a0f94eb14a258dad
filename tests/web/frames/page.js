// Runs in the measured page before its own script. It notes, for every view and update, the milliseconds from the arrival
// of the message to the end of the frame that shows it, and tells the sender when that frame is painted.

globalThis.measured = { frames: [], firstViews: [], touched: 0 };

// Nodes that an update touched: those that were added, removed or changed, each once per frame.
new MutationObserver((records) => {
  const touched = new Set();
  for (const { type, target, addedNodes, removedNodes } of records) {
    if (type === "childList") for (const node of [...addedNodes, ...removedNodes]) touched.add(node);
    else touched.add(target);
  }
  measured.touched += touched.size;
}).observe(document, { childList: true, attributes: true, characterData: true, subtree: true });

globalThis.WebSocket = class extends WebSocket {
  constructor(...options) {
    super(...options);
    this.addEventListener("message", ({ data }) => {
      const head = new TextDecoder("latin1").decode(new Uint8Array(data, 0, Math.min(16, data.byteLength)));
      const times = head.includes("update") ? measured.frames : head.includes("view") ? measured.firstViews : null;
      if (!times) return;
      const arrived = performance.now();
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        times.push(performance.now() - arrived);
        this.send("painted");
      };
      requestAnimationFrame(() => port2.postMessage(null));
    });
  }
};

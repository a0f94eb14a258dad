// Line icons that only the waiting room uses.

import { Icon } from "../../parts/art.js";

/** @type {Record<string, string>} */
const OWN = {
  card: "M7 3.500h10a2 2 0 0 1 2 2v13a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2v-13a2 2 0 0 1 2-2M9 8h6M9 12h6",
  city: "M3 20V9h6v11M9 20V4h6v16M15 20v-9h6v9M2 20h20",
  deal: "M4 13l4-4 4 2 4-2 4 4M8 15l3 3c1 .8 2 .8 3 0l3-3",
  dot: "M12 10a2 2 0 1 1 0 4 2 2 0 0 1 0-4",
  flag: "M6 21V4M6 5h11l-2.500 3.500L17 12H6",
};

/** @param {{name: string, size?: number}} props */
export function WaitingIcon({ name, size = 20 }) {
  if (!(name in OWN)) return <Icon name={/** @type {any} */ (name)} size={size} />;
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d={OWN[name]} fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}

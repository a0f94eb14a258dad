// Line icons that only the waiting room uses.

import { Icon } from "../../parts/art.js";

/** @type {Record<string, string>} */
const OWN = {
  card: "M7 3.500h10a2 2 0 0 1 2 2v13a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2v-13a2 2 0 0 1 2-2M9 8h6M9 12h6",
  city: "M3 20V9h6v11M9 20V4h6v16M15 20v-9h6v9M2 20h20",
  deal: "M4 13l4-4 4 2 4-2 4 4M8 15l3 3c1 .8 2 .8 3 0l3-3",
  bonus: "M12 4l2.400 5 5.600.7-4.100 3.800 1.100 5.500-5-2.800-5 2.800 1.100-5.500L4 9.700 9.600 9z",
  dot: "M12 10a2 2 0 1 1 0 4 2 2 0 0 1 0-4",
  flag: "M6 21V4M6 5h11l-2.500 3.500L17 12H6",
  tree: "M12 3l5 7h-3l4 6H6l4-6H7zM12 16v5",
  stick: "M5 16.500L16.500 5 19 7.500 7.500 19z",
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

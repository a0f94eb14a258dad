// What lessons of Investors point at.

/** @type {import("./targets.js").Kinds} */
const kinds = {
  // A street that can be picked has a larger area for fingers around it, which is not drawn.
  street: (street) => `[data-street="${street}"] .glow, [data-line="${street}"]`,
  district: (district) => `[data-district="${district}"] .tile`,
  tender: () => ".tender",
  years: () => ".years",
  influence: () => ".influence-hand",
  cheques: () => ".cheque-hand, .resting-cheques",
  options: () => ".option-hand",
};

export default kinds;

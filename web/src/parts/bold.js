// Texts with bold parts. In the catalogue one or two asterisks mark what is printed bold: "*Four seats,* open to anyone".

/** Return the parts of a text; every second one is bold. @param {string} text */
export function boldParts(text) {
  return text.split(/\*{1,2}/);
}

/** @param {{text: string}} props */
export function Bold({ text }) {
  return boldParts(text).map((part, index) => (index % 2 ? <strong key={index}>{part}</strong> : part));
}

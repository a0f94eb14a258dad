// The steps of a lesson as dots: those behind, the shown one, those to come. The text beside them says the same.

/** With more steps than these, the dots are smaller, so that they stay in one line. */
const MANY = 14;

/** @param {{step: number, steps: number}} props */
export function Dots({ step, steps }) {
  return (
    <span class={`guide-dots ${steps > MANY ? "many" : ""}`} aria-hidden="true">
      {Array.from({ length: steps }, (_, index) => (
        <i key={index} class={index < step ? "behind" : index === step ? "now" : ""} />
      ))}
    </span>
  );
}

// The name of a person, which leads to their profile if they have an account.

import { language } from "../catalogue/index.js";
import { Link } from "./link.js";
import { narrow } from "./narrow.js";
import "../style/person.css";

/** Return the path of a profile. @param {string} handle */
export function profilePath(handle) {
  return `/u/${handle}`;
}

/**
 * @param {{person: {name?: string | null, handle?: string | null}, class?: string, children?: any}} props
 *   `children` in place of the name
 */
export function PersonName({ person, class: name = "", children }) {
  const text = children ?? person.name;
  if (!person.handle) return <span class={name}>{text}</span>;
  // The name may be shortened where it stands.
  const title = [person.name, `@${person.handle}`].filter(Boolean).join(" · ");
  return (
    <Link to={profilePath(person.handle)} class={`person-link ${name}`} title={title}>
      {text}
    </Link>
  );
}

/**
 * Names as a list in words: "Ada, Bo and Cleo". On a phone they are no links, because they stand too close together.
 * @param {{people: any[], nameOf: (person: any) => string}} props
 */
export function NameList({ people, nameOf }) {
  const names = people.map(nameOf);
  let index = 0;
  return new Intl.ListFormat(language.value, { type: "conjunction" }).formatToParts(names).map(({ type, value }, part) => {
    if (type === "literal") return value;
    const person = people[index];
    index += 1;
    return narrow.value ? value : <PersonName key={part} person={person}>{value}</PersonName>;
  });
}

// Whether the page is as narrow as a phone, where one thing after the other is shown instead of all at once.

import { signal } from "@preact/signals";

const query = globalThis.matchMedia?.("(max-width: 719px)");
export const narrow = signal(query?.matches ?? false);
query?.addEventListener("change", () => (narrow.value = query.matches));

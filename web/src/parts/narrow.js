// Whether the page is as narrow as a phone, which shows one part at a time behind tabs.

import { signal } from "@preact/signals";

const query = globalThis.matchMedia?.("(max-width: 719px)");
export const narrow = signal(query?.matches ?? false);
query?.addEventListener("change", () => (narrow.value = query.matches));

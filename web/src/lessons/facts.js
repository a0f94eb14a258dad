// What the page knows about lessons before it has asked the server.

/** The games that have a lesson, with the minutes that a newcomer takes for it. @type {Record<string, number>} */
export const LESSON_MINUTES = { investors: 8, planners: 7, builders: 8 };

/** Of replays and of redeliveries. A limit, so that an endpoint that has just recovered is not overloaded. */
const messagesPerSecond = 20;

/** How long to wait after `published` messages that took `took` milliseconds. */
export const pauseAfter = (published: number, took: number): number =>
  Math.max(0, (published * 1_000) / messagesPerSecond - took);

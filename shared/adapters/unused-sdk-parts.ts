/**
 * Replaces, in the functions' bundles, a part of the AWS SDK that none of their calls uses: answers that are event
 * streams. It is 20 KB to load at every cold start, because the SDK decides at run time whether it needs it.
 */
const unused = (part: string): never => {
  throw new Error(`${part} is left out of the functions' bundles: see lib/constructs/bundling.ts`);
};

export const eventStreamSerdeProvider = (): never => unused('@smithy/core/event-streams');

export class EventStreamSerde {
  constructor() {
    unused('@smithy/core/event-streams');
  }
}

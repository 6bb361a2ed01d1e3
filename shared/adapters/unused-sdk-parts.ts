/**
 * Stand in, in the functions' bundles, for parts of the AWS SDK that no call of theirs uses: answers that are streams
 * of events, and the cache of endpoints that DynamoDB would be asked for (the SDK does so only when it is told to).
 * They are 28 KB to load at every cold start, since the SDK decides at run time whether it needs them.
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

/** The SDK makes one with every client, and asks it nothing. */
export class EndpointCache {
  get(): never {
    return unused('@aws-sdk/endpoint-cache');
  }

  set(): never {
    return unused('@aws-sdk/endpoint-cache');
  }

  has(): never {
    return unused('@aws-sdk/endpoint-cache');
  }

  delete(): never {
    return unused('@aws-sdk/endpoint-cache');
  }
}

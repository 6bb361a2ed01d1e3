/**
 * Replaces the AWS SDK's event streams in the functions' bundles. No function uses event streams, but they would add 20
 * KB to every cold start: the SDK decides only at run time whether it needs them, so esbuild cannot remove them.
 */
const unused = (part: string): never => {
  throw new Error(`${part} is left out of the functions' bundles: see tools/scripts/bundle-functions.ts`);
};

/** A client that could use event streams calls this when it is created. */
export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;

export const eventStreamSerdeProvider = (): never => unused('@smithy/core/event-streams');

export class EventStreamSerde {
  constructor() {
    unused('@smithy/core/event-streams');
  }
}

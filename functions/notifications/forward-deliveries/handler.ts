import type { CloudWatchLogsEvent } from 'aws-lambda';

type Lines = readonly { readonly timestamp: number; readonly line: string }[];

export interface Dependencies {
  /** Reads the event of a subscription filter. */
  readonly linesIn: (event: CloudWatchLogsEvent) => Lines;
  readonly forward: (lines: Lines) => Promise<void>;
}

export const forwardDeliveriesHandler =
  ({ linesIn, forward }: Dependencies) =>
  (event: CloudWatchLogsEvent): Promise<void> =>
    forward(linesIn(event));

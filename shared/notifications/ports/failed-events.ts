import type { SeenState } from '../publish/event-notifications.ts';

/** Changes of events that could not be published. */
export type FailedEvent =
  | {
      readonly kind: 'event';
      readonly id: string;
      readonly dateTime: string;
      /** The states in which applications could see the event before. */
      readonly before: readonly SeenState[];
    }
  | { readonly kind: 'many'; readonly dateTime: string };

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
/** `Source` is what a change was read from, such as a record of a stream. */
export interface FailedChanges<Source = unknown> {
  /** @throws when the change could not be stored. */
  keep(failed: { readonly record: Source; readonly reason: string }): Promise<void>;
}

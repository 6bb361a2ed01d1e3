export interface FailedChanges {
  /** @throws when the change could not be stored. */
  keep(failed: { readonly record: unknown; readonly reason: string }): Promise<void>;
}

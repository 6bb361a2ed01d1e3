/** `Source` is what a change was read from, such as a record of a stream. */
export interface FailedChanges<Source = unknown> {
  /** @throws when the change could not be stored. */
  keep(failed: { readonly record: Source; readonly reason: string }): Promise<void>;
}

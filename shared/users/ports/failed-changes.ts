/** Where changes are kept that could not be told to every application. */
export interface FailedChanges {
  /** @throws when it could not be kept. */
  keep(failed: { readonly record: unknown; readonly reason: string }): Promise<void>;
}

/** A part of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Where the next page starts; absent on the last. */
  readonly next?: string;
}

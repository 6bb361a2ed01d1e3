export interface Page<Item> {
  readonly items: readonly Item[];
  /** The position of the next page. Absent on the last page. */
  readonly next?: string;
}

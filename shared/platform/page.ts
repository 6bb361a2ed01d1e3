export interface Page<Item> {
  readonly items: readonly Item[];
  /** The cursor or position from which the next page continues. Absent on the last page. */
  readonly next?: string;
}

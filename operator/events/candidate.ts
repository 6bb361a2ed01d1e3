/** An event as read from an import file, before its fields are checked. */
export interface Candidate {
  readonly line: number;
  /** `undefined` if no field of the event could be read. */
  readonly fields: Readonly<Record<string, unknown>> | undefined;
  /** The reasons why fields could not be read. */
  readonly mistakes: readonly string[];
}

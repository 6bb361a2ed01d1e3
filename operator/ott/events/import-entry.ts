export type Fields = Readonly<Record<string, unknown>>;

/** An event as read from an import file. Fields that the file leaves out are taken from the stored event. */
export interface ImportEntry {
  readonly line: number;
  readonly id: string | undefined;
  /** `undefined` if no field of the event could be read. */
  readonly fields: Fields | undefined;
  /** The reasons why fields could not be read. */
  readonly mistakes: readonly string[];
}

export type Candidate = Omit<ImportEntry, 'id'>;

export type Fields = Readonly<Record<string, unknown>>;

/** Why a field, or a whole event, of a file could not be read. */
export interface UnreadField {
  readonly text: string;
  /** The name of the field, such as `stream.url`. `undefined` if no field of the event could be read. */
  readonly field?: string;
}

/** An event as read from an import file. Fields that the file leaves out are taken from the stored event. */
export interface FileRow {
  readonly line: number;
  readonly id: string | undefined;
  /** `undefined` if no field of the event could be read. A field that could not be read is `undefined`. */
  readonly fields: Fields | undefined;
  readonly mistakes: readonly UnreadField[];
}

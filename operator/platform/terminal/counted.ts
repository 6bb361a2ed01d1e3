/** A number of things, such as `1 event` or `3 events`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** A part of all things: `1 event`, if there is only one, otherwise `1 of 3 events`. */
export const part = (count: number, all: number, one: string, many = `${one}s`): string =>
  all === 1 ? counted(count, one, many) : `${count} of ${all} ${many}`;

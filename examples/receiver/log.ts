/** Longer than a line that people read. */
const mostCharacters = 2_000;

/**
 * A line for a log or a terminal. Anyone can send a message, so a text could hold a line feed and a forged line after it,
 * or a command for the terminal: characters that cannot be seen are written as numbers.
 */
export const printable = (text: string): string => {
  const shown = text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;
  return shown.replace(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
};

export interface JsonElement {
  /** The line where the element begins. */
  readonly line: number;
  /** The element's JSON, including the white space around it. */
  readonly text: string;
}

/** A character that is not white space in JSON. `\s` would also match white space that JSON does not allow. */
const notBlank = /[^ \t\n\r]/;

/**
 * Splits a JSON array into the texts of its elements, so that they can be parsed one by one. Parsing an array of a
 * hundred thousand events as a whole would take ten times the memory of its text. If each element is valid JSON, so is
 * the whole array.
 *
 * @throws SyntaxError when the text is not an array, or its closing bracket is missing.
 */
export function* elementsOf(text: string): Generator<JsonElement> {
  let start = text.search(notBlank);
  if (text[start] !== '[') throw new SyntaxError('It is not an array');
  let line = linesIn(text.slice(0, start));
  let depth = 0;
  // The line where the current element begins. `undefined` until its first character has been read.
  let begins: number | undefined;
  let count = 0;
  for (let index = start; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if (character === '\n') line += 1;
    if (!notBlank.test(character)) continue;
    const isClosing = character === ']' || character === '}';
    if (depth === 1 && (isClosing || character === ',')) {
      if (!isClosing || count > 0 || begins !== undefined) {
        yield { line: begins ?? line, text: text.slice(start, index) };
      }
      count += 1;
      begins = undefined;
      start = index + 1;
      if (!isClosing) continue;
      if (character === '}' || notBlank.test(text.slice(start))) break;
      return;
    }
    if (depth === 1) begins ??= line;
    if (isClosing) depth -= 1;
    else if (character === '[' || character === '{') {
      depth += 1;
      if (depth === 1) start = index + 1;
    } else if (character === '"') index = endOfString(text, index);
  }
  throw new SyntaxError('The array does not end');
}

const linesIn = (text: string): number => text.split('\n').length;

/** The end of the string that begins at `start`. It is on the same line, because JSON escapes line breaks. */
const endOfString = (text: string, start: number): number => {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index;
};

export interface JsonElement {
  /** The line where it begins. */
  readonly line: number;
  /** From the separator before it to the separator after it. */
  readonly text: string;
}

/** JSON allows fewer blanks than a regular expression does. */
const notBlank = /[^ \t\n\r]/;

/**
 * The elements of a JSON array, one after the other: parsing a hundred thousand at once would take ten times the memory
 * of their text. Each is valid JSON if the whole is, and the whole if each is.
 *
 * @throws SyntaxError when the text is not an array, or one that does not end.
 */
export function* elementsOf(text: string): Generator<JsonElement> {
  let start = text.search(notBlank);
  if (text[start] !== '[') throw new SyntaxError('It is not an array');
  let line = linesIn(text.slice(0, start));
  let depth = 0;
  // Of the next element: the line where it begins, as soon as it does.
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

/** Where the string that begins at `start` ends. No line ends inside it: JSON escapes line breaks. */
const endOfString = (text: string, start: number): number => {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index;
};

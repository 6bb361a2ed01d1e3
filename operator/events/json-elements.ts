export interface JsonElement {
  /** The line where the element begins. */
  readonly line: number;
  /** From the separator before it to the separator after it. */
  readonly text: string;
}

/** JSON allows fewer kinds of white space than `\s`. */
const notBlank = /[^ \t\n\r]/;

/**
 * The elements of a JSON array, one by one: parsing a hundred thousand at once would take ten times the memory of their
 * text. If each element is valid JSON, so is the whole array.
 *
 * @throws SyntaxError when the text is not an array, or is an array that does not end.
 */
export function* elementsOf(text: string): Generator<JsonElement> {
  let start = text.search(notBlank);
  if (text[start] !== '[') throw new SyntaxError('It is not an array');
  let line = linesIn(text.slice(0, start));
  let depth = 0;
  // The line where the next element begins, as soon as it does.
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

/** The end of the string that begins at `start`. The string is on one line: JSON escapes line breaks. */
const endOfString = (text: string, start: number): number => {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index;
};

/** The line on which each element of a JSON array begins. The text must be valid JSON and an array. */
export const elementLines = (text: string): number[] => {
  const lines: number[] = [];
  let line = 1;
  let depth = 0;
  let isElementDue = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if (character === '\n') line += 1;
    if (/\s/.test(character)) continue;
    if (depth === 1 && isElementDue && character !== ']') {
      lines.push(line);
      isElementDue = false;
    }
    if (character === '"') index = endOfString(text, index);
    else if (character === '[' || character === '{') {
      depth += 1;
      if (depth === 1) isElementDue = true;
    } else if (character === ']' || character === '}') depth -= 1;
    else if (character === ',' && depth === 1) isElementDue = true;
  }
  return lines;
};

/** Where the string that begins at `start` ends. No line ends inside one: JSON escapes that. */
const endOfString = (text: string, start: number): number => {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index;
};

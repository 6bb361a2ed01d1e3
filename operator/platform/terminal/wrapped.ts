import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Loading `string-width` takes a tenth of a command's start-up time, so it is loaded only for texts that need it. */
const stringWidth = (text: string): number => {
  const { default: width }: typeof import('string-width') = require('string-width');
  return width(text);
};

/** A space at which a cell is not broken. It is printed as a space. */
export const firmSpace = '\u00a0';

/** Whether each character is one column wide, as in most texts. */
const isPlain = (text: string): boolean => /^[\x20-\x7e\u00a0]*$/.test(text);

/** How many columns of a terminal a text takes. */
export const widthOf = (text: string): number => (isPlain(text) ? text.length : stringWidth(text));

/** Scripts that have no spaces between words. */
const spaceless =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const opening = /[\p{Ps}\p{Pi}]$/u;

let segmenters: { readonly words: Intl.Segmenter; readonly letters: Intl.Segmenter } | undefined;
/** They are made only for texts that need them, as `string-width`. */
const segmentersOf = () => {
  segmenters ??= {
    words: new Intl.Segmenter('ja', { granularity: 'word' }),
    letters: new Intl.Segmenter('en', { granularity: 'grapheme' }),
  };
  return segmenters;
};

/** The words of a text without spaces. A punctuation mark stays with its word. */
const spacelessWords = (text: string): string[] => {
  const words: string[] = [];
  let word = '';
  for (const { segment, isWordLike } of segmentersOf().words.segment(text)) {
    const begins = opening.test(segment) || (isWordLike === true && !opening.test(word));
    if (begins && word !== '' && (spaceless.test(segment) || spaceless.test(word))) {
      words.push(word);
      word = '';
    }
    word += segment;
  }
  return word === '' ? words : [...words, word];
};

/** The words of a text, between which a line can be broken, each with the space that stands before it. */
const wordsOf = (text: string): { readonly space: string; readonly word: string }[] => {
  const words = text.split(' ').map((word, index) => ({ space: index === 0 ? '' : ' ', word }));
  if (isPlain(text) || !spaceless.test(text)) return words;
  return words.flatMap(({ space, word }) =>
    word === ''
      ? [{ space, word }]
      : spacelessWords(word).map((part, index) => ({ space: index === 0 ? space : '', word: part })),
  );
};

/** The width of a text's longest word. */
export const longestWord = (text: string): number => {
  if (!isPlain(text)) return Math.max(...wordsOf(text).map(({ word }) => widthOf(word)));
  return text.includes(' ') ? Math.max(...text.split(' ').map(({ length }) => length)) : text.length;
};

/** A word in pieces of at most `width` columns. */
const piecesOf = (word: string, width: number): string[] => {
  if (isPlain(word)) return word.match(new RegExp(`.{1,${width}}`, 'gu')) ?? [];
  const pieces: string[] = [];
  let piece = '';
  for (const { segment } of segmentersOf().letters.segment(word)) {
    if (piece !== '' && widthOf(piece + segment) > width) {
      pieces.push(piece);
      piece = '';
    }
    piece += segment;
  }
  return [...pieces, piece];
};

/** A text that goes on, as one line of at most `width` columns that ends in `…`. */
export const beginning = (text: string, width: number): string => {
  const [first = ''] = widthOf(text) < width ? [text] : piecesOf(text, Math.max(1, width - 1));
  return `${first}…`;
};

export interface Wrapping {
  /** Whether a word that is longer than a line is broken. @default false: it has a line of its own */
  readonly breaksWords?: boolean;
}

/** Lines of at most `width` columns, broken between words. */
export const wrapped = (text: string, width: number, { breaksWords = false }: Wrapping = {}): string[] => {
  if (widthOf(text) <= width) return [text];
  const lines: string[] = [];
  let line = '';
  const add = (word: string, space: string): void => {
    const longer = line === '' ? word : `${line}${space}${word}`;
    if (line === '' || widthOf(longer) <= width) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  };
  for (const { space, word } of wordsOf(text)) {
    const isTooLong = breaksWords && widthOf(word) > width;
    for (const [index, piece] of (isTooLong ? piecesOf(word, width) : [word]).entries())
      add(piece, index === 0 ? space : '');
  }
  return [...lines, line];
};

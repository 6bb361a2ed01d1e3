import { maximumDepth } from './json.ts';

/**
 * The rule for every text that comes in and is kept, by HTTP or file: programs that read it later, such as an indexer
 * with a database of its own, must be able to store and show it. Only the data of users is kept as it is.
 */

const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** All that is refused, except lone surrogates: control characters other than tab and line feed, and noncharacters. */
const unkeepable = /[^\P{Cc}\t\n]|\p{Noncharacter_Code_Point}|\uFFFD/u;

/** Why a text cannot be kept. */
const mistakeIn = (text: string): string | undefined => {
  // A lone surrogate has no UTF-8 form and would be stored as another character.
  if (!text.isWellFormed()) return 'Not well-formed Unicode: it contains half of a surrogate pair';
  const [found] = unkeepable.exec(text) ?? [];
  if (found === undefined) return undefined;
  // API Gateway passes bodies on as text, with this character in place of bytes that are not UTF-8.
  if (found === '\uFFFD') {
    return 'Must not contain U+FFFD, which stands for bytes that are not UTF-8: send the text as UTF-8';
  }
  return /\p{Cc}/u.test(found)
    ? `Must not contain the control character ${codePoint(found)}`
    : `Must not contain ${codePoint(found)}, which is not a character`;
};

export type Path = readonly PropertyKey[];

export interface Mistake {
  readonly path: Path;
  readonly message: string;
}

/** The fields at the top of a value whose texts are kept, or looked up, as they were sent. */
export type AsSent = readonly string[] | 'all';

/** More wrong texts are not reported: a body of 256 KB could have 25,000. */
const mistakesAtMost = 100;

/** Applies the rule to all texts in parsed JSON. In the result, each CR LF is a line feed. */
export const keptTexts = (
  value: unknown,
  asSent: AsSent = [],
): { readonly value: unknown; readonly mistakes: readonly Mistake[] } => {
  if (asSent === 'all') return { value, mistakes: [] };
  const mistakes: Mistake[] = [];
  const kept = (inner: unknown, path: Path): unknown => {
    if (typeof inner === 'string') {
      const text = inner.replaceAll('\r\n', '\n');
      const message = mistakeIn(text);
      if (message !== undefined && mistakes.length < mistakesAtMost) mistakes.push({ path, message });
      return text;
    }
    // What is deeper belongs to an unknown field.
    if (typeof inner !== 'object' || inner === null || path.length > maximumDepth) return inner;
    if (Array.isArray(inner)) return inner.map((item, index) => kept(item, [...path, index]));
    const isWhole = path.length === 0;
    const fields = Object.entries(inner).map(([name, field]): [string, unknown] => [
      name,
      isWhole && asSent.includes(name) ? field : kept(field, [...path, name]),
    ]);
    // `fromEntries` also keeps a field named `__proto__`, which an assignment would lose.
    return Object.fromEntries(fields);
  };
  return { value: kept(value, []), mistakes };
};

/**
 * Matches a visible character: not white space, not a control or format character, and not a character that renderers
 * may omit. U+2800 is an empty braille pattern, U+1D159 a musical note without a head.
 */
const visible = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\u{1D159}]/u;

/** Whether a text is displayed at all. */
export const isVisible = (text: string): boolean => visible.test(text);

/** Whether a text is a single line. */
export const isOneLine = (text: string): boolean => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);

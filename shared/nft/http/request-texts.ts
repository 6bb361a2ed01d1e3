import * as z from 'zod';
import { isOneLine, isVisible } from '../../platform/parsing/texts.ts';

export const bytesOf = (text: string): number => Buffer.byteLength(text, 'utf8');

/** Text with a limit in UTF-8 bytes, because text is stored and billed in bytes. */
export const text = ({ least = 0, most }: { readonly least?: number; readonly most: number }) =>
  z
    .string()
    .min(least, { error: 'Must not be empty' })
    // This limit on characters is for the OpenAPI document, which cannot express a limit in bytes. It refuses no text
    // that is within the byte limit, because a text never has more characters than bytes.
    .max(most, { error: `At most ${most} bytes`, abort: true })
    .refine((value) => bytesOf(value) <= most, { error: `At most ${most} bytes` });

/**
 * A single line that is displayed as it was written: no characters that change the direction of the text around them
 * (Unicode Bidirectional Algorithm, explicit formatting).
 */
const oneLine = (schema: z.ZodString) =>
  schema.refine((value) => isOneLine(value) && !/[\u202A-\u202E\u2066-\u2069]/u.test(value), {
    error: 'No control characters, line breaks or direction overrides',
  });

/** An empty text is refused by its length. */
const visible = (schema: z.ZodString) =>
  schema.refine((value) => value === '' || isVisible(value), { error: 'Must contain a visible character' });

/** A line that may be empty. */
export const lineText = (most: number) => oneLine(text({ most }));

/** A name that is not empty, with a limit in bytes: it is written on the chain. */
export const chainName = (most: number) => visible(oneLine(text({ least: 1, most })));

/** A name that is not empty, with a limit in characters (Unicode code points). It is not written on the chain. */
export const displayName = (most: number) =>
  visible(
    oneLine(
      z
        .string()
        .min(1, { error: 'Must not be empty' })
        // A longer text is not counted. A character is at most two UTF-16 units.
        .refine((value) => value.length <= 2 * most && [...value].length <= most, {
          error: `At most ${most} characters`,
        })
        .meta({ maxLength: most }),
    ),
  );

const urlBytesAtMost = 2_048;

/**
 * A `data:` URL may contain only an image, a sound or a video. An HTML page, for example, could run scripts in the
 * program that shows the token.
 */
const shownData = /^data:(image|audio|video)\/[^,]+,/i;
const kindsOfData = 'an image, a sound or a video';

/** What a CID of version 0 or 1 looks like at the beginning of a text. */
const cid = /^\/?(ipfs\/)?(Qm[1-9A-HJ-NP-Za-km-z]{44}|baf[a-z2-7]{50,})/;

const whiteSpaceMistake = (value: string): string | undefined => {
  if (!/\s/.test(value)) return undefined;
  if (value.trim() === '') return 'Only white space; leave the field out, or send null';
  if (value !== value.trim()) return 'White space before or after the URL; remove it';
  return 'White space in the URL; write a space as %20';
};

const schemeMistake = (value: string, protocols: readonly string[], which: string): string | undefined => {
  const [, scheme, rest] = /^([a-z][a-z0-9+.-]*):\/*(.*)$/is.exec(value) ?? [];
  if (scheme === undefined) {
    const hint = protocols.includes('ipfs:') && cid.test(value) ? '. Write ipfs:// before a CID' : '';
    return `No scheme; must be a URL with ${which}${hint}`;
  }
  if (!protocols.includes(`${scheme.toLowerCase()}:`)) return `Not ${scheme}:, must be a URL with ${which}`;
  return rest === '' ? `Nothing follows ${scheme}:` : undefined;
};

const dataMistake = (value: string): string | undefined => {
  if (shownData.test(value)) return undefined;
  return /^data:(image|audio|video)\//i.test(value)
    ? 'A data: URL must have a comma before its data'
    : `A data: URL must be of ${kindsOfData}, such as data:image/png`;
};

const isData = (value: string): boolean => /^data:/i.test(value);

const urlMistake = (value: string, protocols: readonly string[], which: string): string | undefined => {
  const mistake = whiteSpaceMistake(value) ?? schemeMistake(value, protocols, which);
  if (mistake !== undefined) return mistake;
  const parsed = URL.parse(value);
  if (parsed === null) return 'Not a valid URL: look at what follows the scheme';
  if (isData(value)) return dataMistake(parsed.href);
  return bytesOf(value) > urlBytesAtMost ? `At most ${urlBytesAtMost} bytes` : undefined;
};

export interface UrlKinds {
  readonly protocols: readonly string[];
  /** The length of a `data:` URL. */
  readonly dataBytesAtMost: number;
}

const whichOf = (protocols: readonly string[]): string =>
  protocols
    .join(', ')
    .replace(/, (\S+)$/, ' or $1')
    .replace(/data:$/, `data: (of ${kindsOfData})`);

const describedUrl = (kinds: UrlKinds, least: number, description: string) => {
  const { protocols, dataBytesAtMost } = kinds;
  const which = whichOf(protocols);
  const takesData = protocols.includes('data:');
  const lengths = `At most ${urlBytesAtMost} bytes${takesData ? `, or ${dataBytesAtMost} in a data: URL` : ''}`;
  return text({ least, most: takesData ? dataBytesAtMost : urlBytesAtMost })
    .check(({ value, issues }) => {
      const message = value === '' ? undefined : urlMistake(value, protocols, which);
      if (message !== undefined) issues.push({ code: 'custom', input: value, message });
    })
    .meta({ format: 'uri', description: `A URL with ${which}. ${lengths}${description}` });
};

export const urlText = (kinds: UrlKinds) => describedUrl(kinds, 1, '');

/** Generators of metadata write an empty text where there is no URL. */
export const nullableUrl = (kinds: UrlKinds) =>
  describedUrl(kinds, 0, '. An empty text means null')
    .transform((value) => (value === '' ? null : value))
    .nullable()
    .default(null)
    // The transformation hides the default from the OpenAPI document.
    .meta({ default: null });

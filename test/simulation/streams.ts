import { type Random, seededRandom } from '../support/platform/seeded-random.ts';

/**
 * A random stream for each name, all of them from one seed. One stream does not shift the others: if a process makes
 * one call less, another one still draws the same numbers.
 */
export interface Streams {
  readonly seed: number;
  of(name: string): Random;
}

/** FNV-1a. */
export const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash ^ (hash >>> 15);
};

export const createStreams = (seed: number): Streams => {
  const known = new Map<string, Random>();
  return {
    seed,
    of: (name) => {
      const stream = known.get(name) ?? seededRandom(hashOf(`${seed}/${name}`));
      known.set(name, stream);
      return stream;
    },
  };
};

/** A whole number from `least` to `most`, both included. */
export const between = (random: Random, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1));

export const oneOf = <Each>(random: Random, all: readonly [Each, ...Each[]]): Each =>
  all[Math.floor(random() * all.length)] ?? all[0];

const byteTexts = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const byteText = (word: number, shift: number): string => byteTexts[(word >>> shift) & 255] ?? '';

export const hexOf = (random: Random, bytes: number): `0x${string}` => {
  let digits = '';
  while (digits.length < 2 * bytes) {
    const word = Math.floor(random() * 2 ** 32);
    digits += byteText(word, 24) + byteText(word, 16) + byteText(word, 8) + byteText(word, 0);
  }
  return `0x${digits.slice(0, 2 * bytes)}`;
};

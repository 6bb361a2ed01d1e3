/**
 * What the repository's stage files and guides have in place of values that only an operator knows. `preflight` refuses a
 * stage's file that still has one.
 */
const placeholders: readonly RegExp[] = [
  // The domains that RFC 2606 reserves for documentation, with any host before them.
  /\bexample\.(com|net|org)\b/,
  // The application of `ott.defaultApplication`, and whatever else is called so.
  /^example$/,
  // A KMS key that nobody has.
  /\bmrk-example\b/,
  // The accounts of AWS's documentation and of the local runtime.
  /\b(123456789012|000000000000|111122223333)\b/,
];

export const isPlaceholder = (text: string): boolean => placeholders.some((each) => each.test(text));

const escaped = (text: string): string => text.replace(/[.+^${}()|[\]\\]/g, '\\$&');

/** In IAM, `*` matches any number of characters and `?` matches one. */
export const globPattern = (glob: string, flags = ''): RegExp =>
  new RegExp(`^${escaped(glob).replaceAll('*', '.*').replaceAll('?', '.')}$`, `s${flags}`);

/** `ArnLike` matches each of the six parts of an ARN separately. */
export const arnPattern = (pattern: string): ((arn: string) => boolean) => {
  const patterns = sixParts(pattern).map((part) => globPattern(part));
  return (arn) => {
    const parts = sixParts(arn);
    return patterns.length === parts.length && patterns.every((part, at) => part.test(parts[at] ?? ''));
  };
};

const sixParts = (arn: string): string[] => {
  const parts = arn.split(':');
  return [...parts.slice(0, 5), parts.slice(5).join(':')];
};

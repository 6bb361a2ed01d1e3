import * as z from 'zod';

/** CloudFormation takes numbers and truth values as text, too. */
export const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);
export const whole = z.coerce.number().pipe(z.int());

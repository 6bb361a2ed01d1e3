import * as z from 'zod';

/** CloudFormation also accepts numbers and booleans as strings. */
export const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);
export const whole = z.coerce.number().pipe(z.int());

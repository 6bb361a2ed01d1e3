import * as z from 'zod';

export const tags = z.array(z.strictObject({ Key: z.string(), Value: z.string() }));

import * as z from 'zod';

export const nftConfig = z.strictObject({});

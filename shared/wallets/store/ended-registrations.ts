/**
 * The key of the item in the wallets table that marks a registration as ended. The write that deletes the user also
 * writes this item, so a function that links wallets needs no access to the users table. The item contains no data of
 * the user.
 */
export const endedKey = (registrationId: string) => ({ pk: `ENDED#${registrationId}` });

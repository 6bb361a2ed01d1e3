export const endedPrefix = 'ENDED#';

/**
 * The key of the item in the wallets table that marks a registration as ended. The write that deletes the user also
 * writes this item, so a function that links wallets needs no access to the users table. Of the user, the
 * item contains only when the registration ended.
 */
export const endedKey = (registrationId: string) => ({ pk: `${endedPrefix}${registrationId}` });

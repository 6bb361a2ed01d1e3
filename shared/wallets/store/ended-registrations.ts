/**
 * The key of the item in the wallets table that says that a registration has ended. The write that deletes the user
 * also writes this item, so a function that links wallets needs no access to the users table. The item contains nothing
 * of the user.
 */
export const endedKey = (registrationId: string) => ({ pk: `ENDED#${registrationId}` });

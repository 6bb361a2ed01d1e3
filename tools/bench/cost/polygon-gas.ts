/** How much more the first access to a slot of storage costs on Polygon than on anvil (PIP-88). */
export const firstAccess = { read: 3_360, write: 840 } as const;

/**
 * The gas of a mint on Polygon, if anvil uses `gas`. A mint reads the collection's owner, and for each token the id's
 * owner and the receiver's balance.
 */
export const polygonMintGas = ({ gas, tokens }: { readonly gas: number; readonly tokens: number }): number =>
  gas + firstAccess.read * (1 + 2 * tokens);

import type { StageConfig } from '../../config/stage.ts';

/** The stage's signers, from 1: a signer keeps its number for ever. */
export const signerNumbers = ({ nft }: StageConfig): number[] =>
  Array.from({ length: nft.signers }, (_, index) => index + 1);

/** The id of a resource that each signer has; the first signer's has no number, because it was once the only one. */
export const ofSigner = (id: string, number: number): string => (number === 1 ? id : `${id}${number}`);

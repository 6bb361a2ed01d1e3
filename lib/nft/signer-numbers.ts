import type { StageConfig } from '../../config/stage.ts';

/** The stage's signers, from 1: a signer keeps its number for ever. */
export const signerNumbers = ({ nft }: StageConfig): number[] =>
  Array.from({ length: nft.signers }, (_, index) => index + 1);

/** The id of what each signer has one of; the first has no number, since it was the only one once. */
export const ofSigner = (id: string, number: number): string => (number === 1 ? id : `${id}${number}`);

export interface KeyDeclaration {
  /** A UUID, or `mrk-` and 32 hex digits for a multi-Region key. */
  readonly keyId: string;
  readonly description: string;
  readonly keySpec: 'ECC_SECG_P256K1' | 'SYMMETRIC_DEFAULT';
  readonly keyUsage: 'SIGN_VERIFY' | 'ENCRYPT_DECRYPT';
  readonly multiRegion: boolean;
}

export interface KeyDescription extends KeyDeclaration {
  readonly arn: string;
  readonly creationDate: Date;
}

/** What stands in for KMS. A `keyId` argument is a key's id, its ARN, an alias name or an alias's ARN. */
export interface KeyEngine {
  /** Makes the key unless the state directory already holds its material. */
  createKey(declaration: KeyDeclaration): KeyDescription;
  createAlias(alias: { readonly name: string; readonly keyId: string }): void;
  describe(keyId: string): KeyDescription;
  list(): readonly KeyDescription[];
  aliases(): readonly { readonly name: string; readonly arn: string; readonly keyId: string }[];
  /** SubjectPublicKeyInfo, DER. */
  publicKey(keyId: string): Uint8Array;
  /** ECDSA over a 32-byte digest, DER. About half of the signatures have a high S, as KMS's do. */
  sign(request: { readonly keyId: string; readonly digest: Uint8Array }): Uint8Array;
}

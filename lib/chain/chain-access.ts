import { Duration, Fn, Stack } from 'aws-cdk-lib';
import * as kms from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { protectKey } from '../platform/constructs/encryption.ts';
import { ServiceSecret } from '../platform/constructs/service-secret.ts';
import { kept, stageOf } from '../platform/constructs/stage.ts';

/** The numbers of the stage's signers, starting with 1. The number of a signer never changes. */
export const signerNumbers = (scope: Construct): number[] =>
  Array.from({ length: stageOf(scope).nft.signers }, (_, index) => index + 1);

/**
 * The construct id of a signer's resource. The ids of the first signer have no number, because the first stages were
 * deployed with only one signer.
 */
export const ofSigner = (id: string, number: number): string => (number === 1 ? id : `${id}${number}`);

/** The stage's signing keys, its RPC endpoints, and the settings for both. */
export class ChainAccess extends Construct {
  /**
   * One signing key for each signer. New signers are added only at the end. The address of a key owns contracts for
   * ever, so the key is kept when the stack is deleted, and can be replicated to another Region. The stage's file can
   * name keys of a former stage. Their policies and tags are not the stack's.
   */
  private readonly keyArns = signerNumbers(this).map((number) => {
    const existing = stageOf(this).nft.signerKeys[number - 1];
    if (existing !== undefined) return existing;
    const key = new kms.Key(this, ofSigner('SigningKey', number), {
      description: `Signs NFT transactions of the stage (signer ${number}); owns the contracts that it made`,
      keySpec: kms.KeySpec.ECC_SECG_P256K1,
      keyUsage: kms.KeyUsage.SIGN_VERIFY,
      multiRegion: true,
      removalPolicy: kept,
      pendingWindow: Duration.days(30),
    });
    protectKey(key);
    return key.keyArn;
  });
  /** `{"urls": ["https://…"]}`, best first. */
  readonly endpoints = new ServiceSecret(this, 'ChainSecret', {
    name: 'chain',
    description: 'RPC endpoints of the chain: {"urls": ["https://…"]}, best first',
  });
  /** The RPC endpoints for questions about tickets: `endpoints`, unless the stage has a separate secret for them. */
  readonly ticketEndpoints = stageOf(this).ott.ownTicketEndpoints
    ? new ServiceSecret(this, 'TicketChainSecret', {
        name: 'ticket-chain',
        description: 'RPC endpoints that are asked about tickets: {"urls": ["https://…"]}, best first',
      })
    : this.endpoints;

  /** The ARNs of the keys, in the order of the signers, separated by commas. */
  readonly keyIds = Fn.join(',', this.keyArns);

  readonly readEndpoints = this.endpoints.readAs('CHAIN_SECRET_ARN');
  /**
   * For functions that read tokens from the chain for viewers, customers and users. If the stage has separate endpoints
   * for tickets, these reads never use up the request quota that mints need.
   */
  readonly readTicketEndpoints = this.ticketEndpoints.readAs('CHAIN_SECRET_ARN');
  /** Allows only signing digests and reading the list of RPC endpoints. */
  readonly sign = [
    this.readEndpoints,
    { actions: ['kms:GetPublicKey'], resources: this.keyArns },
    {
      actions: ['kms:Sign'],
      resources: this.keyArns,
      conditions: { StringEquals: { 'kms:MessageType': 'DIGEST' } },
    },
  ];

  readonly chainId = { CHAIN_ID: String(stageOf(this).nft.chainId) };

  get environment() {
    const { nft } = stageOf(this);
    return {
      ...this.chainId,
      CHAIN_FINALITY: Stack.of(this).toJsonString(nft.finality),
      BLOCK_MILLISECONDS: String(nft.blockSeconds * 1_000),
      SIGNER_KEY_IDS: this.keyIds,
      IN_FLIGHT_CAP: String(nft.inFlightCap),
      FEE_CEILING_WEI: String(nft.feeCeiling),
      ENDPOINT_FEE_CAP_WEI: String(nft.endpointFeeCap ?? 0),
      MINIMUM_TIP_WEI: String(nft.minimumTip),
    };
  }
}
